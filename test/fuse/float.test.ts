/** Fusions of float graphs: what becomes one step, and each condition that forbids it. */
import { describe, expect, it } from 'vitest';
import { planFused, replayFaults, stepTexts } from '../support/fused.ts';
import { infer } from '../support/infer.ts';
import { float, type GraphSpec, graph, type ModelSpec, node, tensor } from '../support/onnx.ts';

type Nodes = readonly NonNullable<GraphSpec['nodes']>[number][];
type Case = readonly [title: string, spec: ModelSpec, steps: readonly string[]];

const named = (op: string, inputs: readonly string[], output: string, attributes = {}) =>
  node(op, inputs, [output], attributes, { name: output });

/** A model over x[1,4,8,8] (or another shape) with a 1x1 weight w, per-channel constants, and what a case adds. */
function over(nodes: Nodes, outputs: readonly string[] = ['y'], more: Partial<ModelSpec> = {}): ModelSpec {
  return {
    inputs: { x: ['float32', [1, 4, 8, 8]] },
    outputs,
    nodes,
    ...more,
    initializers: {
      w: tensor('float32', [4, 4, 1, 1], ones(16)),
      v: tensor('float32', [4, 4, 1, 1], ones(16)),
      bias: tensor('float32', [4], ones(4)),
      ...Object.fromEntries(['s', 'b', 'm', 'a'].map((name) => [name, tensor('float32', [4], ones(4))])),
      flat: tensor('float32', [1, 4, 1, 1], ones(4)),
      row: tensor('float32', [8], ones(8)),
      zero: tensor('float32', [], [0]),
      six: tensor('float32', [], [6]),
      ...(more.initializers as Record<string, ReturnType<typeof tensor>>),
    },
  };
}

function ones(count: number): number[] {
  return new Array<number>(count).fill(1);
}

function check(cases: readonly Case[]): void {
  it.each(cases)('%s', (_, spec, steps) => {
    const plan = planFused(spec);
    expect(stepTexts(plan)).toEqual(steps);
    expect(replayFaults(infer(spec, {}).graph, plan)).toEqual([]);
  });
}

const conv = named('Conv', ['x', 'w'], 'c');

describe('Identity and Dropout', () => {
  check([
    [
      'are left out, chains of them as well',
      over([named('Identity', ['x'], 'i'), named('Dropout', ['i'], 'd'), named('Relu', ['d'], 'y')]),
      ['y: x -> y'],
    ],
    [
      'give an output its name through the step before',
      over([conv, named('Identity', ['c'], 'y')]),
      ['c+y: x -> y'],
    ],
    ['stay where an output is an input', over([named('Identity', ['x'], 'y')]), ['y: x -> y']],
    [
      'stay where the tensor before is needed under its name, too',
      over([conv, named('Identity', ['c'], 'y')], ['c', 'y']),
      ['c: x -> c', 'y: c -> y'],
    ],
    [
      'stay where the tensor before has other readers and the name is an output',
      over([conv, named('Identity', ['c'], 'y'), named('Softmax', ['c'], 'z')], ['y', 'z']),
      ['c: x -> c', 'y: c -> y', 'z: c -> z'],
    ],
    [
      'of which one trains stays',
      over([node('Dropout', ['x', '', 'on'], ['d'], {}, { name: 'd' }), named('Relu', ['d'], 'y')], ['y'], {
        initializers: { on: tensor('bool', [], [1]) },
      }),
      ['d: x -> d', 'y: d -> y'],
    ],
    [
      'whose mask is read stay',
      over(
        [
          node('Dropout', ['x'], ['d', 'mask'], {}, { name: 'd' }),
          named('Relu', ['d'], 'y'),
          named('Not', ['mask'], 'z'),
        ],
        ['y', 'z'],
      ),
      ['d: x -> d mask', 'y: d -> y', 'z: mask -> z'],
    ],
    [
      'are left out for readers inside a body',
      over(
        [
          named('Identity', ['x'], 'i'),
          node(
            'If',
            ['cond'],
            ['y'],
            {
              then_branch: graph({ nodes: [named('Relu', ['i'], 't')], outputs: ['t'] }),
              else_branch: graph({ nodes: [named('Abs', ['i'], 'e')], outputs: ['e'] }),
            },
            { name: 'if' },
          ),
        ],
        ['y'],
        { inputs: { x: ['float32', [1, 4, 8, 8]], cond: ['bool', []] } },
      ),
      ['if: cond -> y', 'if/then_branch/t: x -> if/then_branch/t', 'if/else_branch/e: x -> if/else_branch/e'],
    ],
  ]);
});

