/** DequantizeLinear -> operator -> QuantizeLinear as one integer step: every operator, and each condition. */
import { describe, expect, it } from 'vitest';
import { COMMON_FUSIONS } from '../../src/kernels/fusions.ts';
import { planFused, planSpec, replayFaults, stepTexts } from '../support/fused.ts';
import { infer } from '../support/infer.ts';
import { float, type ModelSpec } from '../support/onnx.ts';
import { type QdqModel, qdqModel, type Scale } from '../support/qdq.ts';

const S: Scale = { scale: 0.5, zeroPoint: 3 };
const OTHER: Scale = { scale: 0.25, zeroPoint: 3 };
const IMAGE = [1, 4, 8, 8];

/** What a case builds between the int8 input x, dequantised to x_f, and the float y that is quantised to y_q. */
type Build = (m: QdqModel) => void;

/** A model whose output is y_q unless the case says otherwise. */
function modelOf(build: Build, out: Scale = S, outputs: readonly string[] = ['y_q']): ModelSpec {
  const m = qdqModel();
  m.dequantise(m.input('x', 'int8', IMAGE), S);
  build(m);
  m.quantise('y', out);
  for (const name of outputs) m.output(name);
  return m.spec();
}

function stepsOf(spec: ModelSpec): readonly string[] {
  const plan = planFused(spec);
  expect(replayFaults(infer(spec, {}).graph, plan)).toEqual([]);
  return stepTexts(plan);
}

const conv = (m: QdqModel, scale: Scale = { scale: 0.1 }, bias: readonly string[] = []): string =>
  m.run('Conv', ['x_f', m.weight('w', [4, 4, 3, 3], scale), ...bias], 'y');

const plain =
  (op: string, more: Parameters<QdqModel['run']>[3] = {}): Build =>
  (m) =>
    m.run(op, ['x_f'], 'y', more);

const shaped =
  (op: string, ...operand: Parameters<QdqModel['constant']>): Build =>
  (m) =>
    m.run(op, ['x_f', m.constant(...operand)], 'y');

const two =
  (op: string): Build =>
  (m) =>
    m.run(op, ['x_f', m.dequantise(m.input('z', 'int8', IMAGE), S)], 'y');

const joinedWithX = ['x_f+y+y_q: x -> y_q'];
const joinedWithBoth = ['x_f+z_f+y+y_q: x z -> y_q'];
const joinedWithWeight = ['x_f+w_f+y+y_q: x -> y_q'];

