/** Runs steps and takes them back, in any order, and knows the bytes that are needed at every moment. */
import type { Prepared, Rows } from './prepare.ts';

export type Direction = 'forward' | 'backward';

/**
 * A set of steps taken from one end of the order: from its beginning (forward) or from its end (backward). All
 * counts depend on the set alone, so a walk may go from any set to any other by taking and dropping what differs.
 */
export interface Walk {
  readonly prepared: Prepared;
  readonly direction: Direction;
  /** Bit s: step s is taken. */
  readonly taken: Uint32Array;
  readonly isTaken: (step: number) => boolean;
  /** How many are taken. */
  readonly size: () => number;
  /** How often a step was weighed or taken so far: the measure of effort. */
  readonly moves: () => number;
  /** Bytes needed between the steps that are taken and the others. */
  readonly live: () => number;
  /** It is not taken, and what must be taken before it is. */
  readonly isReady: (step: number) => boolean;
  /** The first such step from `from` on; -1: there is none. */
  readonly nextReady: (from: number) => number;
  /** A step that can only be taken after it is taken. */
  readonly isNeeded: (step: number) => boolean;
  /** By step: those that may become ready, or change `live` by less, when it is taken. */
  readonly near: Rows;
  /** Bytes needed while a ready step runs. */
  readonly during: (step: number) => number;
  /** By how many bytes taking a ready step changes `live`. */
  readonly change: (step: number) => number;
  readonly take: (step: number) => void;
  readonly drop: (step: number) => void;
  /** Goes to another set, given as bits from `at` on. */
  readonly goTo: (bits: Uint32Array, at: number) => void;
}