describe('pairs of Transpose', () => {
  const there = named('Transpose', ['x'], 't', { perm: [0, 2, 3, 1] });
  const back = named('Transpose', ['t'], 'u', { perm: [0, 3, 1, 2] });
  const end = named('Relu', ['u'], 'y');
  check([
    ['that undo each other are left out', over([there, back, end]), ['y: x -> y']],
    [
      'that do not undo each other stay',
      over([there, named('Transpose', ['t'], 'u', { perm: [0, 2, 3, 1] }), end]),
      ['t: x -> t', 'u: t -> u', 'y: u -> y'],
    ],
    [
      'keep the first where others read it',
      over([there, back, end, named('Relu', ['t'], 'z')], ['y', 'z']),
      ['t: x -> t', 'y: x -> y', 'z: t -> z'],
    ],
    [
      'keep the first where it is an output',
      over([there, back, end], ['t', 'y']),
      ['t: x -> t', 'y: x -> y'],
    ],
    [
      'stay where the second is an output',
      over([there, named('Transpose', ['t'], 'y', { perm: [0, 3, 1, 2] })]),
      ['t: x -> t', 'y: t -> y'],
    ],
  ]);
});

describe('BatchNormalization', () => {
  const normal = (x: string, y: string, more = {}) =>
    named('BatchNormalization', [x, 's', 'b', 'm', 'a'], y, more);
  check([
    ['goes into a Conv', over([conv, normal('c', 'y')]), ['c+y: x -> y']],
    [
      'goes into a ConvTranspose',
      over([named('ConvTranspose', ['x', 'w'], 'c'), normal('c', 'y')]),
      ['c+y: x -> y'],
    ],
    [
      'goes into a Gemm',
      over([named('Gemm', ['x', 'k', 'bias'], 'c'), normal('c', 'y')], ['y'], {
        inputs: { x: ['float32', [2, 3]] },
        initializers: { k: tensor('float32', [3, 4], ones(12)) },
      }),
      ['c+y: x -> y'],
    ],
    [
      'and an activation behind it',
      over([conv, normal('c', 'n'), named('Relu', ['n'], 'y')]),
      ['c+n+y: x -> y'],
    ],
    [
      'goes behind a bias that is added by itself',
      over([conv, named('Add', ['c', 'flat'], 'n'), normal('n', 'y')]),
      ['c+n+y: x -> y'],
    ],
    [
      'not behind an activation',
      over([conv, named('Relu', ['c'], 'r'), normal('r', 'y')]),
      ['c+r: x -> r', 'y: r -> y'],
    ],
    [
      'not where the Conv has other readers',
      over([conv, normal('c', 'y'), named('Softmax', ['c'], 'z')], ['y', 'z']),
      ['c: x -> c', 'y: c -> y', 'z: c -> z'],
    ],
    [
      'not where an output lies in between',
      over([conv, normal('c', 'y')], ['c', 'y']),
      ['c: x -> c', 'y: c -> y'],
    ],
    [
      'not with parameters that are computed',
      over([conv, named('BatchNormalization', ['c', 's', 'p', 'm', 'a'], 'y')], ['y'], {
        inputs: { x: ['float32', [1, 4, 8, 8]], p: ['float32', [4]] },
      }),
      ['c: x -> c', 'y: c p -> y'],
    ],
    [
      'not with weights that are computed',
      over([named('Conv', ['x', 'p'], 'c'), normal('c', 'y')], ['y'], {
        inputs: { x: ['float32', [1, 4, 8, 8]], p: ['float32', [4, 4, 1, 1]] },
      }),
      ['c: x p -> c', 'y: c -> y'],
    ],
    [
      'not with weights that another Conv shares',
      over([conv, normal('c', 'y'), named('Conv', ['x', 'w'], 'z')], ['y', 'z']),
      ['c: x -> c', 'y: c -> y', 'z: x -> z'],
    ],
    ['not in training', over([conv, normal('c', 'y', { training_mode: 1 })]), ['c: x -> c', 'y: c -> y']],
    ['not alone', over([normal('x', 'y')]), ['y: x -> y']],
  ]);

  it('leaves one bias of the parameters, or the one that is there', () => {
    const weights = (spec: ModelSpec) =>
      planFused(spec).constants.map(({ name, bytes }) => `${name} ${bytes}`);
    expect(weights(over([conv, normal('c', 'y')]))).toEqual(['w 64', 'b 16']);
    const biased = named('Conv', ['x', 'w', 'bias'], 'c');
    expect(weights(over([biased, normal('c', 'y')]))).toEqual(['w 64', 'bias 16']);
  });
});

