/** Values that are kept from run to run: which share one place, which are copied after a run. */

import { fail } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import { lcm } from '../planner/arithmetic.ts';
import { buildBuffers } from './buffers.ts';
import { type Activity, bufferOf, type Group, groupOf, joinGroups, suits } from './group.ts';
import type { Buffers, LifetimeOptions, LiveRange, Schedule, State, TensorBuffer } from './types.ts';

export interface PlacedState extends State {
  /**
   * `shared`: both lie in one place, so the next run finds what this one made; `copied`: a copy after each run brings
   * it there; `kept`: the bytes just stay.
   */
  readonly how: 'shared' | 'copied' | 'kept';
  /** Bytes from one place to the next, where there are several. */
  readonly stride?: number;
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
    const placed = joined(buffers, states, keep, graph);
    const apart = placed.states.filter(({ tensor, how }) => how === 'copied' && !keep.has(tensor));
    if (apart.length === 0) {
      const { declined, sharing } = buffers;
      return finished({ ...placed, declined, sharing }, schedule.steps.length, options.sizeRound);
    }
    // The old value has to last: nothing may be written over it.
    for (const { tensor } of apart) keep.add(tensor);
  }
}

interface Joined extends Omit<Buffers, 'buffers'> {
  readonly groups: readonly Group[];
  readonly states: readonly PlacedState[];
}

function joined(
  { buffers, external }: Buffers,
  states: readonly State[],
  keep: ReadonlySet<number>,
  graph: TypedGraph,
): Omit<Joined, 'declined' | 'sharing'> {
  const nameOf = (tensor: number) => graph.tensors[tensor]!.name;
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
  const placed = states.map(({ tensor, from, places, line = 1 }): PlacedState => {
    const old = find(tensor);
    if (places !== undefined) {
      const group = groups[old]!;
      refuseOutputs(graph, group, tensor);
      const stride = strideOf(group, line);
      groups[old] = { ...group, alignment: lcm(group.alignment, line) };
      return { tensor, from: undefined, how: 'kept', places, stride };
    }
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

/** The place of an output must not move from run to run. */
function refuseOutputs({ outputs, tensors }: TypedGraph, { members }: Group, input: number): void {
  const shown = members.find(({ tensor }) => outputs.includes(tensor));
  if (shown === undefined) return;
  const { name } = tensors[input]!;
  fail('E_RULE', `--buffers ${name}: the output ${tensors[shown.tensor]!.name} shows its bytes.`, {
    tensor: name,
    hint: 'Leave out --buffers, or add --no-views.',
  });
}

/** All that shares bytes with an input comes again in each of its places. */
function strideOf({ members, alignment }: Group, line: number): number {
  const bytes = members.reduce((most, { offset, bytes: own }) => Math.max(most, offset + own), 0);
  const step = lcm(alignment, line);
  return Math.ceil(bytes / step) * step;
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
      .map(({ tensor, offset, bytes }): Activity => {
        const { places = 1, stride = bytes } = states.find((state) => state.tensor === tensor)!;
        return { first: 0, end, from: offset, to: offset + (places === 1 ? bytes : places * stride) };
      });
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
