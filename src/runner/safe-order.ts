/** Copies from place to place in an order in which none is written over before it has been read. */

/** Bytes of a memory. */
export interface Bytes {
  readonly memory: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The copies, each behind those that read what it writes over; undefined where they wait for each other in a ring.
 * `source`: undefined for a constant. The targets have no byte in common. O(n log n), and as many steps as bytes are
 * read that another copy writes over.
 */
export function inSafeOrder<T extends { readonly source: Bytes | undefined; readonly target: Bytes }>(
  copies: readonly T[],
): readonly T[] | undefined {
  const targets = copies.map(({ target }, copy) => ({ ...target, copy })).sort(byPlace);
  /** By copy: how many others have yet to read what it writes over, and which wait for it. */
  const waits = new Array<number>(copies.length).fill(0);
  const waiting = copies.map((): number[] => []);
  copies.forEach(({ source }, reader) => {
    if (source === undefined) return;
    for (let at = firstBehind(targets, source); at < targets.length; at++) {
      const { memory, from, copy } = targets[at]!;
      if (memory !== source.memory || from >= source.to) break;
      if (copy === reader) continue;
      waits[copy]!++;
      waiting[reader]!.push(copy);
    }
  });
  const order = [...copies.keys()].filter((copy) => waits[copy] === 0);
  for (let done = 0; done < order.length; done++) {
    for (const copy of waiting[order[done]!]!) {
      waits[copy]!--;
      if (waits[copy] === 0) order.push(copy);
    }
  }
  return order.length === copies.length ? order.map((copy) => copies[copy]!) : undefined;
}

function byPlace(a: Bytes, b: Bytes): number {
  if (a.memory !== b.memory) return a.memory < b.memory ? -1 : 1;
  return a.from - b.from;
}

/** The first target that ends behind the beginning of these bytes. */
function firstBehind(targets: readonly Bytes[], { memory, from }: Bytes): number {
  let [low, high] = [0, targets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const target = targets[middle]!;
    const isBefore = target.memory === memory ? target.to <= from : target.memory < memory;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