describe('a constant that is added', () => {
  check([
    ['becomes the bias of a Conv', over([conv, named('Add', ['c', 'flat'], 'y')]), ['c+y: x -> y']],
    ['from the left as well', over([conv, named('Add', ['flat', 'c'], 'y')]), ['c+y: x -> y']],
    [
      'joins a bias that is there',
      over([named('Conv', ['x', 'w', 'bias'], 'c'), named('Add', ['c', 'flat'], 'y')]),
      ['c+y: x -> y'],
    ],
    [
      'becomes the bias of a MatMul',
      over([named('MatMul', ['x', 'k'], 'c'), named('Add', ['c', 'row'], 'y')], ['y'], {
        initializers: { k: tensor('float32', [8, 8], ones(64)) },
      }),
      ['c+y: x -> y'],
    ],
    [
      'not of a product of two activations',
      over([named('MatMul', ['x', 'x'], 'c'), named('Add', ['c', 'row'], 'y')]),
      ['c: x -> c', 'y: c -> y'],
    ],
    [
      'not along another axis than the channels',
      over([conv, named('Add', ['c', 'row'], 'y')]),
      ['c: x -> c', 'y: c -> y'],
    ],
    ['not for all channels alike', over([conv, named('Add', ['c', 'six'], 'y')]), ['c: x -> c', 'y: c -> y']],
    [
      'not when it is computed',
      over([conv, named('Add', ['c', 'p'], 'y')], ['y'], {
        inputs: { x: ['float32', [1, 4, 8, 8]], p: ['float32', [1, 4, 1, 1]] },
      }),
      ['c: x -> c', 'y: c p -> y'],
    ],
    [
      'not to a bias that another step shares',
      over(
        [
          named('Conv', ['x', 'w', 'bias'], 'c'),
          named('Add', ['c', 'flat'], 'y'),
          named('Conv', ['x', 'v', 'bias'], 'z'),
        ],
        ['y', 'z'],
      ),
      ['c: x -> c', 'y: c -> y', 'z: x -> z'],
    ],
    [
      'not behind an activation',
      over([conv, named('Relu', ['c'], 'r'), named('Add', ['r', 'flat'], 'y')]),
      ['c+r: x -> r', 'y: r -> y'],
    ],
    [
      'not to a Gemm that scales its bias',
      over([named('Gemm', ['x', 'k'], 'c', { beta: float(2) }), named('Add', ['c', 'bias'], 'y')], ['y'], {
        inputs: { x: ['float32', [2, 3]] },
        initializers: { k: tensor('float32', [3, 4], ones(12)) },
      }),
      ['c: x -> c', 'y: c -> y'],
    ],
  ]);
});

