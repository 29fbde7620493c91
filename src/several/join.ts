/** Lays models one after another on one axis of steps, and joins what they hand over and hold. */

import { fail } from '../errors.ts';
import { bufferOf, type Group, joinGroups, suits, takenBy } from '../lifetime/group.ts';
import type { PlacedState } from '../lifetime/states.ts';
import type { JointBuffers, Member, TensorBuffer } from '../lifetime/types.ts';
import { type Axis, axisOf, type Stretch } from './axis.ts';
import type { LaidModel, Link, Sharing, TensorAt } from './types.ts';

export interface JoinOptions {
  readonly sizeRound: number;
  /** Names a tensor in messages. */
  readonly nameOf: (at: TensorAt) => string;
  /** Graph inputs and outputs in memory, by model. */
  readonly ports: readonly ReadonlySet<number>[];
}

/** A single model on its own: its steps are the axis. */
export function onItsOwn({ schedule, buffers }: LaidModel): JointBuffers {
  return { starts: [0], steps: schedule.steps.length, buffers: buffers.buffers, external: buffers.external };
}

/**
 * The buffers of all models with their ranges on the one axis, in the order of the models. A tensor that is held keeps
 * its bytes while other models of its part run; where their order is open, from the part's first step on, with a gap
 * from the start of its own model until it is made anew. A tensor that is handed over and the input that receives it
 * are in one buffer. Throws E_RULE for links that alignment forbids.
 */
export function joinModels(
  models: readonly LaidModel[],
  sharing: Sharing,
  options: JoinOptions,
): JointBuffers {
  const axis = axisOf(models, sharing.parts);
  const stayOf = stays(models, axis, sharing, options.ports);
  const groups: (Group | undefined)[] = [];
  const groupOf = new Map<string, number>();
  models.forEach(({ buffers }, model) => {
    const before = groups.length;
    for (const buffer of buffers.buffers) {
      for (const { tensor } of buffer.members) groupOf.set(key({ model, tensor }), groups.length);
      groups.push(groupOfBuffer(buffer, model, before, axis, stayOf));
    }
  });
  const external = models.flatMap(({ buffers }, model) =>
    buffers.external.map((member): Member => {
      const { range } = stayOf({ model, tensor: member.tensor }, shifted(member, axis.starts[model]!));
      return { ...member, model, ...range };
    }),
  );
  for (const link of sharing.links) hand(link, groups, groupOf, options);
  return {
    starts: axis.starts,
    steps: axis.steps,
    buffers: finished(groups, options.sizeRound),
    external,
  };
}

function key({ model, tensor }: TensorAt): string {
  return `${model}:${tensor}`;
}

function shifted({ first, end }: Stretch, by: number): Stretch {
  return { first: first + by, end: end + by };
}

/** `before`: how many groups precede those of the model. */
function groupOfBuffer(
  buffer: TensorBuffer,
  model: number,
  before: number,
  axis: Axis,
  stayOf: (at: TensorAt, range: Stretch) => Stay,
): Group {
  const by = axis.starts[model]!;
  const stays = buffer.members.map((member) => stayOf({ model, tensor: member.tensor }, shifted(member, by)));
  return {
    id: `${model}:${buffer.id}`,
    kind: buffer.kind,
    alignment: buffer.alignment,
    members: buffer.members.map((member, i) => ({ ...member, model, ...stays[i]!.range })),
    activities: [
      ...takenBy(buffer).map((one) => ({ ...one, ...shifted(one, by) })),
      ...buffer.members.flatMap(({ offset, bytes }, i) =>
        stays[i]!.besides.map((span) => ({ ...span, from: offset, to: offset + bytes })),
      ),
    ],
    mayOverlap: buffer.mayOverlap?.map((one) => ({ ...one, buffer: one.buffer + before })),
  };
}

/** How long a tensor lives, and when besides its life in its own model its bytes are taken. */
interface Stay {
  readonly range: Stretch;
  readonly besides: readonly Stretch[];
}

/** A state is there at all steps; `range`: when its own model needs it, if not always. */
function atAllSteps(axis: Axis, model: number, range: Stretch | undefined): Stay {
  const own = axis.model(model);
  const besides = [
    { first: 0, end: own.first },
    { first: own.end, end: axis.steps },
  ];
  return {
    range: range ?? { first: 0, end: axis.steps },
    besides: besides.filter((span) => span.first < span.end),
  };
}

