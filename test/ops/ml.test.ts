import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, run, texts, typed } from '../support/op.ts';

const labels = { kind: 'strings', value: ['a', 'b'] } as const;

type Case = readonly [string, Omit<NodeSketch, 'domain'>, readonly string[]];

/** Run in onnxruntime 1.30 unless symbols or maps stand in them. */
const cases: readonly Case[] = [
  [
    'features by index',
    { op: 'ArrayFeatureExtractor', inputs: [float('N', 4), typed('int64', 2)] },
    ['float32[N,2]'],
  ],
  [
    'features of one row',
    { op: 'ArrayFeatureExtractor', inputs: [float(4), typed('int64', 1, 2)] },
    ['float32[1,2]'],
  ],
  [
    'joined features',
    { op: 'FeatureVectorizer', inputs: [float(4, 2), float(4, 3)], attributes: { inputdimensions: [2, 3] } },
    ['float32[4,5]'],
  ],
  ['scaled integers', { op: 'Scaler', inputs: [typed('int64', 3, 4)] }, ['float32[3,4]']],
  [
    'one hot',
    { op: 'OneHotEncoder', inputs: [typed('int64', 3, 4)], attributes: { cats_int64s: [1, 2, 3] } },
    ['float32[3,4,3]'],
  ],
  [
    'classes',
    {
      op: 'LinearClassifier',
      inputs: [float(4, 2)],
      attributes: { classlabels_ints: [0, 1, 2] },
      outputs: 2,
    },
    ['int64[4]', 'float32[4,3]'],
  ],
  [
    'named classes',
    { op: 'LinearClassifier', inputs: [float(2)], attributes: { classlabels_strings: labels }, outputs: 2 },
    ['string[1]', 'float32[1,2]'],
  ],
  [
    'targets',
    { op: 'LinearRegressor', inputs: [float('N', 2)], attributes: { targets: 2 } },
    ['float32[N,2]'],
  ],
  [
    'pairs of four classes',
    {
      op: 'SVMClassifier',
      inputs: [float(4, 2)],
      attributes: { classlabels_ints: [0, 1, 2, 3], vectors_per_class: [1, 1, 1, 1] },
      outputs: 2,
    },
    ['int64[4]', 'float32[4,6]'],
  ],
  [
    'two classes',
    {
      op: 'SVMClassifier',
      inputs: [float(4, 2)],
      attributes: { classlabels_ints: [0, 1], vectors_per_class: [1, 2] },
      outputs: 2,
    },
    ['int64[4]', 'float32[4,2]'],
  ],
  ['support vectors', { op: 'SVMRegressor', inputs: [float(4, 2)] }, ['float32[4,1]']],
  [
    'trees',
    {
      op: 'TreeEnsembleClassifier',
      inputs: [float(4, 2)],
      attributes: { classlabels_int64s: [0, 1, 2] },
      outputs: 2,
    },
    ['int64[4]', 'float32[4,3]'],
  ],
  [
    'trees of doubles',
    { op: 'TreeEnsemble', inputs: [typed('float64', 4, 2)], attributes: { n_targets: 3 } },
    ['float64[4,3]'],
  ],
  ['categories', { op: 'CategoryMapper', inputs: [typed('string', 3)] }, ['int64[3]']],
  [
    'labels',
    { op: 'LabelEncoder', inputs: [typed('int64', 3)], attributes: { values_strings: labels } },
    ['string[3]'],
  ],
  ['labels of version 1', { op: 'LabelEncoder', opset: 1, inputs: [typed('string', 3)] }, ['int64[3]']],
  [
    'vocabulary',
    { op: 'DictVectorizer', inputs: [typed('float32')], attributes: { string_vocabulary: labels } },
    ['float32[1,2]'],
  ],
];

describe('shapes', () => {
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts({ ...sketch, domain: 'ai.onnx.ml' })).toEqual(expected);
  });
});

it('answers maps as a sequence, which has no static size', () => {
  expect(run({ op: 'ZipMap', domain: 'ai.onnx.ml', inputs: [float(2, 3)] }).facts[0]?.container).toBe(
    'sequence',
  );
});