describe('activations', () => {
  check([
    ...['Relu', 'LeakyRelu', 'Sigmoid', 'Tanh', 'HardSigmoid', 'HardSwish'].map(
      (op): Case => [`${op} is applied by a Conv`, over([conv, named(op, ['c'], 'y')]), ['c+y: x -> y']],
    ),
    ['Clip is applied by a Conv', over([conv, named('Clip', ['c', 'zero', 'six'], 'y')]), ['c+y: x -> y']],
    [
      'Relu is applied by an Add of two tensors',
      over([conv, named('Add', ['c', 'x'], 'sum'), named('Relu', ['sum'], 'y')]),
      ['c: x -> c', 'sum+y: c x -> y'],
    ],
    [
      'one of two is applied',
      over([conv, named('Relu', ['c'], 'r'), named('Sigmoid', ['r'], 'y')]),
      ['c+r: x -> r', 'y: r -> y'],
    ],
    [
      'an operator that is none stays',
      over([conv, named('Softmax', ['c'], 'y')]),
      ['c: x -> c', 'y: c -> y'],
    ],
    [
      'a pool applies none',
      over([named('GlobalAveragePool', ['x'], 'c'), named('Relu', ['c'], 'y')]),
      ['c: x -> c', 'y: c -> y'],
    ],
    [
      'Clip with a limit that is computed stays',
      over([conv, named('Clip', ['c', 'zero', 'p'], 'y')], ['y'], {
        inputs: { x: ['float32', [1, 4, 8, 8]], p: ['float32', []] },
      }),
      ['c: x -> c', 'y: c p -> y'],
    ],
    [
      'not where an output lies in between',
      over([conv, named('Relu', ['c'], 'y')], ['c', 'y']),
      ['c: x -> c', 'y: c -> y'],
    ],
    [
      'not where the product has other readers (SiLU)',
      over([conv, named('Sigmoid', ['c'], 'g'), named('Mul', ['c', 'g'], 'y')]),
      ['c: x -> c', 'g: c -> g', 'y: c g -> y'],
    ],
    [
      'not where a body reads what lies in between',
      over(
        [
          conv,
          named('Relu', ['c'], 'y'),
          node(
            'If',
            ['cond'],
            ['z'],
            {
              then_branch: graph({ nodes: [named('Abs', ['c'], 't')], outputs: ['t'] }),
              else_branch: graph({ nodes: [named('Neg', ['c'], 'e')], outputs: ['e'] }),
            },
            { name: 'if' },
          ),
        ],
        ['y', 'z'],
        { inputs: { x: ['float32', [1, 4, 8, 8]], cond: ['bool', []] } },
      ),
      [
        'c: x -> c',
        'y: c -> y',
        'if: cond -> z',
        'if/then_branch/t: c -> if/then_branch/t',
        'if/else_branch/e: c -> if/else_branch/e',
      ],
    ],
  ]);

  it('leave a kept tensor alone', () => {
    const spec = over([conv, named('Relu', ['c'], 'y')]);
    expect(stepTexts(planFused(spec, { keep: ['c'] }))).toEqual(['c: x -> c', 'y: c -> y']);
  });

  it('are applied inside a body, by what stands there', () => {
    const body = (op: string, out: string) =>
      graph({
        nodes: [
          named('Conv', ['x', 'w'], `${out}c`),
          named(op, [`${out}c`], `${out}r`),
          named('Softmax', [`${out}r`], out),
        ],
        outputs: [out],
      });
    const branches = { then_branch: body('Relu', 't'), else_branch: body('Sigmoid', 'e') };
    const spec = over([node('If', ['cond'], ['y'], branches, { name: 'if' })], ['y'], {
      inputs: { x: ['float32', [1, 4, 8, 8]], cond: ['bool', []] },
    });
    const plan = planFused(spec);
    expect(plan.steps.map(({ path, fused }) => [path, fused.length])).toEqual([
      ['', 0],
      ['if/then_branch', 2],
      ['if/then_branch', 0],
      ['if/else_branch', 2],
      ['if/else_branch', 0],
    ]);
    expect(replayFaults(infer(spec, {}).graph, plan)).toEqual([]);
  });

  it('keep the place of the product: what stands between runs later', () => {
    const spec = over([conv, named('Softmax', ['x'], 'z'), named('Relu', ['c'], 'y')], ['y', 'z']);
    expect(stepTexts(planFused(spec))).toEqual(['c+y: x -> y', 'z: x -> z']);
  });
});

