/** Infers the body of a loop whose values are carried from one turn to the next. */
import type { Dim } from '../graph/dims.ts';
import type { Body, Fact } from '../graph/types.ts';
import { agree, formatFact, mergeFacts } from './merge.ts';
import type { OpContext } from './types.ts';

export type Facts = readonly (Fact | undefined)[];

export interface Turns {
  /** What holds for the carried values at the start of every turn and after the last. */
  readonly carried: Facts;
  /** Outputs of the body under that assumption. */
  readonly outputs: Facts;
}

/** How the values that are carried round stand among the inputs and outputs of the body. */
export interface Round {
  /** The body's inputs, made from the carried values. */
  readonly inputs: (carried: Facts) => Facts;
  /** Positions of the first carried value; the others follow it. */
  readonly first: { readonly input: number; readonly output: number };
}

/** Turns after which a shape that still changes is taken for unknown as a whole. */
const PATIENCE = 8;

/** Repeats the inference of `body` until what is assumed of the carried values holds after a turn as well. */
export function inferTurns(c: OpContext, body: Body, initial: Facts, { inputs, first }: Round): Turns {
  const opened = new Set<Dim>();
  const say = (i: number, before: Fact | undefined, after: Fact | undefined): string =>
    `a turn takes ${c.nameOf(body.inputs[first.input + i]!)} as ${formatFact(before)} and hands ` +
    `${c.nameOf(body.outputs[first.output + i]!)} on as ${formatFact(after)}`;
  let carried = initial.map(withoutValue);
  for (let turn = 1; ; turn++) {
    const outputs = c.inferBody(body, inputs(carried));
    const next = carried.map((before, i) => {
      const after = outputs[first.output + i];
      const why = () => say(i, before, after);
      const fact = widen(c, before, after, opened, turn > PATIENCE, why);
      if (before?.shape !== undefined && fact?.shape === undefined) c.unknownRank(i, why());
      return fact;
    });
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
  why: () => string,
): Fact | undefined {
  const merged = mergeFacts(c, before, after, (was) => {
    if (opened.has(was)) return was;
    const open = c.unknownDim(why());
    opened.add(open);
    return open;
  });
  return giveUp && merged !== undefined && !agree(merged, before) ? { ...merged, shape: undefined } : merged;
}
