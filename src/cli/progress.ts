/** One line on the terminal that says what takes so long, and is gone when it is done. */
import type { Observe, Work } from '../observe.ts';
import { grouped } from '../report/text.ts';
import type { Io } from './io.ts';

/** Nobody wants to read about shorter work, in milliseconds. */
const PATIENCE = 1000;
/** Time between two changes of the line. */
const PACE = 200;
const ERASE = '\r\u001b[K';

export interface Progress {
  readonly show: (work: Work) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

/** Undefined where stderr is no terminal that can erase a line. `now` in milliseconds. */
export function createProgress(
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
  title: string,
  now: () => number = performance.now.bind(performance),
): Progress | undefined {
  if (stderr.isTTY !== true || env.TERM === 'dumb') return undefined;
  const start = now();
  let next = start + PATIENCE;
  let shown = false;
  return {
    show: (work) => {
      const time = now();
      if (time < next) return;
      next = time + PACE;
      shown = true;
      const text = `${title}: ${workText(work)}, ${Math.floor((time - start) / 1000)} s`;
      stderr.write(`${ERASE}${text.slice(0, Math.max(20, (stderr.columns || 80) - 1))}`);
    },
    clear: () => {
      if (shown) stderr.write(ERASE);
      shown = false;
    },
  };
}

function workText({ doing, bytes, lowerBound, done, all }: Work): string {
  if (done !== undefined && all !== undefined) return `${doing}, ${grouped(done)} of ${grouped(all)}`;
  if (bytes === undefined || !Number.isFinite(bytes)) return doing;
  return `${doing}, ${grouped(bytes)} bytes so far, at least ${grouped(lowerBound ?? 0)}`;
}

/**
 * Does something that may take long, and shows it under the title; without one it is silent. `observe` is undefined
 * when nobody looks on and nobody can ask for an end.
 */
export function watched<T>(io: Io, title: string | undefined, work: (observe: Observe | undefined) => T): T {
  const progress = title === undefined ? undefined : createProgress(io, title);
  const { interrupted } = io;
  if (progress === undefined && interrupted === undefined) return work(undefined);
  try {
    return work((seen) => {
      progress?.show(seen);
      return interrupted?.() === true;
    });
  } finally {
    progress?.clear();
  }
}