/** How each state is kept; of a shared place the new value stands for both. */
function statesIn(models: readonly LaidModel[]): ReadonlyMap<string, PlacedState['how']> {
  return new Map(
    models.flatMap(({ states = [] }, model) =>
      states.map(({ tensor, from, how }) => {
        return [key({ model, tensor: how === 'shared' ? from! : tensor }), how] as const;
      }),
    ),
  );
}

function stays(models: readonly LaidModel[], axis: Axis, sharing: Sharing, ports: JoinOptions['ports']) {
  const states = statesIn(models);
  const held = new Set(sharing.holds.map(key));
  const sequences = new Set(
    sharing.parts.filter(({ order }) => order === 'sequence').flatMap((part) => part.models),
  );
  const handedAt = new Map<string, number>();
  for (const { from, to } of sharing.links) {
    const start = axis.starts[to.model]!;
    handedAt.set(key(from), Math.max(handedAt.get(key(from)) ?? 0, start));
  }
  return (at: TensorAt, range: Stretch): Stay => {
    const state = states.get(key(at));
    if (state !== undefined) return atAllSteps(axis, at.model, state === 'shared' ? range : undefined);
    const [own, part] = [axis.model(at.model), axis.part(at.model)];
    const always = sharing.asyncIo && ports[at.model]!.has(at.tensor);
    // Models before it on the axis may also run after it.
    const anyOrder = held.has(key(at)) && !sequences.has(at.model) && own.first > part.first;
    const end = always || held.has(key(at)) ? part.end : Math.max(range.end, handedAt.get(key(at)) ?? 0);
    // Its own model makes it anew: what it held before its birth is free from the model's first step on.
    const first = always || anyOrder ? part.first : range.first;
    const besides = [
      { first, end: Math.min(own.first, range.first) },
      { first: range.end, end },
    ];
    return { range: { first, end }, besides: besides.filter((span) => span.first < span.end) };
  };
}

/** Puts the input that receives a tensor on its bytes. */
function hand(
  { from, to }: Link,
  groups: (Group | undefined)[],
  groupOf: Map<string, number>,
  { nameOf }: JoinOptions,
): void {
  const [a, b] = [groupOf.get(key(from))!, groupOf.get(key(to))!];
  if (a === b) return;
  const memberOf = (group: number, at: TensorAt) =>
    groups[group]!.members.find(({ model, tensor }) => model === at.model && tensor === at.tensor)!;
  const shift = memberOf(a, from).offset - memberOf(b, to).offset;
  if (!suits(groups[a]!, groups[b]!, shift)) {
    const text = `--link ${nameOf(from)}=${nameOf(to)}: the one begins ${Math.abs(shift)} bytes into the buffer of the other, which its alignment forbids.`;
    fail('E_RULE', text, { hint: '--no-views and --no-elide give tensors buffers of their own.' });
  }
  const joined = joinGroups(groups[a]!, groups[b]!, shift);
  const [kept, gone] = a < b ? [a, b] : [b, a];
  groups[kept] = joined;
  groups[gone] = undefined;
  for (const { model, tensor } of joined.members) groupOf.set(key({ model, tensor }), kept);
}

/** Overlaps name buffers by their new places; those with a buffer that was joined are given up. */
function finished(groups: readonly (Group | undefined)[], sizeRound: number): readonly TensorBuffer[] {
  const places = new Map<number, number>();
  groups.forEach((group, index) => {
    if (group !== undefined) places.set(index, places.size);
  });
  const joined = new Set(
    groups.filter(
      (group) => group !== undefined && new Set(group.members.map(({ model }) => model)).size > 1,
    ),
  );
  return groups.flatMap((group) => {
    if (group === undefined) return [];
    const mayOverlap = group.mayOverlap?.flatMap(({ buffer, distance }) => {
      const place = places.get(buffer);
      return place === undefined || joined.has(groups[buffer]) ? [] : [{ buffer: place, distance }];
    });
    return [bufferOf({ ...group, mayOverlap }, sizeRound)];
  });
}
