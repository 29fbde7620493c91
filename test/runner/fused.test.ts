/** Steps of several nodes run as onnxruntime runs the nodes, also where one that only passes on stands behind them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../support/generated.ts';
import { differences, emitRunner, inferOnHost, runOracle, wrong } from '../support/inference.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';

const RUNS = 5;
const oracle = hasOracle();

const branch = (op: string, made: string, name: string) => ({
  graph: { outputs: [name], nodes: [node(op, ['c'], [made]), node('Identity', [made], [name])] },
});

/** Outputs of graphs with nodes before them that pass them on: behind floats, integers, and in branches. Scales are powers of two. */
const NET = model({
  opset: 17,
  inputs: { x: ['float32', [1, 3, 4, 5]], up: ['bool', []] },
  outputs: ['c', 'r', 's', 'q', 'y', 'z'],
  initializers: {
    w: tensor('float32', [3, 3, 1, 1], [0.5, -0.25, 1, 0.75, -1, 0.125, 0.25, 0.5, -0.5]),
    step: tensor('float32', [], [2 ** -5]),
    zero: tensor('int8', [], [0]),
    integers: tensor('int8', [3, 3, 1, 1], [12, -30, 44, 9, -77, 23, 5, 60, -8]),
    small: tensor('float32', [], [2 ** -7]),
  },
  nodes: [
    node('Conv', ['x', 'w'], ['c0']),
    node('Identity', ['c0'], ['c']),
    node('Conv', ['c', 'w'], ['d0']),
    node('Relu', ['d0'], ['r0']),
    node('Identity', ['r0'], ['r']),
    node('Softmax', ['c'], ['s0']),
    node('Dropout', ['s0'], ['s']),
    node('QuantizeLinear', ['x', 'step', 'zero'], ['x8']),
    node('DequantizeLinear', ['x8', 'step', 'zero'], ['x1']),
    node('DequantizeLinear', ['integers', 'small', 'zero'], ['v']),
    node('Conv', ['x1', 'v'], ['e0']),
    node('Relu', ['e0'], ['e1']),
    node('QuantizeLinear', ['e1', 'step', 'zero'], ['q0']),
    node('Identity', ['q0'], ['q1']),
    node('Identity', ['q1'], ['q']),
    node('DequantizeLinear', ['q', 'step', 'zero'], ['y0']),
    node('Identity', ['y0'], ['y']),
    node('If', ['up'], ['z'], {
      then_branch: branch('Sin', 't0', 't'),
      else_branch: branch('Cos', 'o0', 'o'),
    }),
  ],
});

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    it('nodes that pass on', async () => {
      const dir = emptyFolder();
      const path = join(dir, 'net.onnx');
      writeFileSync(path, NET);
      const emitted = emitRunner(dir, { models: [path], fuse: 'default' });
      // The convolutions between integers are one step, and none of the nodes that pass on is one.
      const { steps } = emitted.planned.plan;
      expect(steps.filter(({ op }) => /Identity|Dropout/.test(op))).toEqual([]);
      expect(steps.some(({ fused }) => fused.length > 4)).toBe(true);
      const expected = runOracle(emitted, path, RUNS);
      expect(await inferOnHost(emitted, RUNS)).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });
  },
);
