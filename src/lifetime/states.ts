/** Values that are kept from run to run: which share one place, which are copied after a run. */
import { fail } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import { buildBuffers } from './buffers.ts';
import { type Activity, bufferOf, type Group, groupOf, joinGroups, suits } from './group.ts';
import type { Buffers, LifetimeOptions, LiveRange, Schedule, TensorBuffer } from './types.ts';

/** A tensor that keeps its value, by index; `from`: what a run makes of it, or undefined where that is itself. */
export interface State {
  readonly tensor: number;
  readonly from: number | undefined;
}

export interface PlacedState extends State {
  /**
   * `shared`: both lie in one place, so the next run finds what this one made; `copied`: a copy after each run brings
   * it there; `kept`: the bytes just stay.
   */
  readonly how: 'shared' | 'copied' | 'kept';
}

export interface Stated {
  readonly buffers: Buffers;
  readonly states: readonly PlacedState[];
}

/**
 * The buffers of a model with its states. A new value may lie on the old one when no step needs the old one any more
 * once the new one begins to be made, and of what shares bytes with either the same holds; or when the kernel wrote it
 * in place. Otherwise both have a place of their own, the old one at all steps. Throws E_RULE for states in memory of
 * the caller, and what `buildBuffers` throws.
 */
export function buildWithStates(
  graph: TypedGraph,
  schedule: Schedule,
  options: LifetimeOptions,
  kernels: KernelLibrary,
): Stated {
  const { states = [] } = options;
  const keep = new Set(options.keep);
  for (;;) {
    const buffers = buildBuffers(graph, schedule, { ...options, keep }, kernels);
    if (states.length === 0) return { buffers, states: [] };
    const placed = joined(buffers, states, keep, nameIn(graph));
    const apart = placed.states.filter(({ tensor, how }) => how === 'copied' && !keep.has(tensor));
    if (apart.length === 0) {
      const { declined, sharing } = buffers;
      return finished({ ...placed, declined, sharing }, schedule.steps.length, options.sizeRound);
    }
    // The old value has to last: nothing may be written over it.
    for (const { tensor } of apart) keep.add(tensor);
  }
}

type NameOf = (tensor: number) => string;

function nameIn({ tensors }: TypedGraph): NameOf {
  return (tensor) => tensors[tensor]!.name;
}

interface Joined extends Omit<Buffers, 'buffers'> {
  readonly groups: readonly Group[];
  readonly states: readonly PlacedState[];
}

function joined(
  { buffers, external }: Buffers,
  states: readonly State[],
  keep: ReadonlySet<number>,
  nameOf: NameOf,
): Omit<Joined, 'declined' | 'sharing'> {
  const groups: (Group | undefined)[] = buffers.map((buffer) => ({
    ...groupOf(buffer),
    // Buffers change their places in the list; permissions to overlap are given up.
    mayOverlap: undefined,
  }));
  const find = (tensor: number): number => {
    const index = groups.findIndex((group) => group?.members.some((member) => member.tensor === tensor));
    if (index >= 0) return index;
    return fail('E_RULE', `--state: ${nameOf(tensor)} lies in no buffer of the arena.`, {
      tensor: nameOf(tensor),
      hint: external.some((member) => member.tensor === tensor)
        ? 'Leave out --io external: state must keep its place.'
        : 'Name a tensor that a step reads or writes.',
    });
  };
  const placed = states.map(({ tensor, from }): PlacedState => {
    const old = find(tensor);
    if (from === undefined || from === tensor) return { tensor, from: undefined, how: 'kept' };
    const made = find(from);
    const shift = offsetIn(groups[old]!, tensor) - offsetIn(groups[made]!, from);
    if (old === made) return { tensor, from, how: shift === 0 ? 'shared' : 'copied' };
    const [a, b] = [groups[old]!, groups[made]!];
    const before = rangeOf(a).end <= rangeOf(b).first;
    if (keep.has(tensor) || !before || !suits(a, b, shift)) return { tensor, from, how: 'copied' };
    groups[old] = joinGroups(a, b, shift);
    groups[made] = undefined;
    return { tensor, from, how: 'shared' };
  });
  return { groups: groups.filter((group) => group !== undefined), external, states: placed };
}

function offsetIn({ members }: Group, tensor: number): number {
  return members.find((member) => member.tensor === tensor)!.offset;
}

function rangeOf({ activities }: Group): LiveRange {
  return {
    first: activities.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY),
    end: activities.reduce((most, { end }) => Math.max(most, end), 0),
  };
}

/** What stays is alive at all steps, and so is every buffer that holds a state. */
function finished({ groups, states, ...rest }: Joined, steps: number, sizeRound: number): Stated {
  const whole = new Set(states.filter(({ how }) => how !== 'shared').map(({ tensor }) => tensor));
  const holders = new Set(states.map(({ tensor }) => tensor));
  const end = Math.max(1, steps);
  const buffers = groups.map((group): TensorBuffer => {
    if (!group.members.some(({ tensor }) => holders.has(tensor))) return bufferOf(group, sizeRound);
    const stay = group.members
      .filter(({ tensor }) => whole.has(tensor))
      .map(({ offset, bytes }): Activity => ({ first: 0, end, from: offset, to: offset + bytes }));
    return bufferOf(
      {
        ...group,
        kind: 'persistent',
        members: group.members.map((one) => (whole.has(one.tensor) ? { ...one, first: 0, end } : one)),
        activities: [...group.activities, ...stay],
      },
      sizeRound,
    );
  });
  return { buffers: { ...rest, buffers: buffers.sort((a, b) => a.first - b.first) }, states };
}
