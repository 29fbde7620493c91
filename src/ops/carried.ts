/** Infers the body of a loop whose values are carried from one turn to the next. */
import { type Dim, formatDim } from '../graph/dims.ts';
import type { Body, Fact } from '../graph/types.ts';
import { agree, mergeFacts } from './merge.ts';
import type { OpContext } from './types.ts';

export type Facts = readonly (Fact | undefined)[];

export interface Turns {
  /** What holds for the carried values at the start of every turn and after the last. */
  readonly carried: Facts;
  /** Outputs of the body under that assumption. */
  readonly outputs: Facts;
}

/** Turns after which a shape that still changes is taken for unknown as a whole. */
const PATIENCE = 8;

/**
 * Repeats the inference of `body` until what is assumed of the carried values holds after a turn as well.
 * `inputs` makes the body's inputs from the carried facts; `results` picks the carried ones from its outputs.
 */
export function inferTurns(
  c: OpContext,
  body: Body,
  initial: Facts,
  inputs: (carried: Facts) => Facts,
  results: (outputs: Facts) => Facts,
): Turns {
  const opened = new Set<Dim>();
  let carried = initial.map(withoutValue);
  for (let turn = 1; ; turn++) {
    const outputs = c.inferBody(body, inputs(carried));
    const after = results(outputs);
    const next = carried.map((before, i) => widen(c, before, after[i], opened, turn > PATIENCE));
    if (next.every((fact, i) => agree(fact, carried[i]))) return { carried: next, outputs };
    carried = next;
  }
}

/** The elements of a carried value change from turn to turn. */
function withoutValue(from: Fact | undefined): Fact | undefined {
  return from === undefined ? undefined : { ...from, value: undefined, elements: undefined };
}

/** What still holds after a turn. A dimension that was given up once stays so, or the turns would never end. */
function widen(
  c: OpContext,
  before: Fact | undefined,
  after: Fact | undefined,
  opened: Set<Dim>,
  giveUp: boolean,
): Fact | undefined {
  const merged = mergeFacts(c, before, after, (was, is, axis) => {
    if (opened.has(was)) return was;
    const open = c.unknownDim(
      `axis ${axis} of a value carried round the loop is ${formatDim(was)} before a turn and ${formatDim(is)} after it`,
    );
    opened.add(open);
    return open;
  });
  return giveUp && merged !== undefined && !agree(merged, before) ? { ...merged, shape: undefined } : merged;
}
