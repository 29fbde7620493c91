/** Who shares an address with whom: the buffers that are live at one step, found by where they lie. */

interface Lying {
  readonly offset: number;
  readonly bytes: number;
}

export interface Addresses<B extends Lying> {
  readonly add: (buffer: B) => void;
  readonly remove: (buffer: B) => void;
  /** Those in the list that have an address of the buffer, whatever they hold of it. */
  readonly touching: (buffer: B) => readonly B[];
}

/**
 * For buffers of at least one byte. Those of like size stand in one list by rising offset: what begins further below a
 * buffer than twice the size of the list does not reach it.
 */
export function createAddresses<B extends Lying>(): Addresses<B> {
  const lists: B[][] = [];
  const listOf = ({ bytes }: Lying): B[] => (lists[Math.floor(Math.log2(bytes))] ??= []);
  return {
    add: (buffer) => {
      const list = listOf(buffer);
      list.splice(firstFrom(list, buffer.offset), 0, buffer);
    },
    remove: (buffer) => {
      const list = listOf(buffer);
      list.splice(list.indexOf(buffer, firstFrom(list, buffer.offset)), 1);
    },
    touching: ({ offset, bytes }) => {
      const found: B[] = [];
      lists.forEach((list, size) => {
        for (let at = firstFrom(list, offset - 2 ** (size + 1)); at < list.length; at++) {
          const other = list[at]!;
          if (other.offset >= offset + bytes) break;
          if (other.offset + other.bytes > offset) found.push(other);
        }
      });
      return found;
    },
  };
}

/** The place of the first buffer at the offset or behind it. */
function firstFrom(list: readonly Lying[], offset: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
