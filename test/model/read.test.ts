/** The plain path: a small model, end to end. */
import { expect, test } from 'vitest';
import { symbol } from '../../src/graph/dims.ts';
import { readModel } from '../../src/model/read.ts';
import { model, node, tensor, writeTemp } from '../support/onnx.ts';

test('a small model: inputs, weights, nodes, outputs and what is declared', () => {
  const path = writeTemp(
    model({
      name: 'mlp',
      inputs: { x: ['float32', ['N', 3]] },
      outputs: { y: ['float32', ['N', 2]] },
      initializers: { w: tensor('float32', [3, 2], [1, 2, 3, 4, 5, 6.5]) },
      nodes: [node('MatMul', ['x', 'w'], ['h'], {}, { name: 'mm' }), node('Relu', ['h'], ['y'])],
      opset: { '': 17, 'com.microsoft': 1 },
      ir: 7,
    }),
    'small model.v2.onnx',
  );
  const read = readModel(path);
  expect(read).toMatchObject({
    name: 'small model.v2',
    file: 'small model.v2.onnx',
    irVersion: 7,
    producer: 'test',
  });
  expect(read.diagnostics).toEqual([]);
  expect(read.externalFiles).toEqual([]);
  const { graph } = read;
  expect(graph.name).toBe('mlp');
  expect([...graph.opsets]).toEqual([
    ['', 17],
    ['com.microsoft', 1],
  ]);
  const name = (i: number | undefined) => (i === undefined ? undefined : graph.tensors[i]!.name);
  expect(graph.inputs.map(name)).toEqual(['x']);
  expect(graph.outputs.map(name)).toEqual(['y']);
  expect(graph.nodes.map((n) => [n.label, n.op, n.inputs.map(name), n.outputs.map(name)])).toEqual([
    ['mm', 'MatMul', ['x', 'w'], ['h']],
    ['Relu #1', 'Relu', ['h'], ['y']],
  ]);
  const roles = Object.fromEntries(graph.tensors.map((t) => [t.name, t.role]));
  expect(roles).toEqual({ x: 'input', w: 'weight', h: 'activation', y: 'output' });
  const byName = new Map(graph.tensors.map((t) => [t.name, t]));
  expect(byName.get('x')!.declared).toEqual({ type: 'float32', shape: [symbol('N'), 3] });
  expect(byName.get('h')!.declared).toBeUndefined();
  const w = byName.get('w')!.constant!;
  expect(w).toMatchObject({ type: 'float32', shape: [3, 2], place: { file: null, bytes: 24 } });
  expect(w.value()).toEqual([1, 2, 3, 4, 5, 6.5]);
});
