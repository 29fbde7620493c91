/** Turns a problem round: what each step reads, writes and releases, as flat arrays for the inner loops. */
import type { OrderProblem, Overwrite } from './types.ts';

/** Lists of numbers, one per row: row i is `items[start[i] .. start[i + 1])`. */
export interface Rows {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

export interface Prepared {
  readonly problem: OrderProblem;
  readonly count: number;
  /** By step: values. */
  readonly reads: Rows;
  readonly writes: Rows;
  /** By step: the steps that wait for it, and those it waits for. */
  readonly next: Rows;
  readonly previous: Rows;
  /** By step: `next` or `previous`, and the steps that read what it reads; the first of them if they are many. */
  readonly nearNext: Rows;
  readonly nearPrevious: Rows;
  /** By value. */
  readonly bytes: Float64Array;
  readonly survives: Uint8Array;
  /** By step: bytes of all it makes, with the extra bytes; and of what is still needed afterwards. */
  readonly made: Float64Array;
  readonly kept: Float64Array;
  readonly overwrites: readonly (readonly Overwrite[])[];
}

/** Steps that share a value are near each other, unless more than this many share it. */
const MOST_SHARING = 16;
/** Steps near one step, at most. */
const MOST_NEAR = 64;

export function prepare(problem: OrderProblem): Prepared {
  const { steps, values } = problem;
  const reads: number[][] = steps.map(() => []);
  const writes: number[][] = steps.map(() => []);
  const next: number[][] = steps.map(() => []);
  const made = Float64Array.from(steps, ({ extraBytes }) => extraBytes);
  const kept = new Float64Array(steps.length);
  steps.forEach(({ after }, step) => {
    for (const before of after) next[before]!.push(step);
  });
  values.forEach(({ bytes, producer, readers, survives }, value) => {
    for (const step of readers) reads[step]!.push(value);
    if (producer < 0) return;
    writes[producer]!.push(value);
    made[producer]! += bytes;
    if (survives || readers.length > 0) kept[producer]! += bytes;
  });
  const previous = steps.map(({ after }) => after);
  const sharing = reads.map((read, step) => {
    const few = read.filter((value) => values[value]!.readers.length <= MOST_SHARING);
    return few.flatMap((value) => values[value]!.readers.filter((reader) => reader !== step));
  });
  const near = (others: readonly (readonly number[])[]): Rows =>
    rowsOf(others.map((list, step) => [...new Set([...list, ...sharing[step]!])].slice(0, MOST_NEAR)));
  return {
    problem,
    count: steps.length,
    reads: rowsOf(reads),
    writes: rowsOf(writes),
    next: rowsOf(next),
    previous: rowsOf(previous),
    nearNext: near(next),
    nearPrevious: near(previous),
    bytes: Float64Array.from(values, ({ bytes }) => bytes),
    survives: Uint8Array.from(values, ({ survives }) => Number(survives)),
    made,
    kept,
    overwrites: steps.map(({ overwrites }) => overwrites),
  };
}

function rowsOf(lists: readonly (readonly number[])[]): Rows {
  const start = new Int32Array(lists.length + 1);
  lists.forEach((list, row) => {
    start[row + 1] = start[row]! + list.length;
  });
  const items = new Int32Array(start[lists.length]!);
  lists.forEach((list, row) => {
    items.set(list, start[row]!);
  });
  return { start, items };
}

export function row({ start, items }: Rows, index: number): Int32Array {
  return items.subarray(start[index]!, start[index + 1]!);
}
