/** Networks with Ifs run from their plans as onnxruntime runs them, whichever branch is taken. */
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import { standIn, turnOracle } from '../support/cmsis-nn.ts';
import {
  checked,
  differences,
  emitNet,
  inferOnHost,
  runOracle,
  spoilRunner,
  wrong,
} from '../support/inference.ts';
import { graph, model, node, tensor } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { rounds } from '../support/rounds.ts';
import { missing } from '../support/tools.ts';

const RUNS = 10;
const oracle = hasOracle();

const numbers = (...shape: number[]) => {
  const count = shape.reduce((a, b) => a * b, 1);
  return tensor(
    'float32',
    shape,
    Array.from({ length: count }, (_, i) => Math.sin(i * 1.7) / 2),
  );
};
const branch = (outputs: readonly string[], ...nodes: ReturnType<typeof node>[]) => graph({ outputs, nodes });

/**
 * An If with two outputs. Its one branch has an If of its own, whose other branch does nothing but hand a tensor on; its
 * other branch hands out a weight. One output of the inner If is read by nobody. Both conditions hold now and then.
 */
const NET = model({
  opset: 17,
  inputs: { x: ['float32', [1, 3, 4, 5]] },
  outputs: ['large', 'second', 'y'],
  initializers: {
    none: tensor('float32', [], [0]),
    some: tensor('float32', [], [0.02]),
    w: numbers(3, 3, 1, 1),
    k: numbers(1, 3, 4, 5),
  },
  nodes: [
    node('ReduceMean', ['x'], ['mean'], { keepdims: 0 }),
    node('Greater', ['mean', 'none'], ['large']),
    node('Conv', ['x', 'w'], ['a']),
    node('If', ['large'], ['first', 'second'], {
      then_branch: branch(
        ['t4', 't5'],
        node('Relu', ['a'], ['t1']),
        node('Greater', ['mean', 'some'], ['larger']),
        node('If', ['larger'], ['t2', 'unread'], {
          then_branch: branch(['p2', 'p1'], node('Neg', ['t1'], ['p1']), node('Add', ['p1', 'x'], ['p2'])),
          else_branch: branch(
            ['q1', 'q2'],
            node('Identity', ['a'], ['q1']),
            node('Identity', ['t1'], ['q2']),
          ),
        }),
        node('Mul', ['t2', 't1'], ['t4']),
        node('Sigmoid', ['t4'], ['t5']),
      ),
      else_branch: branch(['e1', 'e2'], node('Tanh', ['x'], ['e1']), node('Identity', ['k'], ['e2'])),
    }),
    node('Conv', ['first', 'w'], ['b']),
    node('Add', ['b', 'second'], ['y']),
  ],
});

const WAYS: readonly (readonly [string, Partial<PlanRequest>])[] = [
  ['as it is', {}],
  ['without sharing', { inPlace: false, views: false, elide: false }],
  ['the smallest peak, weights in RAM', { schedule: 'min-peak', weights: 'ram' }],
  ['weights that are brought, inputs and outputs of the caller', { weights: 'stage', io: 'external' }],
];

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    const emit = (request: Partial<PlanRequest>) => emitNet(NET, request);

    it.each(WAYS.slice(0, rounds(WAYS.length, 1)))('%s', async (_, request) => {
      const { path, emitted } = emit(request);
      const expected = runOracle(emitted, path, RUNS);
      expect(await inferOnHost(checked(emitted), RUNS)).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });

    it('both branches are taken, and the arena is touched to the byte', async () => {
      const { path, emitted } = emit({});
      const { bytes, outputs } = runOracle(emitted, path, RUNS);
      expect(outputs[0]).toMatchObject({ name: 'large', type: 'bool' });
      const run = bytes.length / RUNS;
      const taken = Array.from({ length: RUNS }, (__, i) => bytes[i * run]!);
      expect(taken).toContain(0);
      expect(taken).toContain(1);
      const used = emitted.planned.plan.totals.arenaBytes;
      expect(await inferOnHost(emitted, RUNS)).toEqual({
        status: 0,
        output: `touched ${used}\nused ${used}\n`,
      });
    });

    it('with channels last', async () => {
      const { path, emitted } = emit({ kernels: 'cmsis-nn' });
      const linked = checked({ ...emitted, library: standIn('dsp') });
      const expected = turnOracle(linked, runOracle(linked, path, RUNS));
      expect(await inferOnHost(linked, RUNS)).toMatchObject({ status: 0 });
      expect(wrong(differences(linked, expected))).toEqual([]);
    });

    const faults = [
      ['the other branch is taken', / != 0u\) \{/, ' == 0u) {'],
      ['a result is not handed out', /memplan_copy\([^;]*T_first_OFFSET[^;]*;/, '\n'],
    ] as const;
    it.each(faults.slice(0, rounds(faults.length, 1)))(
      'a planted fault is found: %s',
      async (_, from, to) => {
        const { path, emitted } = emit({});
        spoilRunner(emitted, [from, to]);
        const expected = runOracle(emitted, path, RUNS);
        const { status } = await inferOnHost(emitted, RUNS);
        expect(status === 0 ? wrong(differences(emitted, expected)) : ['stopped']).not.toEqual([]);
      },
    );
  },
);
