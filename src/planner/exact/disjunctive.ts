/** Exact search for any pair rule: gaps with room inside, overlaps that reach below their partner. Slower, simpler. */
import { gcd } from '../arithmetic.ts';
import type { Prepared } from '../prepare.ts';
import { neverStopped, type Stopper } from '../stopper.ts';
import type { Decider } from './decide.ts';
import type { Verdict } from './search.ts';

/**
 * A branch says for one pair on which side of a forbidden stretch of distances it lies: offset(to) >= offset(from) +
 * distance. Under such rules alone there is one lowest plan (alignment only rounds it up); the search looks for a pair
 * that this plan breaks, and takes one side and then the other. When no pair is broken the lowest plan is a plan.
 * All lengths are in units of `scale`.
 */
interface Model {
  readonly count: number;
  readonly scale: number;
  readonly size: Float64Array;
  readonly alignment: Float64Array;
  readonly pin: Float64Array;
  /** Pair k: offset(right) - offset(left) may not lie strictly between low and high. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

interface Domains {
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** Rules taken so far. */
  readonly from: number[];
  readonly to: number[];
  readonly distance: number[];
  /** Old bounds: buffer, and count + buffer for `most`. */
  readonly trailKey: number[];
  readonly trailOld: number[];
}

/** The parts' common sizes and the decision procedure over them. */
export function createDisjunctive(
  prepared: Prepared,
  ids: Int32Array,
  interrupted: Stopper = neverStopped,
): { readonly sizes: Pick<Model, 'count' | 'scale' | 'size'>; readonly decider: Decider } {
  const model = buildModel(prepared, ids);
  const decide: Decider['decide'] = (capacityBytes, budget) => {
    const search = run(model, Math.floor(capacityBytes / model.scale), budget, interrupted);
    return {
      verdict: search.verdict,
      offsets: search.verdict === 'found' ? search.least.map((offset) => offset * model.scale) : undefined,
      nodes: search.nodes,
    };
  };
  return { sizes: model, decider: { decide } };
}

function buildModel(prepared: Prepared, ids: Int32Array): Model {
  const neighbours = prepared.neighbours();
  const local = new Int32Array(prepared.count).fill(-1);
  ids.forEach((id, i) => {
    local[id] = i;
  });
  const pairs: [left: number, right: number, low: number, high: number][] = [];
  let scale = 0;
  ids.forEach((id, right) => {
    scale = gcd(scale, prepared.bytes[id]!);
    if (prepared.alignment[id]! > 1) scale = gcd(scale, prepared.alignment[id]!);
    if (prepared.pin[id]! >= 0) scale = gcd(scale, prepared.pin[id]!);
    for (let k = neighbours.start[id]!; k < neighbours.start[id + 1]!; k++) {
      const left = local[neighbours.other[k]!]!;
      if (left < 0 || left > right) continue;
      pairs.push([left, right, neighbours.low[k]!, neighbours.high[k]!]);
      scale = gcd(gcd(scale, Math.abs(neighbours.low[k]!)), Math.abs(neighbours.high[k]!));
    }
  });
  const scaled = (array: Float64Array): Float64Array => Float64Array.from(ids, (id) => array[id]! / scale);
  return {
    count: ids.length,
    scale,
    size: scaled(prepared.bytes),
    alignment: scaled(prepared.alignment).map((step) => Math.max(1, step)),
    pin: scaled(prepared.pin),
    left: Int32Array.from(pairs, (pair) => pair[0]),
    right: Int32Array.from(pairs, (pair) => pair[1]),
    low: Float64Array.from(pairs, (pair) => pair[2] / scale),
    high: Float64Array.from(pairs, (pair) => pair[3] / scale),
  };
}

