/** Says what a way to share costs: the live bytes of every place, free parts left out. */
import { roundUp } from '../planner/arithmetic.ts';
import { type Gap, gapsOf, type Tenant } from './gaps.ts';
import type { Scene } from './scene.ts';
import type { Sharing } from './sharing.ts';

/** The largest sum of live bytes, then at how many steps it is reached: smaller is better. */
export interface Cost {
  readonly peakBytes: number;
  readonly steps: number;
}

/** A place in memory with all tensors that ever lie in it, by index. */
export interface PlaceUse {
  readonly root: number;
  readonly first: number;
  readonly end: number;
  /** With what must stay unused behind it. */
  readonly bytes: number;
  readonly tensors: readonly number[];
  readonly gaps: readonly Gap[];
}

const NONE: readonly never[] = [];

/** The places in our own memory, in the order in which tensors of them come first. */
export function placeUses(scene: Scene, sharing: Sharing): readonly PlaceUse[] {
  const { sizes, external, options, lives } = scene;
  const places: { root: number; first: number; end: number; tensors: number[]; isCut: boolean }[] = [];
  const placeAt = new Int32Array(lives.ranges.length).fill(-1);
  lives.ranges.forEach((range, tensor) => {
    const root = sharing.root(tensor);
    if (range === undefined || external.has(root)) return;
    const isCut = sizes[tensor]!.bytes !== sizes[root]!.bytes;
    const place = places[placeAt[root]!];
    if (place === undefined) {
      const { first, end } = range;
      placeAt[root] = places.push({ root, first, end, tensors: [tensor], isCut }) - 1;
      return;
    }
    place.first = Math.min(place.first, range.first);
    place.end = Math.max(place.end, range.end);
    place.tensors.push(tensor);
    place.isCut ||= isCut;
  });
  const tenantOf = (tensor: number): Tenant => {
    return { ...lives.ranges[tensor]!, offset: sharing.offset(tensor), bytes: sizes[tensor]!.bytes };
  };
  return places.map(({ root, first, end, tensors, isCut }) => {
    const bytes = bufferBytes(scene, root);
    const gaps = isCut
      ? gapsOf({ first, end, bytes, tenants: tensors.map(tenantOf) }, sizes[root]!.bytes, options.slack ?? 0)
      : NONE;
    return { root, first, end, bytes, tensors, gaps };
  });
}

/** Live bytes of the places at each of `count` steps, summed up. */
export function costOf(places: readonly PlaceUse[], count: number): Cost {
  let [peakBytes, steps] = [0, 0];
  for (const live of liveBytes(places, count)) {
    if (live > peakBytes) [peakBytes, steps] = [live, 0];
    if (live === peakBytes) steps++;
  }
  return { peakBytes, steps };
}

/** By step, and 0 behind the last. */
function liveBytes(places: readonly PlaceUse[], count: number): Float64Array {
  const deltas = new Float64Array(count + 2);
  for (const { first, end, bytes, gaps } of places) {
    deltas[first]! += bytes;
    deltas[end]! -= bytes;
    for (const gap of gaps) {
      deltas[gap.first]! -= gap.to - gap.from;
      deltas[gap.end]! += gap.to - gap.from;
    }
  }
  let live = 0;
  return deltas.map((delta) => {
    live += delta;
    return live;
  });
}

/** The places without gaps that lower no peak: a packing of whole buffers is found and proved sooner. */
export function withoutIdleGaps(places: readonly PlaceUse[], count: number): readonly PlaceUse[] {
  const live = liveBytes(places, count);
  const peak = live.reduce((most, bytes) => Math.max(most, bytes), 0);
  return places.map((place) => {
    const { first, end, gaps } = place;
    if (gaps.length === 0) return place;
    const free = freeBytes(place);
    if (free.some((bytes, at) => bytes > 0 && live[first + at]! + bytes > peak)) return place;
    for (let step = first; step < end; step++) live[step]! += free[step - first]!;
    return { ...place, gaps: NONE };
  });
}

/** Bytes of a place that are free at each step of its life. */
function freeBytes({ first, end, gaps }: PlaceUse): Float64Array {
  const free = new Float64Array(end - first + 1);
  for (const gap of gaps) {
    free[gap.first - first]! += gap.to - gap.from;
    free[gap.end - first]! -= gap.to - gap.from;
  }
  for (let at = 1; at < free.length; at++) free[at]! += free[at - 1]!;
  return free;
}

export function isCheaper(a: Cost, b: Cost): boolean {
  return a.peakBytes < b.peakBytes || (a.peakBytes === b.peakBytes && a.steps < b.steps);
}

/** Bytes of the buffer of a tensor that owns its place: with what must stay unused behind it. */
export function bufferBytes({ sizes, options }: Scene, root: number): number {
  return roundUp(sizes[root]!.bytes + (options.slack ?? 0), options.sizeRound);
}