const OPERATORS: Readonly<Record<string, readonly [Build, readonly string[]]>> = {
  Conv: [(m) => conv(m), joinedWithWeight],
  ConvTranspose: [
    (m) => m.run('ConvTranspose', ['x_f', m.weight('w', [4, 5, 2, 2], { scale: 0.1 })], 'y'),
    joinedWithWeight,
  ],
  Gemm: [
    (m) => {
      m.run('Flatten', ['x_f'], 'v');
      m.dequantise(m.quantise('v', S), S, 'v_f');
      m.run('Gemm', ['v_f', m.weight('w', [256, 5], { scale: 0.1 })], 'y');
    },
    ['x_f+v+v_q: x -> v_q', 'v_f+w_f+y+y_q: v_q -> y_q'],
  ],
  MatMul: [(m) => m.run('MatMul', ['x_f', m.weight('w', [8, 5], { scale: 0.1 })], 'y'), joinedWithWeight],
  Add: [two('Add'), joinedWithBoth],
  Sub: [two('Sub'), joinedWithBoth],
  Mul: [two('Mul'), joinedWithBoth],
  PRelu: [(m) => m.run('PRelu', ['x_f', m.weight('w', [4, 1, 1], { scale: 0.1 })], 'y'), joinedWithWeight],
  AveragePool: [plain('AveragePool', { kernel_shape: [2, 2] }), joinedWithX],
  GlobalAveragePool: [plain('GlobalAveragePool'), joinedWithX],
  ReduceMean: [plain('ReduceMean', { axes: [2, 3] }), joinedWithX],
  Softmax: [plain('Softmax'), joinedWithX],
  LogSoftmax: [plain('LogSoftmax'), joinedWithX],
  Relu: [plain('Relu'), joinedWithX],
  Clip: [
    (m) =>
      m.run(
        'Clip',
        ['x_f', m.constant('low', 'float32', [], [0]), m.constant('high', 'float32', [], [6])],
        'y',
      ),
    joinedWithX,
  ],
  LeakyRelu: [plain('LeakyRelu'), joinedWithX],
  Elu: [plain('Elu'), joinedWithX],
  Gelu: [plain('Gelu'), joinedWithX],
  Sigmoid: [plain('Sigmoid'), joinedWithX],
  HardSigmoid: [plain('HardSigmoid'), joinedWithX],
  HardSwish: [plain('HardSwish'), joinedWithX],
  Tanh: [plain('Tanh'), joinedWithX],
  Where: [
    (m) =>
      m.run(
        'Where',
        [m.input('mask', 'bool', IMAGE), 'x_f', m.dequantise(m.input('z', 'int8', IMAGE), S)],
        'y',
      ),
    ['x_f+z_f+y+y_q: mask x z -> y_q'],
  ],
  Concat: [
    (m) => m.run('Concat', ['x_f', m.dequantise(m.input('z', 'int8', IMAGE), S)], 'y', { axis: 1 }),
    joinedWithBoth,
  ],
  Max: [two('Max'), joinedWithBoth],
  Min: [two('Min'), joinedWithBoth],
  MaxPool: [plain('MaxPool', { kernel_shape: [2, 2] }), joinedWithX],
  GlobalMaxPool: [plain('GlobalMaxPool'), joinedWithX],
  ReduceMax: [plain('ReduceMax', { axes: [2, 3] }), joinedWithX],
  Resize: [
    (m) => m.run('Resize', ['x_f', '', m.constant('k', 'float32', [4], [1, 1, 2, 2])], 'y'),
    joinedWithX,
  ],
  Pad: [shaped('Pad', 'k', 'int64', [8], [0, 0, 1, 1, 0, 0, 1, 1]), joinedWithX],
  Slice: [
    (m) =>
      m.run(
        'Slice',
        [
          'x_f',
          m.constant('from', 'int64', [1], [0]),
          m.constant('to', 'int64', [1], [2]),
          m.constant('axis', 'int64', [1], [1]),
        ],
        'y',
      ),
    joinedWithX,
  ],
  Split: [plain('Split', { axis: 1 }), joinedWithX],
  Gather: [shaped('Gather', 'k', 'int64', [1], [0]), joinedWithX],
  Reshape: [shaped('Reshape', 'k', 'int64', [2], [1, -1]), joinedWithX],
  Flatten: [plain('Flatten'), joinedWithX],
  Squeeze: [shaped('Squeeze', 'k', 'int64', [1], [0]), joinedWithX],
  Unsqueeze: [shaped('Unsqueeze', 'k', 'int64', [1], [0]), joinedWithX],
  Transpose: [plain('Transpose', { perm: [0, 2, 3, 1] }), joinedWithX],
  Expand: [shaped('Expand', 'k', 'int64', [4], [2, 4, 8, 8]), joinedWithX],
  Tile: [shaped('Tile', 'k', 'int64', [4], [1, 2, 1, 1]), joinedWithX],
  DepthToSpace: [plain('DepthToSpace', { blocksize: 2 }), joinedWithX],
  SpaceToDepth: [plain('SpaceToDepth', { blocksize: 2 }), joinedWithX],
};

describe('every operator with an integer form', () => {
  it('is tried here', () => {
    expect(Object.keys(OPERATORS).sort()).toEqual(
      COMMON_FUSIONS.integer.operators.map(({ op }) => op).sort(),
    );
  });

  it.each(Object.entries(OPERATORS))('%s', (op, [build, steps]) => {
    const spec = modelOf(build);
    expect(stepsOf(op === 'Gelu' ? { ...spec, opset: 20 } : spec)).toEqual(steps);
  });

  it.each(COMMON_FUSIONS.integer.operators.map(({ op, scales }) => [op, scales] as const))(
    '%s between different scales: %s',
    (op, scales) => {
      const [build] = OPERATORS[op]!;
      const spec = modelOf(build, OTHER);
      const { steps } = planFused(op === 'Gelu' ? { ...spec, opset: 20 } : spec);
      const last = steps.at(-1)!;
      expect(last.fused.includes('y')).toBe(scales === 'any');
    },
  );

  it('an operator without one stays in float', () => {
    expect(stepsOf(modelOf(plain('Sin')))).toEqual(['x_f: x -> x_f', 'y: x_f -> y', 'y_q: y -> y_q']);
  });
});

