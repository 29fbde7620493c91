import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, scalar, texts, typed } from '../support/op.ts';

const size = (value: number) => scalar('int64', value);

/** Run in onnxruntime 1.30, but for symbols and the inverse of a one-sided spectrum (its page). */
const cases: readonly [string, NodeSketch, string][] = [
  [
    'one-sided spectrum',
    { op: 'DFT', inputs: [float(2, 9, 1), undefined, size(1)], attributes: { onesided: 1 } },
    'float32[2,5,2]',
  ],
  [
    'padded to 16, axis as attribute',
    { op: 'DFT', opset: 17, inputs: [float(2, 9, 1), size(16)], attributes: { onesided: 1 } },
    'float32[2,9,2]',
  ],
  [
    'two-sided, along the last axis but one',
    { op: 'DFT', inputs: [float(2, 3, 't', 2)] },
    'float32[2,3,t,2]',
  ],
  [
    'inverse of a one-sided spectrum: 2 * (5 - 1)',
    { op: 'DFT', inputs: [float(2, 5, 2)], attributes: { onesided: 1, inverse: 1 } },
    'float32[2,8,1]',
  ],
  [
    'frames of a window: (100 - 16) / 8 + 1',
    { op: 'STFT', inputs: [float(2, 100, 1), size(8), float(16)] },
    'float32[2,11,9,2]',
  ],
  [
    'frames of a stated length',
    { op: 'STFT', inputs: [float(2, 100, 1), size(7), undefined, size(16)], attributes: { onesided: 0 } },
    'float32[2,13,16,2]',
  ],
  [
    'frames of an open signal',
    { op: 'STFT', inputs: [float(2, 't', 1), size(4), float(8)] },
    'float32[2,floor(t/4) - 1,5,2]',
  ],
  ['window', { op: 'HannWindow', inputs: [size(7)] }, 'float32[7]'],
  [
    'window of doubles (11)',
    { op: 'BlackmanWindow', inputs: [size(7)], attributes: { output_datatype: 11 } },
    'float64[7]',
  ],
  [
    'mel weights',
    {
      op: 'MelWeightMatrix',
      inputs: [size(8), size(16), size(8192), scalar('float32', 0), scalar('float32', 4096)],
    },
    'float32[9,8]',
  ],
];

describe('shapes', () => {
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual([expected]);
  });
});

it('refuses to transform the parts of a number, and frames without a length', () => {
  expect(() => texts({ op: 'DFT', inputs: [float(2, 9, 1), undefined, size(2)] })).toThrow(/last axis/);
  expect(() => texts({ op: 'STFT', inputs: [float(2, 100, 1), size(8)] })).toThrow(/neither/);
  expect(() => texts({ op: 'STFT', inputs: [float(2, 100, 1), size(0), float(16)] })).toThrow(/step is 0/);
});

describe('strings', () => {
  const cases: readonly [string, NodeSketch, readonly string[]][] = [
    ['in another case', { op: 'StringNormalizer', inputs: [typed('string', 3)] }, ['string[3]']],
    ['that match', { op: 'RegexFullMatch', inputs: [typed('string', 2, 3)] }, ['bool[2,3]']],
    ['joined', { op: 'StringConcat', inputs: [typed('string', 2, 1), typed('string', 3)] }, ['string[2,3]']],
    ['split', { op: 'StringSplit', inputs: [typed('string', 2)], outputs: 2 }, ['string[2,?0]', 'int64[2]']],
    [
      'counted: coordinates up to 3',
      { op: 'TfIdfVectorizer', inputs: [typed('int64', 2, 9)], attributes: { ngram_indexes: [3, 1] } },
      ['float32[2,4]'],
    ],
    [
      'without stop words',
      {
        op: 'StringNormalizer',
        inputs: [typed('string', 1, 3)],
        attributes: { stopwords: { kind: 'strings', value: ['a'] } },
      },
      ['string[1,?0]'],
    ],
  ];
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual(expected);
  });
});

describe('training', () => {
  const labels = typed('int64', 3, 2);
  const cases: readonly [string, NodeSketch, readonly string[]][] = [
    ['mean loss', { op: 'NegativeLogLikelihoodLoss', inputs: [float(3, 5, 2), labels] }, ['float32[]']],
    [
      'loss by target',
      {
        op: 'NegativeLogLikelihoodLoss',
        inputs: [float(3, 5, 2), labels],
        attributes: { reduction: 'none' },
      },
      ['float32[3,2]'],
    ],
    [
      'loss and probabilities',
      { op: 'SoftmaxCrossEntropyLoss', inputs: [float(3, 5, 2), labels], outputs: 2 },
      ['float32[]', 'float32[3,5,2]'],
    ],
    [
      'Adam over two tensors: both, then both moments of each',
      {
        op: 'Adam',
        domain: 'ai.onnx.preview.training',
        inputs: [
          float(),
          typed('int64'),
          float(2),
          float(3),
          float(2),
          float(3),
          float(2),
          float(3),
          float(2),
          float(3),
        ],
        outputs: 6,
      },
      ['float32[2]', 'float32[3]', 'float32[2]', 'float32[3]', 'float32[2]', 'float32[3]'],
    ],
    [
      'Momentum over one tensor',
      {
        op: 'Momentum',
        domain: 'ai.onnx.preview.training',
        inputs: [float(), typed('int64'), float(2), float(2), float(2)],
        outputs: 2,
      },
      ['float32[2]', 'float32[2]'],
    ],
  ];
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual(expected);
  });
});
