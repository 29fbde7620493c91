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
 * By step. Weights begin to come before the kernels of a step and are waited for behind them; what the first step reads
 * itself is waited for at once. All of it lies within what the check build watches of the step.
 */
export function stagesOf(
  plan: Plan,
  copies: readonly Copy[],
  addresses: Addresses,
): ReadonlyMap<number, Stage> {
  const own = new Map<number, Bringing[]>();
  const next = new Map<number, Bringing[]>();
  const staged = stagedWeights(plan);
  for (const { key, macro, index } of staged.length === 0 ? [] : copies) {
    const { buffer, needed, lines } = staged[index]!;
    const group = buffer.first === needed ? own : next;
    const one: Bringing = {
      to: token(addresses.weight(key)),
      from: token(addresses.inFlash(key)),
      bytes: token(`${macro}_SIZE`),
      lines: lines === 0 ? undefined : size(lines),
      number: size(copyNumber(plan, index)),
    };
    const known = group.get(buffer.first);
    if (known === undefined) group.set(buffer.first, [one]);
    else known.push(one);
  }
  return new Map(
    [...new Set([...own.keys(), ...next.keys()])].map((step) => {
      const [now, soon] = [own.get(step) ?? [], next.get(step) ?? []];
      return [
        step,
        {
          before: [...begin(now), ...finish(step, now), ...begin(soon)],
          behind: [...finish(step, soon), ...now.map((one) => compare(step, one))],
        },
      ];
    }),
  );
}

/** Braces of memplan_span for the weights that come to a region: others may not touch them once they are there. */
export function stagedSpans(plan: Plan, copies: readonly Copy[], region: string): readonly string[] {
  const staged = stagedWeights(plan);
  return (staged.length === 0 ? [] : copies).flatMap(({ macro, index, region: own }) => {
    if (own !== region) return [];
    const { buffer, lines } = staged[index]!;
    const { first, end } = buffer;
    const range = [first, first, end, copyNumber(plan, index)].map(unsigned).join(', ');
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
