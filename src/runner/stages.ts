/** Weights that are brought to RAM for their steps: the calls around each step, and what the check build knows of them. */
import { unsigned } from '../emit/literals.ts';
import { stagedWeights } from '../emit/view-stages.ts';
import type { Plan } from '../plan/types.ts';
import type { Addresses } from './addresses.ts';
import { call, size } from './arguments.ts';
import { type Copy, copyNumber } from './copies.ts';
import type { Argument, Call } from './types.ts';

/** What is called before the kernels of a step, and behind them. */
export interface Stage {
  readonly before: readonly Call[];
  readonly behind: readonly Call[];
}

/** A weight on its way, as arguments. */
interface Bringing {
  readonly to: Argument;
  readonly from: Argument;
  readonly bytes: Argument;
  /** Of the lines of the cache behind which it lies; undefined where there is none. */
  readonly lines: Argument | undefined;
  readonly number: Argument;
}

/**
 * By step. Weights begin to come before the kernels of a step and are waited for behind them. What the first step reads
 * itself is waited for at once; what is needed behind a control-flow node comes while all of that runs, and is waited for
 * by the step that needs it. All of it lies within what the check build watches of a step.
 */
export function stagesOf(
  plan: Plan,
  copies: readonly Copy[],
  addresses: Addresses,
): ReadonlyMap<number, Stage> {
  const turns = new Map<number, Turn>();
  const turnOf = (step: number): Turn => {
    const known = turns.get(step);
    if (known !== undefined) return known;
    const turn: Turn = { own: [], begun: [], next: [], later: [] };
    turns.set(step, turn);
    return turn;
  };
  const staged = stagedWeights(plan);
  for (const { key, macro, index } of staged.length === 0 ? [] : copies) {
    const { buffer, needed, lines } = staged[index]!;
    const one: Bringing = {
      to: token(addresses.weight(key)),
      from: token(addresses.inFlash(key)),
      bytes: token(`${macro}_SIZE`),
      lines: lines === 0 ? undefined : size(lines),
      number: size(copyNumber(plan, index)),
    };
    const { first } = buffer;
    if (needed === first) turnOf(first).own.push(one);
    else if (needed === first + 1) turnOf(first).next.push(one);
    else {
      turnOf(first).later.push(one);
      turnOf(needed).begun.push(one);
    }
  }
  return new Map([...turns].map(([step, turn]) => [step, stageOf(step, turn)]));
}

/** What happens to weights around a step. */
interface Turn {
  /** They come before it, since nothing runs before that. */
  readonly own: Bringing[];
  /** It needs them, and they have begun to come before the control-flow node in front of it. */
  readonly begun: Bringing[];
  /** They come while it runs. */
  readonly next: Bringing[];
  /** They come while it and its bodies run. */
  readonly later: Bringing[];
}

function stageOf(step: number, { own, begun, next, later }: Turn): Stage {
  const here = [...own, ...begun];
  return {
    before: [...begin(own), ...finish(step, here), ...begin([...next, ...later])],
    // The check build knows the sums of what has come before the step, which these had not.
    behind: [...finish(step, next), ...here.map((one) => compare(step, one))],
  };
}

/** Braces of memplan_span for the weights that come to a region: others may not touch them once they are there. */
export function stagedSpans(plan: Plan, copies: readonly Copy[], region: string): readonly string[] {
  const staged = stagedWeights(plan);
  return (staged.length === 0 ? [] : copies).flatMap(({ macro, index, region: own }) => {
    if (own !== region) return [];
    const { buffer, needed, lines } = staged[index]!;
    const { first, end } = buffer;
    const written = needed === first + 1 ? first : needed;
    const range = [first, written, end, copyNumber(plan, index)].map(unsigned).join(', ');
    // Lines that are dropped take along what a check build has written to their last bytes.
    const bytes = lines === 0 ? `${macro}_SIZE` : unsigned(lines);
    return [`{${macro}_OFFSET, ${bytes}, ${range}, MEMPLAN_SPAN_VIEW}`];
  });
}

function begin(coming: readonly Bringing[]): readonly Call[] {
  return coming.flatMap((one) => [...invalidate(one), call('bring', 'bring', one.to, one.from, one.bytes)]);
}

function finish(step: number, coming: readonly Bringing[]): readonly Call[] {
  if (coming.length === 0) return [];
  return [
    call('bring', 'bring_wait'),
    ...coming.flatMap(invalidate),
    ...coming.map((one) => compare(step, one)),
  ];
}

function invalidate({ to, lines }: Bringing): readonly Call[] {
  return lines === undefined ? [] : [call('bring', 'bring_invalidate', to, lines)];
}

/** In a check build: what lies there is what was to be brought. */
function compare(step: number, { to, from, bytes, number }: Bringing): Call {
  return { family: 'memplan_bring.c', kernel: 'BROUGHT', arguments: [size(step), number, to, from, bytes] };
}

function token(text: string): Argument {
  return { kind: 'token', text };
}
