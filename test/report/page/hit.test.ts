/** Pointing at boxes and walking between them, without a browser. */
import { expect, test } from 'vitest';
import type { PageBox } from '../../../src/report/page/data.ts';
import { boxAt, matches, neighbour } from '../../../src/report/page/hit.ts';

function box(
  id: number,
  first: number,
  end: number,
  offset: number,
  bytes: number,
  name = `t${id}`,
): PageBox {
  const tensor = {
    name,
    type: 'int8 [4]',
    offset,
    bytes,
    first,
    end,
    how: '',
    stays: '',
    writer: first,
    readers: [],
  };
  return {
    ...{ id, name, region: 0, look: 'conv', first, end, offset, bytes },
    ...{ alignment: 1, why: '', restsOn: [], tensors: [tensor] },
  };
}

//  200 |      ccc
//  100 | bbbbbb
//    0 | aaaaaaaaad     steps 0 to 9, d is one step wide
const A = box(0, 0, 9, 0, 100);
const B = box(1, 0, 6, 100, 100);
const C = box(2, 5, 8, 200, 50);
const D = box(3, 9, 10, 0, 1, 'deep/Name');
const BOXES = [A, B, C, D];
const SLACK = { steps: 0.2, bytes: 5 };

test.each([
  ['inside', 3, 50, A],
  ['inside the upper', 3, 150, B],
  ['just above, within the slack', 3, 203, B],
  ['too far above', 3, 206, undefined],
  ['above a flat box', 9.5, 4, D],
  ['right of it, within the slack', 8.1, 220, C],
  ['between two, nearer to the second', 9.1, 2, D],
  ['nowhere', 8.5, 150, undefined],
])('a pointer %s', (_, step, byte, wanted) => {
  expect(boxAt(BOXES, step, byte, SLACK)?.id).toBe(wanted?.id);
});

test('of boxes one over the other the smallest is meant', () => {
  const small = box(4, 2, 3, 10, 10);
  expect(boxAt([A, small], 2.5, 15, SLACK)).toBe(small);
  expect(boxAt([small, A], 2.5, 15, SLACK)).toBe(small);
});

test.each([
  [A, 'next', B],
  [D, 'next', undefined],
  [B, 'previous', A],
  [A, 'previous', undefined],
  [A, 'above', B],
  [B, 'above', C],
  [C, 'above', undefined],
  [C, 'below', B],
  [B, 'below', A],
  [D, 'above', undefined],
] as const)('from %o to the %s', (from, direction, wanted) => {
  expect(neighbour(BOXES, from, direction)?.id).toBe(wanted?.id);
});

test('search looks at names, types, nodes and operators, whatever the case', () => {
  const nodeOf = (step: number) => (step === 5 ? 'conv_5 Conv' : 'other Relu');
  const found = (text: string) => matches(BOXES, nodeOf, text).map(({ id }) => id);
  expect(found('CONV')).toEqual([2]);
  expect(found(' deep/name ')).toEqual([3]);
  expect(found('int8')).toEqual([0, 1, 2, 3]);
  expect(found('relu')).toEqual([0, 1, 3]);
  expect(found('nothing')).toEqual([]);
});
