/**
 * Who may share bytes where only the largest size is known. A run may have any smaller one: an operand that is planned as
 * [1,5] may be [1,1] and be read again and again while its bytes are written.
 */
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import type { Fact } from '../../src/graph/types.ts';
import { planModel } from '../../src/pipeline.ts';
import type { Plan } from '../../src/plan/types.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';
import { graph, type ModelSpec, model, node, tensor, writeTemp } from '../support/onnx.ts';
import { requestOf } from '../support/planned.ts';

const ints = (...values: number[]) => tensor('int64', [values.length], values);
const fact = (type: Fact['type'], ...shape: number[]): Fact => ({ type, shape });

function planned(spec: ModelSpec, bindings: Partial<Bindings> = {}): Plan {
  const file = writeTemp(model(spec));
  return planModel(requestOf({ models: [file], align: 4, bindings: { ...NO_BINDINGS, ...bindings } })).plan;
}

const howOf = ({ tensors }: Plan) => Object.fromEntries(tensors.map(({ name, how }) => [name, how]));
const shapesOf = ({ tensors }: Plan) => Object.fromEntries(tensors.map(({ name, shape }) => [name, shape]));

/** Indexes of what is not 0, as floats, which are added to five numbers or to the indexes of something else. */
const added = (declared?: number): ModelSpec => ({
  inputs: { mask: ['float32', [5]], other: ['float32', [5]], five: ['float32', [1, 5]] },
  outputs: ['sum', 'sums'],
  nodes: [
    node('NonZero', ['mask'], ['found'], {}, { name: 'find' }),
    node('NonZero', ['other'], ['others'], {}, { name: 'find_others' }),
    node('Cast', ['found'], ['floats'], { to: 1 }),
    node('Cast', ['others'], ['other_floats'], { to: 1 }),
    node('Sigmoid', ['five'], ['fixed']),
    node('Sigmoid', ['floats'], ['soft']),
    node('Sigmoid', ['other_floats'], ['other_soft']),
    node('Add', ['other_soft', 'soft'], ['both']),
    node('Tanh', ['both'], ['sums']),
    node('Neg', ['floats'], ['again']),
    node('Add', ['again', 'fixed'], ['sum']),
  ],
  ...(declared !== undefined && {
    valueInfo: { found: ['int64', [1, declared]], others: ['int64', [1, declared]] },
  }),
});

const BOUNDED: readonly (readonly [string, ModelSpec, Partial<Bindings>])[] = [
  [
    '--op-shape',
    added(),
    {
      opShapes: new Map([
        ['find', [fact('int64', 1, 5)]],
        ['find_others', [fact('int64', 1, 5)]],
      ]),
    },
  ],
  [
    '--max-size',
    added(),
    {
      maxSizes: new Map([
        ['found', 5],
        ['others', 5],
      ]),
    },
  ],
  ['what the file declares', added(5), {}],
];

describe.each(BOUNDED)('a size bounded by %s', (_, spec, bindings) => {
  const plan = planned(spec, bindings);

  it('is planned at its largest, everywhere', () => {
    expect(shapesOf(plan)).toMatchObject({
      ...{ found: [1, 5], floats: [1, 5], soft: [1, 5], both: [1, 5], sums: [1, 5], sum: [1, 5] },
    });
  });

  it('lets nothing be written over an operand that may be the smaller one', () => {
    // Both operands of `both` may be [1,1] while the other is [1,5]; `again` may be, `fixed` is not.
    const { both, sum } = howOf(plan);
    expect(both).toBe('own');
    const place = (name: string) => plan.tensors.find((tensor) => tensor.name === name)!;
    expect(sum === 'in-place' && place('sum').aliasOf).not.toBe('again');
    expect(place('sum').buffer).not.toBe(place('again').buffer);
  });

  it('lets an operator write over its only operand, which has the same size in every run', () => {
    expect(howOf(plan)).toMatchObject({
      soft: 'own',
      other_soft: 'in-place',
      sums: 'in-place',
      again: 'in-place',
    });
  });

  it('is written down', () => {
    const { bounds, maxSizes } = plan.assumptions;
    const named = [...(bounds ?? []), ...(maxSizes ?? [])].map(({ tensor: name }) => name);
    expect(named).toEqual(['found', 'others']);
    expect(plan.tensors.find(({ name }) => name === 'found')?.sizes).toEqual(['1', '?1']);
  });
});

