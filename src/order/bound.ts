/** A lower bound on the peak of every order: at each step, what must be in memory whenever it runs. */
import type { Prepared } from './prepare.ts';

/** More steps than this are bounded by what each one reads and writes alone: the full bound is quadratic. */
const MOST_STEPS = 4096;

/** No order has a smaller peak than this, in bytes. */
export function leastPeak(prepared: Prepared): number {
  return leastBytes(prepared).reduce((most, bytes) => Math.max(most, bytes), 0);
}

/**
 * By step: bytes that are needed while it runs, in whatever order. That is what it makes, less what it may write in
 * place, and each value whose producer runs before it and one of whose readers is the step or runs after it.
 */
export function leastBytes(prepared: Prepared): Float64Array {
  const { problem, count, made, overwrites } = prepared;
  const before = count > MOST_STEPS ? undefined : earlierSteps(prepared);
  const least = Float64Array.from(made, (bytes, step) => {
    const possible = overwrites[step]!.filter(({ over }) =>
      over.every((value) => mayDieAt(prepared, before, value, step)),
    );
    return problem.baseBytes + bytes - possible.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  });
  if (before === undefined) addOperands(prepared, least);
  else addNecessary(prepared, before, least);
  return least;
}

/** Sets of steps as bits, one row of words per step. */
interface Earlier {
  readonly words: number;
  readonly bits: Uint32Array;
  readonly has: (step: number, earlier: number) => boolean;
}

/** By step: all that run before it in every order. */
function earlierSteps({ problem, count }: Prepared): Earlier {
  const words = (count + 31) >>> 5;
  const bits = new Uint32Array(count * words);
  problem.steps.forEach(({ after }, step) => {
    for (const earlier of after) {
      for (let word = 0; word < words; word++) bits[step * words + word]! |= bits[earlier * words + word]!;
      bits[step * words + (earlier >>> 5)]! |= 1 << (earlier & 31);
    }
  });
  const has = (step: number, earlier: number): boolean =>
    (bits[step * words + (earlier >>> 5)]! & (1 << (earlier & 31))) !== 0;
  return { words, bits, has };
}

function mayDieAt({ problem }: Prepared, before: Earlier | undefined, value: number, step: number): boolean {
  const { survives, readers } = problem.values[value]!;
  return !survives && !readers.some((reader) => before?.has(reader, step));
}

function addOperands({ count, reads, bytes }: Prepared, least: Float64Array): void {
  for (let step = 0; step < count; step++) {
    for (let k = reads.start[step]!; k < reads.start[step + 1]!; k++) least[step]! += bytes[reads.items[k]!]!;
  }
}

function addNecessary({ problem, count }: Prepared, before: Earlier, least: Float64Array): void {
  const needed = new Uint32Array(before.words);
  for (const { bytes, producer, readers, survives } of problem.values) {
    needed.fill(survives ? 0xffffffff : 0);
    for (const reader of survives ? [] : readers) {
      const row = reader * before.words;
      for (let word = 0; word < before.words; word++) needed[word]! |= before.bits[row + word]!;
      needed[reader >>> 5]! |= 1 << (reader & 31);
    }
    for (let word = 0; word < before.words; word++) {
      for (let bits = needed[word]!; bits !== 0; bits &= bits - 1) {
        const step = (word << 5) + 31 - Math.clz32(bits & -bits);
        if (step < count && (producer < 0 || before.has(step, producer))) least[step]! += bytes;
      }
    }
  }
}