describe('Pad', () => {
  const pads = { edge: tensor('int64', [8], [0, 0, 1, 1, 0, 0, 1, 1]) };
  const least = { low: tensor('float32', [], [-Infinity]) };
  const pad = (value: string, more = {}) => named('Pad', ['x', 'edge', value], 'p', more);
  const window = { kernel_shape: [3, 3] };
  const wide = named('Conv', ['p', 'k'], 'y', window);
  const k = { k: tensor('float32', [4, 4, 3, 3], ones(144)), ...pads, ...least };
  const given = (nodes: Nodes, more: Record<string, ReturnType<typeof tensor>> = {}) =>
    over(nodes, ['y'], { initializers: { ...k, ...more } });
  const apart = ['p: x -> p', 'y: p -> y'];
  check([
    ['with 0 goes into a Conv', given([pad('zero'), wide]), ['p+y: x -> y']],
    ['without a value goes into a Conv', given([pad(''), wide]), ['p+y: x -> y']],
    [
      'adds to the pads of the Conv',
      given([pad('zero'), named('Conv', ['p', 'k'], 'y', { ...window, pads: [1, 0, 1, 0] })]),
      ['p+y: x -> y'],
    ],
    ['not with another value', given([pad('six'), wide]), apart],
    ['not with minus infinity', given([pad('low'), wide]), apart],
    ['not by reflection', given([pad('zero', { mode: 'reflect' }), wide]), apart],
    [
      'not of channels',
      given([pad('zero'), wide], {
        edge: tensor('int64', [8], [0, 1, 1, 1, 0, 0, 1, 1]),
        k: tensor('float32', [4, 5, 3, 3], ones(180)),
      }),
      apart,
    ],
    [
      'not where it cuts',
      given([pad('zero'), wide], { edge: tensor('int64', [8], [0, 0, -1, 0, 0, 0, 0, 0]) }),
      apart,
    ],
    [
      'not where the pads of the Conv follow from its input',
      given([pad('zero'), named('Conv', ['p', 'k'], 'y', { ...window, auto_pad: 'SAME_UPPER' })]),
      apart,
    ],
    [
      'not where others read the padded tensor',
      over([pad('zero'), wide, named('Softmax', ['p'], 'z')], ['y', 'z'], { initializers: k }),
      ['p: x -> p', 'y: p -> y', 'z: p -> z'],
    ],
    ['not where it is an output', over([pad('zero'), wide], ['p', 'y'], { initializers: k }), apart],
    [
      'with 0 goes into an AveragePool that counts it',
      given([pad('zero'), named('AveragePool', ['p'], 'y', { ...window, count_include_pad: 1 })]),
      ['p+y: x -> y'],
    ],
    ['not into one that does not', given([pad('zero'), named('AveragePool', ['p'], 'y', window)]), apart],
    [
      'not into one that rounds up',
      given([
        pad('zero'),
        named('AveragePool', ['p'], 'y', { ...window, count_include_pad: 1, ceil_mode: 1 }),
      ]),
      apart,
    ],
    [
      'with minus infinity goes into a MaxPool',
      given([pad('low'), named('MaxPool', ['p'], 'y', window)]),
      ['p+y: x -> y'],
    ],
    ['not with 0', given([pad('zero'), named('MaxPool', ['p'], 'y', window)]), apart],
    [
      'not as wide as the window',
      given([pad('low'), named('MaxPool', ['p'], 'y', { kernel_shape: [1, 1] })]),
      apart,
    ],
    [
      'of the least element goes into a MaxPool of integers',
      {
        inputs: { x: ['int8', [1, 4, 8, 8]] },
        outputs: ['y'],
        nodes: [pad('low'), named('MaxPool', ['p'], 'y', window)],
        initializers: { ...pads, low: tensor('int8', [], [-128]) },
      },
      ['p+y: x -> y'],
    ],
    [
      'of another element does not',
      {
        inputs: { x: ['int8', [1, 4, 8, 8]] },
        outputs: ['y'],
        nodes: [pad('low'), named('MaxPool', ['p'], 'y', window)],
        initializers: { ...pads, low: tensor('int8', [], [-127]) },
      },
      apart,
    ],
  ]);

  it('saves the padded copy', () => {
    const spec = given([pad('zero'), wide]);
    // Output and input of 4x8x8 float32; the copy would have been 4x10x10.
    expect(planFused(spec).totals.arenaBytes).toBe(2 * 4 * 8 * 8 * 4);
    expect(planFused(spec).fusion?.unfused).toEqual({ steps: 2, arenaBytes: (4 * 10 * 10 + 4 * 8 * 8) * 4 });
  });
});

describe('a long chain of additions', () => {
  it('is cut, so that joining stays linear, and loses no node', () => {
    const count = 200;
    const adds = Array.from({ length: count }, (_, i) =>
      named('Add', [i === 0 ? 'c' : `c${i - 1}`, `flat${i}`], i === count - 1 ? 'y' : `c${i}`),
    );
    const flats = adds.map((_, i) => [`flat${i}`, tensor('float32', [1, 4, 1, 1], ones(4))] as const);
    const spec = over([conv, ...adds], ['y'], { initializers: Object.fromEntries(flats) });
    const plan = planFused(spec);
    expect(replayFaults(infer(spec, {}).graph, plan)).toEqual([]);
    expect(plan.steps.map(({ fused }) => fused.length)).toEqual([64, ...new Array(count - 63).fill(0)]);
  });
});