describe('operands', () => {
  const apart = (steps: readonly string[]): boolean => steps.every((step) => !/y\+y_q/.test(step));

  it('have one type, which the result has, too', () => {
    const typed = (type: Scale['type']): ModelSpec => {
      const m = qdqModel();
      m.dequantise(m.input('x', 'int8', IMAGE), S);
      m.run('Relu', ['x_f'], 'y');
      m.output(m.quantise('y', { ...S, type: type! }));
      return m.spec();
    };
    expect(apart(stepsOf(typed('int8')))).toBe(false);
    expect(apart(stepsOf(typed('uint8')))).toBe(true);
  });

  it('may have 16 bits', () => {
    const m = qdqModel();
    const wide: Scale = { ...S, type: 'uint16' };
    m.dequantise(m.input('x', 'uint16', IMAGE), wide);
    m.run('Relu', ['x_f'], 'y');
    m.output(m.quantise('y', wide));
    expect(stepsOf(m.spec(21))).toEqual(joinedWithX);
  });

  it('must be quantised, all of them', () => {
    const mixed = modelOf((m) => m.run('Add', ['x_f', m.input('z', 'float32', IMAGE)], 'y'));
    expect(stepsOf(mixed)).toEqual(['x_f: x -> x_f', 'y: x_f z -> y', 'y_q: y -> y_q']);
  });

  it('must have constant scales', () => {
    const m = qdqModel();
    m.input('x', 'int8', IMAGE);
    m.input('s', 'float32', []);
    m.run('DequantizeLinear', ['x', 's'], 'x_f');
    m.run('Relu', ['x_f'], 'y');
    m.output(m.quantise('y', S));
    expect(apart(stepsOf(m.spec()))).toBe(true);
  });

  it('have one scale per tensor: one per channel belongs to weights', () => {
    const perChannel: Scale = { scale: [1, 2, 3, 4], axis: 1 };
    const m = qdqModel();
    m.dequantise(m.input('x', 'int8', IMAGE), perChannel);
    m.run('Relu', ['x_f'], 'y');
    m.output(m.quantise('y', S));
    expect(apart(stepsOf(m.spec()))).toBe(true);
    expect(apart(stepsOf(modelOf(plain('Relu'), perChannel)))).toBe(true);
  });

  it('may be constants: a table is gathered as it is', () => {
    const m = qdqModel();
    m.weight('table', [100, 16], S);
    m.run('Gather', ['table_f', m.input('at', 'int64', [1, 5])], 'y');
    m.output(m.quantise('y', S));
    const plan = planFused(m.spec());
    expect(stepTexts(plan)).toEqual(['table_f+y+y_q: at -> y_q']);
    expect(plan.constants.map(({ name, bytes }) => `${name} ${bytes}`)).toContain('table 1600');
  });

  it('that are limits must be constants', () => {
    const limited = modelOf((m) => m.run('Clip', ['x_f', m.input('low', 'float32', [])], 'y'));
    expect(apart(stepsOf(limited))).toBe(true);
  });
});