export function createWalk(prepared: Prepared, direction: Direction = 'forward'): Walk {
  const { problem, count, reads, writes, next, previous, bytes, survives, made, kept } = prepared;
  const forward = direction === 'forward';
  const [ahead, behind] = forward ? [next, previous] : [previous, next];
  const taken = new Uint32Array((count + 31) >>> 5);
  const ready = new Uint32Array(taken.length);
  const waiting = Int32Array.from({ length: count }, (_, s) => behind.start[s + 1]! - behind.start[s]!);
  /** By value: readers that have not run. */
  const left = Int32Array.from(problem.values, (value) => (forward ? value.readers.length : 0));
  /** By value: its producer has run. */
  const there = Uint8Array.from(problem.values, ({ producer }) => Number(producer < 0 || !forward));
  /** A value with so many readers left dies in the step asked about. */
  const dying = forward ? 1 : 0;
  let size = 0;
  let moves = 0;
  let live = problem.baseBytes;
  problem.values.forEach((value, index) => {
    if (there[index] === 1 && (value.survives || left[index]! > 0)) live += value.bytes;
  });
  for (let step = 0; step < count; step++) if (waiting[step] === 0) ready[step >>> 5]! |= 1 << (step & 31);

  /** What the step adds to `live` when it runs. */
  const gain = (step: number): number => {
    let delta = kept[step]!;
    for (let k = reads.start[step]!; k < reads.start[step + 1]!; k++) {
      const value = reads.items[k]!;
      if (left[value] === dying && survives[value] === 0) delta -= bytes[value]!;
    }
    return delta;
  };
  const change = (step: number): number => {
    moves++;
    return forward ? gain(step) : -gain(step);
  };
  const during = (step: number): number => {
    moves++;
    let saved = 0;
    for (const { over, bytes: less } of prepared.overwrites[step]!) {
      if (less > saved && over.every((v) => left[v] === dying && survives[v] === 0)) saved = less;
    }
    const first = forward ? size === 0 : size === count - 1;
    const before = forward ? live : live - gain(step);
    return before + made[step]! - saved + (first ? problem.startBytes : 0);
  };

  const run = (step: number): void => {
    for (let k = reads.start[step]!; k < reads.start[step + 1]!; k++) {
      const value = reads.items[k]!;
      if (--left[value]! === 0 && there[value] === 1 && survives[value] === 0) live -= bytes[value]!;
    }
    for (let k = writes.start[step]!; k < writes.start[step + 1]!; k++) {
      const value = writes.items[k]!;
      there[value] = 1;
      if (left[value]! > 0 || survives[value] === 1) live += bytes[value]!;
    }
  };
  const undo = (step: number): void => {
    for (let k = reads.start[step]!; k < reads.start[step + 1]!; k++) {
      const value = reads.items[k]!;
      if (left[value]!++ === 0 && there[value] === 1 && survives[value] === 0) live += bytes[value]!;
    }
    for (let k = writes.start[step]!; k < writes.start[step + 1]!; k++) {
      const value = writes.items[k]!;
      there[value] = 0;
      if (left[value]! > 0 || survives[value] === 1) live -= bytes[value]!;
    }
  };

  const isTaken = (step: number): boolean => (taken[step >>> 5]! & (1 << (step & 31))) !== 0;
  const isReady = (step: number): boolean => (ready[step >>> 5]! & (1 << (step & 31))) !== 0;
  const take = (step: number): void => {
    taken[step >>> 5]! |= 1 << (step & 31);
    ready[step >>> 5]! &= ~(1 << (step & 31));
    size++;
    moves++;
    if (forward) run(step);
    else undo(step);
    for (let k = ahead.start[step]!; k < ahead.start[step + 1]!; k++) {
      const other = ahead.items[k]!;
      if (--waiting[other]! === 0 && !isTaken(other)) ready[other >>> 5]! |= 1 << (other & 31);
    }
  };
  const drop = (step: number): void => {
    taken[step >>> 5]! &= ~(1 << (step & 31));
    if (waiting[step] === 0) ready[step >>> 5]! |= 1 << (step & 31);
    size--;
    if (forward) undo(step);
    else run(step);
    for (let k = ahead.start[step]!; k < ahead.start[step + 1]!; k++) {
      const other = ahead.items[k]!;
      if (waiting[other]!++ === 0) ready[other >>> 5]! &= ~(1 << (other & 31));
    }
  };

  const isNeeded = (step: number): boolean => {
    for (let k = ahead.start[step]!; k < ahead.start[step + 1]!; k++) {
      if (isTaken(ahead.items[k]!)) return true;
    }
    return false;
  };
  const nextReady = (from: number): number => {
    let word = from >>> 5;
    if (word >= ready.length) return -1;
    let bits = ready[word]! & (-1 << (from & 31));
    while (bits === 0) {
      if (++word >= ready.length) return -1;
      bits = ready[word]!;
    }
    return (word << 5) + 31 - Math.clz32(bits & -bits);
  };
  const goTo = (bits: Uint32Array, at: number): void => {
    for (let word = 0; word < taken.length; word++) {
      const target = bits[at + word]!;
      for (let gone = taken[word]! & ~target; gone !== 0; gone &= gone - 1) {
        drop((word << 5) + 31 - Math.clz32(gone & -gone));
      }
      for (let come = target & ~taken[word]!; come !== 0; come &= come - 1) {
        take((word << 5) + 31 - Math.clz32(come & -come));
      }
    }
  };

  return {
    ...{
      prepared,
      direction,
      taken,
      isTaken,
      isReady,
      nextReady,
      isNeeded,
      during,
      change,
      take,
      drop,
      goTo,
    },
    near: forward ? prepared.nearNext : prepared.nearPrevious,
    size: () => size,
    moves: () => moves,
    live: () => live,
  };
}

/** Bytes needed during each step of an order, in that order. */
export function profileOf(prepared: Prepared, order: readonly number[]): readonly number[] {
  const walk = createWalk(prepared);
  return order.map((step) => {
    const bytes = walk.during(step);
    walk.take(step);
    return bytes;
  });
}

/** The most bytes needed at one step of an order. */
export function peakOf(prepared: Prepared, order: readonly number[]): number {
  return highest(profileOf(prepared, order));
}

export function highest(bytes: readonly number[]): number {
  return bytes.reduce((most, more) => Math.max(most, more), 0);
}
