/** A binary heap of numbers (usually indexes) with a given order. */

export interface Heap {
  readonly size: () => number;
  readonly push: (value: number) => void;
  /** The first value, or undefined when empty. */
  readonly peek: () => number | undefined;
  readonly pop: () => number | undefined;
}

/** `before(a, b)`: a leaves the heap before b. Make it a total order, or the answer depends on the heap's shape. */
export function createHeap(before: (a: number, b: number) => boolean): Heap {
  const items: number[] = [];
  const push = (value: number): void => {
    let at = items.push(value) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(value, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = value;
  };
  const pop = (): number | undefined => {
    const top = items[0];
    const value = items.pop();
    if (value === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++;
      if (!before(items[child]!, value)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = value;
    return top;
  };
  return { size: () => items.length, push, peek: () => items[0], pop };
}