describe('results', () => {
  it('are quantised, and nothing else', () => {
    expect(stepsOf(modelOf(plain('Relu'), S, ['y_q', 'y']))).toEqual([
      'x_f: x -> x_f',
      'y: x_f -> y',
      'y_q: y -> y_q',
    ]);
    const twice = modelOf((m) => {
      m.run('Relu', ['x_f'], 'y');
      m.output(m.run('Sin', ['y'], 'z'));
    });
    expect(stepsOf(twice)).toEqual(['x_f: x -> x_f', 'y: x_f -> y', 'z: y -> z', 'y_q: y -> y_q']);
  });

  it('that are kept stay', () => {
    const plan = planFused(modelOf(plain('Relu')), { keep: ['y'] });
    expect(stepTexts(plan)).toEqual(['x_f: x -> x_f', 'y: x_f -> y', 'y_q: y -> y_q']);
  });

  it('of a Split are all quantised in the same way', () => {
    const split = (second: Scale): ModelSpec => {
      const m = qdqModel();
      m.dequantise(m.input('x', 'int8', IMAGE), S);
      const spec = m.spec();
      m.output(m.quantise('y', S));
      m.output(m.quantise('z', second));
      const [first, ...rest] = m.spec().nodes!;
      const node = {
        opType: 'Split',
        name: 'y',
        input: ['x_f'],
        output: ['y', 'z'],
        attribute: [{ name: 'axis', type: 2, i: 1 }],
      };
      return { ...spec, ...m.spec(), nodes: [first!, node, ...rest] };
    };
    expect(stepsOf(split(S))).toEqual(['x_f+y+y_q+z_q: x -> y_q z_q']);
    expect(stepsOf(split(OTHER)).length).toBe(4);
  });
});

describe('a DequantizeLinear with several readers', () => {
  it('becomes part of each', () => {
    const spec = modelOf((m) => {
      m.run('Relu', ['x_f'], 'y');
      m.run('Sigmoid', ['x_f'], 'z');
      m.output(m.quantise('z', S));
    });
    expect(stepsOf(spec)).toEqual(['x_f+y+y_q: x -> y_q', 'x_f+z+z_q: x -> z_q']);
  });

  it('stays for those that are no integer steps', () => {
    const spec = modelOf((m) => {
      m.run('Relu', ['x_f'], 'y');
      m.output(m.run('Sin', ['x_f'], 'z'));
    });
    expect(stepsOf(spec)).toEqual(['x_f: x -> x_f', 'x_f+y+y_q: x -> y_q', 'z: x_f -> z']);
  });

  it('stays where its output is one of the graph', () => {
    expect(stepsOf(modelOf(plain('Relu'), S, ['x_f', 'y_q']))).toEqual([
      'x_f: x -> x_f',
      'x_f+y+y_q: x -> y_q',
    ]);
  });
});

