import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/graph/types.ts';
import { type AttributeSketch, float, type NodeSketch, run, texts, vector } from '../support/op.ts';

const scales = (...values: number[]) => vector('float32', ...values.map(Math.fround));
const sizes = (...values: number[]) => vector('int64', ...values);

function resize(x: Fact, operands: readonly (Fact | undefined)[], attributes = {}, opset = 19): NodeSketch {
  return { op: 'Resize', opset, inputs: [x, ...operands], attributes };
}

/** Every case was run in onnxruntime 1.30; the arithmetic is in the comments of the rule. */
const shapes: readonly [string, NodeSketch, string][] = [
  ['10 * 0.7f is 7 in float32', resize(float(1, 1, 10), [undefined, scales(1, 1, 0.7)]), '1,1,7'],
  ['opset 10 has scales second', resize(float(1, 1, 10), [scales(1, 1, 0.7)], {}, 10), '1,1,7'],
  ['3000 * 0.1f', resize(float(1, 1, 3000), [undefined, scales(1, 1, 0.1)]), '1,1,300'],
  ['down to nothing', resize(float(1, 1, 1), [undefined, scales(1, 1, 0.5)]), '1,1,0'],
  ['sizes', resize(float(1, 1, 10), [undefined, undefined, sizes(1, 1, 5)]), '1,1,5'],
  [
    'an empty tensor means absent',
    resize(float(1, 1, 10), [scales(), scales(), sizes(1, 1, 5)], {}, 11),
    '1,1,5',
  ],
  ['some axes', resize(float(1, 3, 7, 9), [undefined, undefined, sizes(4, 5)], { axes: [-1, 2] }), '1,3,5,4'],
  [
    'not larger: both by min(10/7, 10/9)',
    resize(float(1, 1, 7, 9), [undefined, undefined, sizes(10, 10)], {
      axes: [2, 3],
      keep_aspect_ratio_policy: 'not_larger',
    }),
    '1,1,8,10',
  ],
  [
    'not larger, halves go up: 5 * 0.5',
    resize(float(1, 1, 5, 4), [undefined, undefined, sizes(5, 2)], {
      axes: [2, 3],
      keep_aspect_ratio_policy: 'not_larger',
    }),
    '1,1,3,2',
  ],
  [
    'not smaller: both by max(10/7, 12/9)',
    resize(float(1, 1, 7, 9), [undefined, undefined, sizes(10, 12)], {
      axes: [2, 3],
      keep_aspect_ratio_policy: 'not_smaller',
    }),
    '1,1,10,13',
  ],
  [
    'symbols times a whole scale',
    resize(float(1, 3, 'h', 'w'), [undefined, scales(1, 1, 2, 0.5)]),
    '1,3,2*h,floor(w/2)',
  ],
  ['symbols times 0.7', resize(float(1, 1, 'h'), [undefined, scales(1, 1, 0.7)]), '1,1,?0'],
  ['scales that are not constant', resize(float(1, 1, 4), [undefined, float(3)]), '?0,?1,?2'],
  ['Upsample of 9', { op: 'Upsample', opset: 9, inputs: [float(1, 1, 10), scales(1, 1, 1.7)] }, '1,1,17'],
  [
    'Upsample of 1',
    {
      op: 'Upsample',
      opset: 1,
      inputs: [float(1, 3, 4, 5)],
      attributes: { height_scale: { float: 2 }, width_scale: { float: 3 } } satisfies Record<
        string,
        AttributeSketch
      >,
    },
    '1,3,8,15',
  ],
];

describe('shapes', () => {
  it.each(shapes)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([`float32[${expected}]`]);
  });

  it('of Upsample 7, with the scales as attribute', () => {
    const attributes = { scales: { kind: 'floats', value: [1, 1, 2.5] } } as const;
    expect(texts({ op: 'Upsample', opset: 7, inputs: [float(1, 1, 5)], attributes })).toEqual([
      'float32[1,1,12]',
    ]);
  });
});

it('says that a region of interest changes no size', () => {
  const region = scales(0, 0, 0.4, 1, 1, 0.6);
  const crop = { coordinate_transformation_mode: 'tf_crop_and_resize' };
  const { facts, notes } = run(resize(float(1, 1, 10), [region, scales(1, 1, 4)], crop));
  expect(facts[0]?.shape).toEqual([1, 1, 40]);
  expect(notes).toHaveLength(1);
  expect(run(resize(float(1, 1, 10), [scales(0, 0, 0, 1, 1, 1), scales(1, 1, 4)], crop)).notes).toEqual([]);
});

describe('refuses', () => {
  const faults: readonly [string, NodeSketch, RegExp][] = [
    ['neither scales nor sizes', resize(float(1, 1, 4), []), /neither/],
    ['scales of another rank', resize(float(1, 1, 4), [undefined, scales(2)]), /1 elements, but 3/],
    ['a scale of 0', resize(float(4), [undefined, scales(0)]), /scale is 0/],
    ['a scale that is no number', resize(float(4), [undefined, scales(Number.NaN)]), /NaN/],
    [
      'an unknown policy',
      resize(float(4), [undefined, undefined, sizes(4)], { keep_aspect_ratio_policy: 'x' }),
      /policy/,
    ],
  ];
  it.each(faults)('%s', (_, sketch, message) => {
    expect(() => texts(sketch)).toThrow(message);
  });
});
