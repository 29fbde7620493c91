/** Sums up what is live when. */
import type { Peak } from './types.ts';

interface Lasting {
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
}

/** Live bytes at each step; a graph without steps still has one moment, at which its inputs are its outputs. */
export function liveBytesByStep(buffers: readonly Lasting[], steps: number): readonly number[] {
  const deltas = new Array<number>(Math.max(steps, 1) + 1).fill(0);
  for (const { first, end, bytes } of buffers) {
    deltas[first]! += bytes;
    deltas[end]! -= bytes;
  }
  let live = 0;
  return deltas.slice(0, -1).map((delta) => {
    live += delta;
    return live;
  });
}

/** The first step at which the most bytes are live. */
export function peakOf(live: readonly number[]): Peak {
  let peak: Peak = { step: 0, bytes: 0 };
  live.forEach((bytes, step) => {
    if (bytes > peak.bytes) peak = { step, bytes };
  });
  return peak;
}