describe('weights', () => {
  const perChannel = (axis: number, count = 4): Scale => ({
    scale: new Array<number>(count).fill(0.1),
    axis,
  });
  const isJoined = (spec: ModelSpec): boolean => stepsOf(spec).at(-1)!.includes('y+y_q');

  it.each<[string, Build, boolean]>([
    ['Conv: scales of output channels', (m) => conv(m, perChannel(0)), true],
    ['Conv: scales of input channels', (m) => conv(m, perChannel(1)), false],
    [
      'ConvTranspose: scales of output channels',
      (m) => m.run('ConvTranspose', ['x_f', m.weight('w', [4, 5, 2, 2], perChannel(1, 5))], 'y'),
      true,
    ],
    [
      'ConvTranspose: scales of input channels',
      (m) => m.run('ConvTranspose', ['x_f', m.weight('w', [4, 5, 2, 2], perChannel(0))], 'y'),
      false,
    ],
    [
      'MatMul: scales of columns',
      (m) => m.run('MatMul', ['x_f', m.weight('w', [8, 5], perChannel(1, 5))], 'y'),
      true,
    ],
    [
      'MatMul: scales of columns, from the end',
      (m) => m.run('MatMul', ['x_f', m.weight('w', [8, 5], perChannel(-1, 5))], 'y'),
      true,
    ],
    [
      'MatMul: scales of rows',
      (m) => m.run('MatMul', ['x_f', m.weight('w', [8, 5], perChannel(0, 8))], 'y'),
      false,
    ],
  ])('%s', (_, build, expected) => expect(isJoined(modelOf(build))).toBe(expected));

  it.each([
    [0, 0, false],
    [0, 1, true],
    [1, 0, true],
    [1, 1, false],
  ])('Gemm with transB %i: scales along axis %i', (transB, axis, expected) => {
    const m = qdqModel();
    m.dequantise(m.input('x', 'int8', [2, 8]), S);
    const shape = transB === 1 ? [5, 8] : [8, 5];
    m.run('Gemm', ['x_f', m.weight('w', shape, perChannel(axis, shape[axis]!))], 'y', { transB });
    m.output(m.quantise('y', S));
    expect(isJoined(m.spec())).toBe(expected);
  });

  it.each([
    ['alpha', false],
    ['beta', false],
    [undefined, true],
  ])('Gemm with %s', (name, expected) => {
    const m = qdqModel();
    m.dequantise(m.input('x', 'int8', [2, 8]), S);
    m.run(
      'Gemm',
      ['x_f', m.weight('w', [8, 5], { scale: 0.1 })],
      'y',
      name === undefined ? {} : { [name]: float(2) },
    );
    m.output(m.quantise('y', S));
    expect(isJoined(m.spec())).toBe(expected);
  });

  it('that are floats, or of a type without kernels, forbid it', () => {
    const floats = modelOf((m) => m.run('Conv', ['x_f', m.constant('w', 'float32', [4, 4, 3, 3])], 'y'));
    expect(isJoined(floats)).toBe(false);
    const wide = modelOf((m) =>
      m.run('Conv', ['x_f', m.weight('w', [4, 4, 3, 3], { scale: 1 }, 'int32')], 'y'),
    );
    expect(isJoined(wide)).toBe(false);
  });

  it('may be another activation, with one scale', () => {
    const product = (scale: Scale) =>
      modelOf((m) => m.run('MatMul', ['x_f', m.dequantise(m.input('z', 'int8', [1, 4, 8, 8]), scale)], 'y'));
    expect(stepsOf(product(OTHER))).toEqual(['x_f+z_f+y+y_q: x z -> y_q']);
    expect(isJoined(product({ scale: new Array<number>(8).fill(1), axis: 3 }))).toBe(false);
  });

  it('count as what they are, once they are joined: not as floats in the arena', () => {
    const spec = modelOf((m) => conv(m));
    const fused = planFused(spec);
    const weights = 4 * 4 * 3 * 3;
    expect(fused.constants.find(({ name }) => name === 'w')).toMatchObject({ type: 'int8', bytes: weights });
    expect(fused.totals.noReuseBytes).toBe(4 * 8 * 8 + 4 * 6 * 6);
    expect(fused.diagnostics.map(({ code }) => code)).not.toContain('N_WEIGHT_DEQUANTIZED');
    expect(planSpec(spec).tensors.find(({ name }) => name === 'w_f')).toMatchObject({
      type: 'float32',
      bytes: 4 * weights,
    });
  });

  it('that stay floats are named, with the bytes and the reason', () => {
    const said = (spec: ModelSpec) =>
      planFused(spec).diagnostics.flatMap(({ code, text }) =>
        code === 'N_WEIGHT_DEQUANTIZED' ? [text] : [],
      );
    expect(said(modelOf((m) => conv(m), S, ['y_q', 'y']))).toEqual([
      'w_f turns the weight w into 576 bytes of floats while the network runs, because y (Conv) hands out y as it is.',
    ]);
    expect(said(modelOf((m) => conv(m, perChannel(1))))).toEqual([
      'w_f turns the weight w into 576 bytes of floats while the network runs, because y (Conv) has a weight, w_f, ' +
        'whose scales do not belong to its output channels.',
    ]);
    expect(
      said(modelOf((m) => m.run('Sum', ['x_f', m.weight('w', [1, 4, 1, 1], { scale: 0.1 })], 'y'))),
    ).toEqual([
      'w_f turns the weight w into 16 bytes of floats while the network runs, because y (Sum) has no integer form.',
    ]);
  });

  it('are counted in one note where nothing is fused', () => {
    const { diagnostics } = planSpec(modelOf((m) => conv(m)));
    expect(diagnostics.filter(({ code }) => code === 'N_WEIGHT_DEQUANTIZED')).toMatchObject(
      [
        { text: 'The network turns 1 quantised weight into floats in the arena.', hint: /--fuse default/ },
      ].map((expected) => ({ ...expected, hint: expect.stringMatching(expected.hint) })),
    );
  });
});

