import { describe, expect, it } from 'vitest';
import { createFreeList } from '../../src/planner/free-list.ts';
import { seededRandom } from '../../src/planner/random.ts';

/** The same list as one flag per byte. */
function modelList(size: number): {
  gaps: () => [number, number][];
  set: (offset: number, bytes: number, free: boolean) => void;
} {
  const free = new Array<boolean>(size).fill(true);
  const gaps = (): [number, number][] => {
    const found: [number, number][] = [];
    for (let at = 0; at < size; at++) {
      if (!free[at]) continue;
      if (at > 0 && free[at - 1]) found.at(-1)![1]++;
      else found.push([at, 1]);
    }
    return found;
  };
  return { gaps, set: (offset, bytes, value) => void free.fill(value, offset, offset + bytes) };
}

describe('the free list', () => {
  it('takes what one flag per byte says, through thousands of changes', () => {
    const random = seededRandom(5);
    const size = 3000;
    const list = createFreeList(0, size);
    const model = modelList(size);
    const taken: [number, number][] = [];
    for (let turn = 0; turn < 3000; turn++) {
      if (random() < 0.45 && taken.length > 0) {
        const [[offset, bytes]] = taken.splice(Math.floor(random() * taken.length), 1) as [[number, number]];
        list.give(offset, bytes);
        model.set(offset, bytes, true);
        continue;
      }
      const bytes = 1 + Math.floor(random() * 8);
      const alignment = 1 + Math.floor(random() * 4);
      const up = (start: number): number => Math.ceil(start / alignment) * alignment;
      const fitting = model.gaps().filter(([start, length]) => up(start) + bytes <= start + length);
      const kind = Math.floor(random() * 3);
      const last = (gap: [number, number]): number =>
        Math.floor((gap[0] + gap[1] - bytes) / alignment) * alignment;
      const smallest = Math.min(...fitting.map((gap) => gap[1]));
      const expected =
        fitting.length === 0
          ? -1
          : kind === 0
            ? up(fitting[0]![0])
            : kind === 1
              ? last(fitting.at(-1)!)
              : up(fitting.find((gap) => gap[1] === smallest)![0]);
      const take = [list.takeLowest, list.takeHighest, list.takeBest][kind]!;
      expect(take(bytes, alignment), `turn ${turn}`).toBe(expected);
      if (expected < 0) continue;
      model.set(expected, bytes, false);
      taken.push([expected, bytes]);
    }
  });

  it('grows without end where its upper end is Infinity', () => {
    const list = createFreeList(0, Number.POSITIVE_INFINITY);
    expect([list.takeLowest(5, 1), list.takeLowest(5, 8), list.takeLowest(3, 1)]).toEqual([0, 8, 5]);
  });

  it('starts empty when nothing is free', () => {
    const list = createFreeList(0, 0);
    expect(list.takeBest(1, 1)).toBe(-1);
    list.give(4, 4);
    expect(list.takeBest(4, 4)).toBe(4);
  });
});
