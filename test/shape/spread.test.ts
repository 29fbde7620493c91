/** Quantisation of every tensor that a quantised operator reads or writes, also behind operators that only move. */
import { expect, it } from 'vitest';
import { infer } from '../support/infer.ts';
import { graph, type ModelSpec, node, tensor } from '../support/onnx.ts';

const parameters = {
  s: tensor('float32', [], [0.5]),
  z: tensor('int8', [], [3]),
  s2: tensor('float32', [], [0.25]),
  flat: tensor('int64', [1], [-1]),
};

const quants = (spec: ModelSpec): Readonly<Record<string, string>> => {
  const { graph } = infer(spec, {});
  return Object.fromEntries(
    graph.tensors.flatMap(({ name }, i) => {
      const quant = graph.facts[i]?.quant;
      return quant === undefined ? [] : [[name, `${quant.scale.join()}/${quant.zeroPoint.join()}`]];
    }),
  );
};

it('goes backwards through what only moves, up to the inputs', () => {
  const spec: ModelSpec = {
    inputs: { x: ['int8', [2, 4]], y: ['int8', [2, 4]] },
    outputs: ['f'],
    initializers: parameters,
    nodes: [
      node('Transpose', ['x'], ['t'], { perm: [1, 0] }),
      node('Transpose', ['y'], ['u'], { perm: [1, 0] }),
      node('Concat', ['t', 'u'], ['c'], { axis: 0 }),
      node('Reshape', ['c', 'flat'], ['r']),
      node('DequantizeLinear', ['r', 's', 'z'], ['f']),
    ],
  };
  expect(quants(spec)).toEqual(
    Object.fromEntries(['x', 'y', 't', 'u', 'c', 'r'].map((name) => [name, '0.5/3'])),
  );
});

it('does not overrule what a tensor says itself, and stops where something is computed', () => {
  const spec: ModelSpec = {
    inputs: { x: ['float32', [4]], i: ['int8', [4]] },
    outputs: ['f', 'g'],
    initializers: parameters,
    nodes: [
      node('QuantizeLinear', ['x', 's2', 'z'], ['q']),
      node('Reshape', ['q', 'flat'], ['r']),
      node('DequantizeLinear', ['r', 's', 'z'], ['f']),
      node('Add', ['i', 'i'], ['a']),
      node('DequantizeLinear', ['a', 's', 'z'], ['g']),
    ],
  };
  expect(quants(spec)).toEqual({ q: '0.25/3', r: '0.25/3', a: '0.5/3' });
});

it('comes out of the bodies of control flow', () => {
  const branch = (out: string) =>
    graph({ nodes: [node('QuantizeLinear', ['x', 's', 'z'], [out])], outputs: [out] });
  const spec: ModelSpec = {
    inputs: { x: ['float32', [4]], c: ['bool', []] },
    outputs: ['y'],
    initializers: parameters,
    nodes: [node('If', ['c'], ['y'], { then_branch: branch('t'), else_branch: branch('e') }, { name: 'if' })],
  };
  expect(quants(spec)).toEqual({ y: '0.5/3', 'if/then_branch/t': '0.5/3', 'if/else_branch/e': '0.5/3' });
});

it('is read off the parts of a QLinearConcat', () => {
  const spec: ModelSpec = {
    opset: { '': 17, 'com.microsoft': 1 },
    inputs: { x: ['int8', [4]], y: ['int8', [4]] },
    outputs: ['c'],
    initializers: parameters,
    nodes: [
      node(
        'QLinearConcat',
        ['s', 'z', 'x', 's2', 'z', 'y', 's', 'z'],
        ['c'],
        { axis: 0 },
        { domain: 'com.microsoft' },
      ),
    ],
  };
  expect(quants(spec)).toEqual({ x: '0.25/3', y: '0.5/3', c: '0.5/3' });
});