describe('a bias', () => {
  const biased = (scale: Scale, type: Scale['type'] = 'int32', weightScale: Scale = { scale: 0.1 }) =>
    modelOf((m) => conv(m, weightScale, [m.weight('b', [4], { ...scale, type: type! }, type)]));
  const isJoined = (spec: ModelSpec): boolean => stepsOf(spec).at(-1)!.includes('y+y_q');
  // x has scale 0.5, w 0.1.
  it.each<[string, ModelSpec, boolean]>([
    ['is int32 with the scale of data times weight', biased({ scale: Math.fround(0.05) }), true],
    ['has one such scale per channel', biased({ scale: new Array<number>(4).fill(0.05), axis: 0 }), true],
    [
      'follows the scales of the channels of the weight',
      biased({ scale: [0.05, 0.1, 0.15, 0.2], axis: 0 }, 'int32', { scale: [0.1, 0.2, 0.3, 0.4], axis: 0 }),
      true,
    ],
    ['of another scale forbids it', biased({ scale: 0.051 }), false],
    [
      'with one channel of another scale forbids it',
      biased({ scale: [0.05, 0.05, 0.05, 0.06], axis: 0 }),
      false,
    ],
    ['with a zero point forbids it', biased({ scale: 0.05, zeroPoint: 1 }), false],
    ['of 8 bits forbids it', biased({ scale: 0.05 }, 'int8'), false],
    [
      'that is still a float constant is rounded before',
      modelOf((m) => conv(m, { scale: 0.1 }, [m.constant('b', 'float32', [4])])),
      true,
    ],
    [
      'that is computed forbids it',
      modelOf((m) => conv(m, { scale: 0.1 }, [m.input('b', 'float32', [4])])),
      false,
    ],
  ])('%s', (_, spec, expected) => expect(isJoined(spec)).toBe(expected));

  it('needs no scale of its own any more', () => {
    const names = planFused(biased({ scale: 0.05 })).constants.map(({ name }) => name);
    expect(names.sort()).toEqual(
      ['w', 'b', 'x_f_scale', 'x_f_zero', 'w_f_scale', 'w_f_zero', 'y_q_scale', 'y_q_zero'].sort(),
    );
  });
});

describe('what stands behind the operator', () => {
  it.each([
    ['Relu', true],
    ['Clip', true],
    ['LeakyRelu', false],
    ['Sigmoid', false],
  ])('%s before the QuantizeLinear is a limit of the result: %s', (op, expected) => {
    const m = qdqModel();
    m.dequantise(m.input('x', 'int8', IMAGE), S);
    m.run('Conv', ['x_f', m.weight('w', [4, 4, 3, 3], { scale: 0.1 })], 'c');
    m.run(op, ['c'], 'y');
    m.output(m.quantise('y', S));
    const steps = stepsOf(m.spec());
    expect(steps).toEqual(
      expected
        ? ['x_f+w_f+c+y+y_q: x -> y_q']
        : ['x_f: x -> x_f', 'w_f:  -> w_f', 'c+y: x_f w_f -> y', 'y_q: y -> y_q'],
    );
  });
});

