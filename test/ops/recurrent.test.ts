import { describe, expect, it } from 'vitest';
import { float, type NodeSketch, texts } from '../support/op.ts';

/** 5 steps, batch 2, 3 features, 4 hidden units; weights [directions, gates * 4, ...]. */
function layer(op: 'LSTM' | 'GRU' | 'RNN', directions: number, more: Partial<NodeSketch> = {}): NodeSketch {
  const rows = { LSTM: 16, GRU: 12, RNN: 4 }[op];
  return {
    op,
    inputs: [float(5, 2, 3), float(directions, rows, 3), float(directions, rows, 4)],
    outputs: op === 'LSTM' ? 3 : 2,
    ...more,
    attributes: { hidden_size: 4, ...more.attributes },
  };
}

describe('shapes', () => {
  const cases: readonly [string, NodeSketch, readonly string[]][] = [
    ['LSTM', layer('LSTM', 1), ['float32[5,1,2,4]', 'float32[1,2,4]', 'float32[1,2,4]']],
    [
      'LSTM in both directions',
      layer('LSTM', 2, { attributes: { direction: 'bidirectional' } }),
      ['float32[5,2,2,4]', 'float32[2,2,4]', 'float32[2,2,4]'],
    ],
    [
      'LSTM, batch first (the page: [batch, steps, directions, hidden])',
      layer('LSTM', 2, {
        inputs: [float(2, 5, 3), float(2, 16, 3), float(2, 16, 4)],
        attributes: { direction: 'bidirectional', layout: 1 },
      }),
      ['float32[2,5,2,4]', 'float32[2,2,4]', 'float32[2,2,4]'],
    ],
    [
      'GRU',
      layer('GRU', 1, { attributes: { direction: 'reverse' } }),
      ['float32[5,1,2,4]', 'float32[1,2,4]'],
    ],
    ['RNN with its first output alone', layer('RNN', 1, { outputs: 1 }), ['float32[5,1,2,4]']],
    [
      'open steps and batch',
      layer('GRU', 1, { inputs: [float('T', 'N', 3), float(1, 12, 3), float(1, 12, 4)] }),
      ['float32[T,1,N,4]', 'float32[1,N,4]'],
    ],
  ];
  it.each(cases)('%s', (_, sketch, expected) => {
    expect(texts(sketch)).toEqual(expected);
  });

  it('with the hidden size read from the weights', () => {
    const { attributes: _, ...sketch } = layer('RNN', 1);
    expect(texts(sketch)).toEqual(['float32[5,1,2,4]', 'float32[1,2,4]']);
  });
});

describe('refuses', () => {
  const faults: readonly [string, NodeSketch, RegExp][] = [
    [
      'a matrix as input',
      layer('RNN', 1, { inputs: [float(5, 3), float(1, 4, 3), float(1, 4, 4)] }),
      /rank 3/,
    ],
    ['weights of another size', layer('LSTM', 1, { attributes: { hidden_size: 5 } }), /hidden size/],
    [
      'weights of one direction for two',
      layer('GRU', 1, { attributes: { direction: 'bidirectional' } }),
      /directions/,
    ],
    ['a direction that is none', layer('GRU', 1, { attributes: { direction: 'up' } }), /direction/],
    [
      'features that differ',
      layer('RNN', 1, { inputs: [float(5, 2, 7), float(1, 4, 3), float(1, 4, 4)] }),
      /features/,
    ],
  ];
  it.each(faults)('%s', (_, sketch, message) => {
    expect(() => texts(sketch)).toThrow(message);
  });
});