describe('places that move with a size of which only the largest is known', () => {
  const bindings = { opShapes: new Map([['find', [fact('int64', 1, 6)]]]) };
  const found = node('NonZero', ['mask'], ['found'], {}, { name: 'find' });
  const base = { inputs: { mask: ['float32', [6]] } } as const;

  it('are no views: the last of six begins elsewhere when there are three', () => {
    const plan = planned(
      {
        ...base,
        outputs: ['y'],
        initializers: { from: ints(-1), to: ints(1 << 30), axis: ints(1) },
        nodes: [
          found,
          node('Slice', ['found', 'from', 'to', 'axis'], ['last']),
          node('Neg', ['last'], ['y']),
        ],
      },
      bindings,
    );
    expect(howOf(plan)).toMatchObject({ last: 'own' });
  });

  it('are no parts: what stands behind three begins before what stands behind six', () => {
    const plan = planned(
      {
        ...base,
        outputs: ['y'],
        nodes: [
          found,
          node('Neg', ['found'], ['a']),
          node('Abs', ['found'], ['b']),
          node('Concat', ['a', 'b'], ['joined'], { axis: 1 }),
          node('Neg', ['joined'], ['y']),
        ],
      },
      bindings,
    );
    const how = howOf(plan);
    expect([how.a, how.b]).not.toContain('elided');
    expect(shapesOf(plan).joined).toEqual([1, 12]);
  });

  it('are no parts of a Split whose sizes are computed from data', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [6, 2]], sizes: ['int64', [2]] },
      outputs: ['y', 'z'],
      nodes: [
        node('Relu', ['x'], ['whole']),
        node('Split', ['whole', 'sizes'], ['a', 'b'], { axis: 0 }, { name: 'split' }),
        node('Neg', ['a'], ['y']),
        node('Neg', ['b'], ['z']),
      ],
    };
    const plan = planned(spec, {
      opShapes: new Map([['split', [fact('float32', 6, 2), fact('float32', 6, 2)]]]),
    });
    expect(howOf(plan)).toMatchObject({ a: 'own', b: 'own' });
    expect(shapesOf(plan)).toMatchObject({ a: [6, 2], b: [6, 2] });
  });
});

describe('the branches of an If', () => {
  const one = graph({ nodes: [node('Neg', ['x'], ['one'])], outputs: ['one'] });
  const three = graph({
    nodes: [node('Concat', ['x', 'x', 'x'], ['three'], { axis: 0 })],
    outputs: ['three'],
  });
  const spec: ModelSpec = {
    inputs: { c: ['bool', []], x: ['float32', [1, 4]], y: ['float32', [3, 4]] },
    outputs: ['out'],
    nodes: [
      node('If', ['c'], ['chosen'], { then_branch: one, else_branch: three }, { name: 'choose' }),
      node('Relu', ['y'], ['full']),
      node('Neg', ['full'], ['used']),
      node('Add', ['chosen', 'full'], ['sum']),
      node('Add', ['sum', 'used'], ['out']),
    ],
  };

  it('take the larger, which is no place for a result that may be larger than what was chosen', () => {
    const plan = planned(spec);
    expect(shapesOf(plan)).toMatchObject({ chosen: [3, 4], sum: [3, 4] });
    const buffer = (name: string) => plan.tensors.find((t) => t.name === name)!.buffer;
    expect(buffer('sum')).not.toBe(buffer('chosen'));
    expect(plan.assumptions.bounds).toEqual([{ tensor: 'chosen', axis: 0, most: 3 }]);
    expect(plan.diagnostics[0]).toMatchObject({ code: 'N_BOUND', node: 'choose' });
  });

  it('are an error where neither is the larger', () => {
    const wide = graph({ nodes: [node('Reshape', ['x', 'shape'], ['wide'])], outputs: ['wide'] });
    const tall = graph({ nodes: [node('Reshape', ['x', 'other'], ['tall'])], outputs: ['tall'] });
    const refused = (): Plan =>
      planned({
        inputs: { c: ['bool', []], x: ['float32', [2, 8]] },
        outputs: ['y'],
        initializers: { shape: ints(1, 16), other: ints(4, 4) },
        nodes: [node('If', ['c'], ['y'], { then_branch: wide, else_branch: tall }, { name: 'choose' })],
      });
    expect(refused).toThrow(MemplanError);
    expect(refused).toThrow(/choose.*float32\[1,16\] and else_branch float32\[4,4\]/);
  });
});

describe('what is stated and needed', () => {
  const conv = (channels: number): ModelSpec => ({
    inputs: { x: ['float32', [1, 8, 4, 4]], shape: ['int64', [4]] },
    outputs: ['y'],
    initializers: { w: tensor('float32', [2, channels, 1, 1], new Array(2 * channels).fill(0)) },
    nodes: [
      node('Reshape', ['x', 'shape'], ['turned'], {}, { name: 'turn' }),
      node('Conv', ['turned', 'w'], ['y']),
    ],
  });
  const stated = { opShapes: new Map([['turn', [fact('float32', 1, 8, 4, 4)]]]) };

  it('agree: a later operator knows the size better', () => {
    const plan = planned(conv(8), stated);
    expect(plan.tensors.find(({ name }) => name === 'turned')?.sizes).toEqual(['?1', '8', '?3', '?4']);
  });

  it('contradict each other', () => {
    expect(() => planned(conv(16), stated)).toThrow(
      /--op-shape turn: a size of at most 8 is stated, but what reads it needs 16/,
    );
  });
});
