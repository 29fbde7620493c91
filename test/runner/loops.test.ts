/** Networks with Loop and Scan run from their plans as onnxruntime runs them. */
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import { standIn, turnOracle } from '../support/cmsis-nn.ts';
import {
  checked,
  differences,
  type Emitted,
  emitNet,
  inferOnHost,
  runOracle,
  spoilRunner,
  wrong,
} from '../support/inference.ts';
import { type GraphSpec, graph, type ModelSpec, model, node, tensor } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { ALL_CASES, rounds } from '../support/rounds.ts';
import { missing } from '../support/tools.ts';

const RUNS = 10;
const OPSET = 17;
const oracle = hasOracle();

const body = (spec: GraphSpec) => ({ body: graph(spec) });
const ROW = ['float32', [4]] as const;

/** What one turn makes the next one finds as `a`, and what it found as `a` as `b`; each turn leaves a row. */
const COUNTED: ModelSpec = {
  opset: OPSET,
  inputs: { x: ['float32', [4]], y: ['float32', [4]] },
  outputs: ['a5', 'b5', 'rows'],
  initializers: { five: tensor('int64', [], [5]) },
  nodes: [
    node('Loop', ['five', '', 'x', 'y'], ['a5', 'b5', 'rows'], {
      ...body({
        inputs: { turn: ['int64', []], on: ['bool', []], a: ROW, b: ROW },
        outputs: ['go', 'a2', 'a', 'row'],
        nodes: [
          node('Identity', ['on'], ['go']),
          node('Cast', ['turn'], ['t'], { to: 1 }),
          node('Mul', ['b', 't'], ['m']),
          node('Add', ['a', 'm'], ['a2']),
          node('Neg', ['a2'], ['row']),
        ],
      }),
    }),
  ],
};

/** Ends when it has run often enough, or when the sum is large; one result is read by nobody, one turn is none. */
const UNTIL: ModelSpec = {
  opset: OPSET,
  inputs: { n: ['int64', []], x: ['float32', [4]] },
  outputs: ['z'],
  initializers: { limit: tensor('float32', [], [1.5]), yes: tensor('bool', [], [1]) },
  nodes: [
    node('Loop', ['n', 'yes', 'x', 'x'], ['last', 'unread'], {
      ...body({
        inputs: { turn: ['int64', []], on: ['bool', []], v: ROW, u: ROW },
        outputs: ['more', 'v2', 'u2'],
        nodes: [
          node('Abs', ['v'], ['w']),
          node('Add', ['w', 'w'], ['v2']),
          node('ReduceSum', ['v2'], ['sum'], { keepdims: 0 }),
          node('Less', ['sum', 'limit'], ['more']),
          node('Add', ['u', 'v2'], ['u2']),
        ],
      }),
    }),
    node('Relu', ['last'], ['z']),
  ],
};

/** Walks two inputs, one of them backwards along its second axis, and stacks results likewise; an If in each turn. */
const WALKED: ModelSpec = {
  opset: OPSET,
  inputs: { s: ['float32', [2, 3]], p: ['float32', [5, 2, 3]], q: ['float32', [2, 5, 3]] },
  outputs: ['end', 'front', 'back'],
  initializers: { zero: tensor('float32', [], [0]) },
  nodes: [
    node('Scan', ['s', 'p', 'q'], ['end', 'front', 'back'], {
      num_scan_inputs: 2,
      scan_input_axes: [0, 1],
      scan_input_directions: [0, 1],
      scan_output_axes: [0, -1],
      scan_output_directions: [0, 1],
      ...body({
        inputs: { state: ['float32', [2, 3]], a: ['float32', [2, 3]], b: ['float32', [2, 3]] },
        outputs: ['next', 'f', 'g'],
        nodes: [
          node('Mul', ['a', 'b'], ['ab']),
          node('ReduceMean', ['state'], ['mean'], { keepdims: 0 }),
          node('Greater', ['mean', 'zero'], ['up']),
          node('If', ['up'], ['next'], {
            then_branch: { graph: { outputs: ['t'], nodes: [node('Sub', ['state', 'ab'], ['t'])] } },
            else_branch: { graph: { outputs: ['e'], nodes: [node('Max', ['a', 'b'], ['e'])] } },
          }),
          node('Tanh', ['next'], ['f']),
          node('Add', ['ab', 'state'], ['g']),
        ],
      }),
    }),
  ],
};