function run(
  model: Model,
  capacity: number,
  budget: number,
  interrupted: Stopper,
): { verdict: Verdict; least: Float64Array; nodes: number } {
  const { count, size, alignment, pin } = model;
  const least = Float64Array.from(pin, (p) => Math.max(0, p));
  const most = Float64Array.from(size, (bytes, i) => {
    if (pin[i]! >= 0) return pin[i]! + bytes <= capacity ? pin[i]! : -1;
    const room = capacity - bytes;
    return room - (room % alignment[i]!);
  });
  const domains: Domains = { least, most, from: [], to: [], distance: [], trailKey: [], trailOld: [] };
  let nodes = 0;
  let stopped = false;

  function solve(): boolean {
    if (++nodes > budget || interrupted()) stopped = true;
    if (stopped) return false;
    const pair = brokenPair(model, domains);
    if (pair < 0) return true;
    const [i, j] = [model.left[pair]!, model.right[pair]!];
    // The side that moves its buffer less is tried first.
    const up = least[i]! + model.high[pair]! - least[j]!;
    const down = least[j]! - model.low[pair]! - least[i]!;
    const sides = [
      [i, j, model.high[pair]!],
      [j, i, -model.low[pair]!],
    ] as const;
    for (const [from, to, distance] of up <= down ? sides : [sides[1], sides[0]]) {
      const mark = domains.trailKey.length;
      domains.from.push(from);
      domains.to.push(to);
      domains.distance.push(distance);
      if (propagate(model, domains) && solve()) return true;
      domains.from.pop();
      domains.to.pop();
      domains.distance.pop();
      undo(domains, mark, count);
    }
    return false;
  }

  for (let i = 0; i < count; i++) if (least[i]! > most[i]!) return { verdict: 'refuted', least, nodes };
  const found = solve();
  return { verdict: found ? 'found' : stopped ? 'unknown' : 'refuted', least, nodes };
}

/** A pair that the lowest plan breaks, best one with a single side left, else one of the largest; -1: none. */
function brokenPair(model: Model, domains: Domains): number {
  const { left, right, low, high, size } = model;
  const { least, most } = domains;
  let best = -1;
  let weight = -1;
  for (let k = 0; k < left.length; k++) {
    const [i, j] = [left[k]!, right[k]!];
    const distance = least[j]! - least[i]!;
    if (distance <= low[k]! || distance >= high[k]!) continue;
    if (least[i]! + high[k]! > most[j]! || least[j]! - low[k]! > most[i]!) return k;
    if (size[i]! + size[j]! <= weight) continue;
    weight = size[i]! + size[j]!;
    best = k;
  }
  return best;
}

/** Tightens least and most under the rules until nothing moves. False: some buffer has no place left. */
function propagate(model: Model, domains: Domains): boolean {
  const { alignment, count } = model;
  const { least, most, from, to, distance } = domains;
  for (let moved = true; moved; ) {
    moved = false;
    for (let k = 0; k < from.length; k++) {
      const [a, b] = [from[k]!, to[k]!];
      const up = least[a]! + distance[k]!;
      if (up > least[b]!) {
        const step = alignment[b]!;
        set(domains.least, b, Math.ceil(up / step) * step, b, domains);
        moved = true;
      }
      const down = most[b]! - distance[k]!;
      if (down < most[a]!) {
        const step = alignment[a]!;
        set(domains.most, a, Math.floor(down / step) * step, count + a, domains);
        moved = true;
      }
      if (least[a]! > most[a]! || least[b]! > most[b]!) return false;
    }
  }
  return true;
}

function set(bounds: Float64Array, i: number, value: number, key: number, domains: Domains): void {
  domains.trailKey.push(key);
  domains.trailOld.push(bounds[i]!);
  bounds[i] = value;
}

function undo(domains: Domains, mark: number, count: number): void {
  while (domains.trailKey.length > mark) {
    const key = domains.trailKey.pop()!;
    const old = domains.trailOld.pop()!;
    if (key < count) domains.least[key] = old;
    else domains.most[key - count] = old;
  }
}
