/** Sequences and optionals: no size of their own, but what is taken out of them has one. */
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/graph/types.ts';
import { factTexts } from '../support/infer.ts';
import { graph, node, tensor } from '../support/onnx.ts';
import { float, type NodeSketch, run, scalar, texts, typed, vector } from '../support/op.ts';

const a = float(2, 3);
const b = float(4, 3);
const sequence: Fact = { type: 'float32', shape: undefined, container: 'sequence', elements: [a, b] };
const unknown: Fact = { type: 'float32', shape: [2, 3], container: 'sequence' };
const at = (position: number) => scalar('int64', position);

/** `[2,3] [4,3]` for a sequence of known length, `?` of what is not known. */
function held(sketch: NodeSketch): string {
  const [fact] = run(sketch).facts;
  return fact?.elements?.map((element) => `[${element.shape!.join(',')}]`).join(' ') ?? '?';
}

it.each<readonly [string, NodeSketch, string]>([
  ['constructs', { op: 'SequenceConstruct', inputs: [a, b] }, '[2,3] [4,3]'],
  ['starts empty', { op: 'SequenceEmpty', inputs: [] }, ''],
  ['appends', { op: 'SequenceInsert', inputs: [sequence, float(1)] }, '[2,3] [4,3] [1]'],
  [
    'inserts before the last',
    { op: 'SequenceInsert', inputs: [sequence, float(1), at(-1)] },
    '[2,3] [1] [4,3]',
  ],
  [
    'inserts behind the last',
    { op: 'SequenceInsert', inputs: [sequence, float(1), at(2)] },
    '[2,3] [4,3] [1]',
  ],
  ['inserts where data say', { op: 'SequenceInsert', inputs: [sequence, a, typed('int64')] }, '?'],
  ['erases the last', { op: 'SequenceErase', inputs: [sequence] }, '[2,3]'],
  ['erases the first', { op: 'SequenceErase', inputs: [sequence, at(0)] }, '[4,3]'],
  ['splits into slices', { op: 'SplitToSequence', inputs: [a] }, '[1,3] [1,3]'],
  ['splits off the axis', { op: 'SplitToSequence', inputs: [a], attributes: { keepdims: 0 } }, '[3] [3]'],
  [
    'splits into parts of a size',
    { op: 'SplitToSequence', inputs: [float(5, 3), at(2)] },
    '[2,3] [2,3] [1,3]',
  ],
  [
    'splits into given parts',
    { op: 'SplitToSequence', inputs: [float(5, 3), vector('int64', 1, 4)] },
    '[1,3] [4,3]',
  ],
  ['splits what is open', { op: 'SplitToSequence', inputs: [float('N', 3)] }, '?'],
])('%s', (_, sketch, expected) => {
  expect(held(sketch)).toBe(expected);
});

it.each<readonly [string, NodeSketch, string]>([
  ['an element', { op: 'SequenceAt', inputs: [sequence, at(-1)] }, 'float32[4,3]'],
  ['some element', { op: 'SequenceAt', inputs: [unknown, typed('int64')] }, 'float32[2,3]'],
  ['a whole', { op: 'ConcatFromSequence', inputs: [sequence], attributes: { axis: 0 } }, 'float32[6,3]'],
  [
    'a stack',
    {
      op: 'ConcatFromSequence',
      inputs: [{ ...sequence, elements: [a, a] }],
      attributes: { axis: -1, new_axis: 1 },
    },
    'float32[2,3,2]',
  ],
  [
    'a stack of unknown height',
    { op: 'ConcatFromSequence', inputs: [unknown], attributes: { axis: 0 } },
    'float32[?0,3]',
  ],
  [
    'what an optional holds',
    { op: 'OptionalGetElement', inputs: [{ ...a, container: 'optional', elements: [a] }] },
    'float32[2,3]',
  ],
  ['a plain tensor', { op: 'OptionalGetElement', inputs: [a] }, 'float32[2,3]'],
])('gives %s', (_, sketch, expected) => {
  expect(texts(sketch)).toEqual([expected]);
});

describe('counts', () => {
  it.each<readonly [string, NodeSketch, number | undefined]>([
    ['elements', { op: 'SequenceLength', inputs: [sequence] }, 2],
    ['unknown elements', { op: 'SequenceLength', inputs: [unknown] }, undefined],
    ['a tensor as held', { op: 'OptionalHasElement', inputs: [a] }, 1],
    ['nothing as not held', { op: 'OptionalHasElement', inputs: [undefined] }, 0],
    [
      'an empty optional',
      { op: 'OptionalHasElement', inputs: [{ ...a, container: 'optional', elements: [] }] },
      0,
    ],
    [
      'an optional from outside',
      { op: 'OptionalHasElement', inputs: [{ ...a, container: 'optional' }] },
      undefined,
    ],
  ])('%s', (_, sketch, expected) => {
    expect(run(sketch).values).toEqual([expected === undefined ? undefined : [expected]]);
  });

  it('refuses positions that are not there', () => {
    expect(() => run({ op: 'SequenceAt', inputs: [sequence, at(-3)] })).toThrow('position -3');
    expect(() => run({ op: 'SequenceAt', inputs: [sequence, at(2)] })).toThrow('position 2');
  });
});

it('maps a body over a sequence', () => {
  const body = graph({
    inputs: { e: ['float32', undefined] },
    outputs: ['o'],
    nodes: [node('Transpose', ['e'], ['o'])],
  });
  const spec = {
    inputs: { a: ['float32', [2, 3]], b: ['float32', [4, 3]] },
    outputs: ['y'],
    initializers: { last: tensor('int64', [], [1]) },
    nodes: [
      node('SequenceConstruct', ['a', 'b'], ['s']),
      node('SequenceMap', ['s'], ['m'], { body }),
      node('SequenceAt', ['m', 'last'], ['y']),
    ],
  } as const;
  expect(factTexts(spec).y).toBe('float32[3,4]');
});