/** A loop in a loop, over images. */
const NESTED: ModelSpec = {
  opset: OPSET,
  inputs: { x: ['float32', [1, 3, 4, 5]], turns: ['int64', []] },
  outputs: ['y', 'rows'],
  initializers: {
    two: tensor('int64', [], [2]),
    w: tensor(
      'float32',
      [3, 3, 1, 1],
      Array.from({ length: 9 }, (_, i) => Math.sin(i)),
    ),
  },
  nodes: [
    node('Loop', ['two', '', 'x'], ['y'], {
      ...body({
        inputs: { i: ['int64', []], on: ['bool', []], v: ['float32', [1, 3, 4, 5]] },
        outputs: ['go', 'v3'],
        nodes: [
          node('Identity', ['on'], ['go']),
          node('Loop', ['turns', '', 'v'], ['v2'], {
            ...body({
              inputs: { j: ['int64', []], inner: ['bool', []], u: ['float32', [1, 3, 4, 5]] },
              outputs: ['again', 'u2'],
              nodes: [
                node('Identity', ['inner'], ['again']),
                node('Conv', ['u', 'w'], ['c']),
                node('Relu', ['c'], ['u2']),
              ],
            }),
          }),
          node('Add', ['v2', 'x'], ['v3']),
        ],
      }),
    }),
    node('Scan', ['x', 'y'], ['unread', 'rows'], {
      num_scan_inputs: 1,
      scan_input_axes: [2],
      scan_output_axes: [2],
      ...body({
        inputs: { s: ['float32', [1, 3, 4, 5]], row: ['float32', [1, 3, 5]] },
        outputs: ['s2', 'r'],
        nodes: [node('Identity', ['s'], ['s2']), node('Sigmoid', ['row'], ['r'])],
      }),
    }),
  ],
};

/** Turns without a step: what comes in is stacked, and handed on. */
const STILL: ModelSpec = {
  opset: OPSET,
  inputs: { x: ['float32', [4]] },
  outputs: ['y', 'rows'],
  initializers: { three: tensor('int64', [], [3]) },
  nodes: [
    node('Loop', ['three', '', 'x'], ['y', 'rows'], {
      ...body({ inputs: { turn: ['int64', []], on: ['bool', []], a: ROW }, outputs: ['on', 'a', 'a'] }),
    }),
  ],
};

const NETS = { COUNTED, UNTIL, WALKED, NESTED, STILL } as const;
const NAMES = Object.keys(NETS) as (keyof typeof NETS)[];

const WAYS: readonly Partial<PlanRequest>[] = [
  {},
  { inPlace: false, views: false, elide: false },
  { weights: 'stage', io: 'external', schedule: 'min-peak' },
];

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    const emit = (spec: ModelSpec, request: Partial<PlanRequest> = {}) => emitNet(model(spec), request);
    const used = ({ planned }: Emitted) => planned.plan.totals.arenaBytes;

    it.each(NAMES.slice(0, rounds(NAMES.length, 1)))('%s', async (name) => {
      const { path, emitted } = emit(NETS[name]);
      const expected = runOracle(emitted, path, RUNS);
      const output = `touched ${used(emitted)}\nused ${used(emitted)}\n`;
      expect(await inferOnHost(emitted, RUNS)).toEqual({ status: 0, output });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });

    // A Scan without sharing.
    const SAMPLE = 7;
    const all = NAMES.flatMap((name) => WAYS.map((way) => [name, way] as const));
    it.each(all.filter((_, i) => ALL_CASES || i === SAMPLE))('%s in a check build, %j', async (name, way) => {
      const { path, emitted } = emit(NETS[name], way);
      const expected = runOracle(emitted, path, RUNS);
      expect(await inferOnHost(checked(emitted), RUNS)).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });

    it('with no step that a check build could look at', async () => {
      const { path, emitted } = emit(STILL);
      const expected = runOracle(emitted, path, RUNS);
      expect(await inferOnHost(checked(emitted), RUNS)).toMatchObject({ status: 0 });
      expect(wrong(differences(emitted, expected))).toEqual([]);
    });

    it('with channels last', async () => {
      const { path, emitted } = emit(NESTED, { kernels: 'cmsis-nn' });
      const linked = checked({ ...emitted, library: standIn('dsp') });
      const expected = turnOracle(linked, runOracle(linked, path, RUNS));
      expect(await inferOnHost(linked, RUNS)).toMatchObject({ status: 0 });
      expect(wrong(differences(linked, expected))).toEqual([]);
    });

    const faults = [
      ['a turn too few', COUNTED, /turn_0 < 5u/, 'turn_0 < 4u'],
      [
        'values are carried on in the wrong order',
        COUNTED,
        /(memplan_copy\([^;]*2fb_OFFSET\), 16u\);)\s+(memplan_copy\([^;]*2fa_OFFSET\), 16u\);)(?=\s+\})/,
        '$2\n$1',
      ],
      ['the condition is not looked at', UNTIL, / && \([^\n]*\) != 0u\)/, ''],
      ['a slice is walked forwards', WALKED, /\(4u - turn_0\)/, 'turn_0'],
    ] as const;
    it.each(faults.slice(0, rounds(faults.length, 1)))(
      'a planted fault is found: %s',
      async (_, spec, from, to) => {
        const { path, emitted } = emit(spec);
        spoilRunner(emitted, [from, to]);
        const expected = runOracle(emitted, path, RUNS);
        const { status } = await inferOnHost(emitted, RUNS);
        expect(status === 0 ? wrong(differences(emitted, expected)) : ['stopped']).not.toEqual([]);
      },
    );
  },
);