describe('Pad between quantised tensors', () => {
  const padded = (value: (m: QdqModel) => string, op: string, more = {}): ModelSpec => {
    const m = qdqModel();
    m.dequantise(m.input('x', 'int8', IMAGE), S);
    m.run('Pad', ['x_f', m.constant('k', 'int64', [8], [0, 0, 1, 1, 0, 0, 1, 1]), value(m)], 'p');
    m.dequantise(m.quantise('p', S), S, 'p_f');
    const weight = op === 'Conv' ? [m.weight('w', [4, 4, 3, 3], { scale: 0.1 })] : [];
    m.run(op, ['p_f', ...weight], 'y', more);
    m.output(m.quantise('y', S));
    return m.spec();
  };
  const real = (value: number) => (m: QdqModel) => m.constant('v', 'float32', [], [value]);
  const element = (value: number) => (m: QdqModel) =>
    m.run('DequantizeLinear', [m.constant('v', 'int8', [], [value]), 'x_f_scale', 'x_f_zero'], 'v_f');
  const window = { kernel_shape: [3, 3] };
  it.each<[string, ModelSpec, number]>([
    ['with 0 goes into the Conv', padded(real(0), 'Conv'), 1],
    ['with the zero point goes into the Conv', padded(element(3), 'Conv'), 1],
    ['with another element stays', padded(element(0), 'Conv'), 2],
    ['with another number stays', padded(real(1), 'Conv'), 2],
    ['with minus infinity goes into the MaxPool', padded(real(-Infinity), 'MaxPool', window), 1],
    ['with 0 stays before a MaxPool', padded(real(0), 'MaxPool', window), 2],
  ])('%s', (_, spec, count) => expect(stepsOf(spec).length).toBe(count));

  it('on integers goes into a QLinearConv where it fills with the zero point', () => {
    const steps = (value: number): number => {
      const m = qdqModel();
      m.input('x', 'int8', IMAGE);
      m.run(
        'Pad',
        ['x', m.constant('k', 'int64', [8], [0, 0, 1, 1, 0, 0, 1, 1]), m.constant('v', 'int8', [], [value])],
        'p',
      );
      const parameters = (of: string, zero: number): string[] => [
        m.constant(`${of}_scale`, 'float32', [], [0.5]),
        m.constant(`${of}_zero`, 'int8', [], [zero]),
      ];
      m.output(
        m.run(
          'QLinearConv',
          [
            'p',
            ...parameters('p', 3),
            m.constant('w', 'int8', [4, 4, 3, 3]),
            ...parameters('w', 0),
            ...parameters('y', 0),
          ],
          'y',
        ),
      );
      return stepsOf(m.spec()).length;
    };
    expect([steps(3), steps(0)]).toEqual([1, 2]);
  });
});

describe('pairs', () => {
  it('of DequantizeLinear and QuantizeLinear that change nothing are left out', () => {
    const spec = modelOf((m) => {
      m.quantise('x_f', S, 'same');
      m.run('Sin', [m.dequantise('same', S)], 'y');
    });
    expect(stepsOf(spec)).toEqual(['same_f: x -> same_f', 'y: same_f -> y', 'y_q: y -> y_q']);
  });

  it('that change the scale are one step on integers', () => {
    const spec = modelOf((m) => {
      m.quantise('x_f', OTHER, 'other');
      m.run('Sin', [m.dequantise('other', OTHER)], 'y');
    });
    expect(stepsOf(spec)[0]).toBe('x_f+other: x -> other');
  });

  it('that change nothing but give an output its name stay', () => {
    const m = qdqModel();
    m.dequantise(m.input('x', 'int8', IMAGE), S);
    m.output(m.quantise('x_f', S));
    expect(stepsOf(m.spec())).toEqual(['x_f+x_f_q: x -> x_f_q']);
  });

  it('of Transpose that undo each other are left out on integers as well', () => {
    const spec = modelOf((m) => {
      m.run('Transpose', ['x_f'], 't', { perm: [0, 2, 3, 1] });
      m.run('Transpose', [m.dequantise(m.quantise('t', S), S)], 'u', { perm: [0, 3, 1, 2] });
      m.run('Relu', [m.dequantise(m.quantise('u', S), S)], 'y');
    });
    expect(stepsOf(spec)).toEqual(['u_q_f+y+y_q: x -> y_q']);
  });
});

describe('sharing bytes', () => {
  const howOf = (build: Build): string =>
    planFused(modelOf(build), { preserveInputs: false }).tensors.find(({ name }) => name === 'y_q')!.how;

  it.each<[string, Build, string]>([
    ['Relu of integers writes over its input', plain('Relu'), 'in-place'],
    ['so does a Sigmoid', plain('Sigmoid'), 'in-place'],
    ['and an Add', two('Add'), 'in-place'],
    ['a Reshape shows it', shaped('Reshape', 'k', 'int64', [2], [1, -1]), 'view'],
    [
      'a Conv of the same size with a Relu does not',
      (m) => {
        m.run('Conv', ['x_f', m.weight('w', [4, 4, 1, 1], { scale: 0.1 })], 'c');
        m.run('Relu', ['c'], 'y');
      },
      'own',
    ],
    ['nor does a MaxPool of windows of one element', plain('MaxPool', { kernel_shape: [1, 1] }), 'own'],
  ])('%s', (_, build, how) => expect(howOf(build)).toBe(how));
});
