/** Plans for ranges of sizes; bytes by hand. */
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { planModel } from '../../src/pipeline.ts';
import type { Plan } from '../../src/plan/types.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';
import { type ModelSpec, model, node, tensor, writeTemp } from '../support/onnx.ts';
import { requestOf } from '../support/planned.ts';

const ints = (...values: number[]) => tensor('int64', [values.length], values);

function planned(spec: ModelSpec, bindings: Partial<Bindings>): Plan {
  const file = writeTemp(model(spec));
  return planModel(requestOf({ models: [file], align: 4, bindings: { ...NO_BINDINGS, ...bindings } })).plan;
}

function faultsOf(spec: ModelSpec, bindings: Partial<Bindings>): string {
  try {
    planned(spec, bindings);
    return '';
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    return error.diagnostics.map(({ code, text, hint }) => `${code} ${text} ${hint ?? ''}`).join('\n');
  }
}

const bytesOf = ({ tensors }: Plan) => Object.fromEntries(tensors.map(({ name, bytes }) => [name, bytes]));
const howOf = ({ tensors }: Plan) => Object.fromEntries(tensors.map(({ name, how }) => [name, how]));
const seq = (least: number, most: number) => new Map([['seq', { least, most }]]);

/** A sequence, what is left of 12, the two joined, and a Relu. */
const JOINED: ModelSpec = {
  inputs: { x: ['float32', ['seq', 2]], rest: ['float32', [12, 2]] },
  outputs: ['z'],
  initializers: { zero: ints(0), last: ints(-1), axis: ints(0) },
  nodes: [
    node('Relu', ['x'], ['a']),
    node('Neg', ['a'], ['b']),
    node('Concat', ['a', 'b'], ['both'], { axis: 0 }),
    node('Sigmoid', ['both'], ['s']),
    node('ReduceSum', ['s', 'axis'], ['z']),
  ],
};

describe('a range of sizes', () => {
  it('gives every tensor its largest size, and says which sizes it is good for', () => {
    const plan = planned(JOINED, { ranges: seq(1, 5) });
    expect(bytesOf(plan)).toMatchObject({ x: 40, a: 40, b: 40, both: 80, s: 80, z: 8 });
    expect(plan.assumptions.ranges).toEqual([{ name: 'seq', least: 1, most: 5 }]);
    expect(plan.tensors.find(({ name }) => name === 'both')?.sizes).toEqual(['2*seq', '2']);
    expect(plan.tensors.find(({ name }) => name === 'rest')?.sizes).toBeUndefined();
  });

  it('writes in place where shapes are equal as formulas, and copies parts whose places would move', () => {
    expect(howOf(planned(JOINED, { ranges: seq(1, 5) }))).toMatchObject({
      a: 'in-place',
      both: 'own',
      s: 'in-place',
    });
    const fixed = howOf(planned(JOINED, { dims: new Map([['seq', 5]]) }));
    expect(Object.values(fixed)).toContain('elided');
  });

  it('is refused where operands fit at some sizes only', () => {
    // x[:4] + x: as long as x up to seq = 4, too short beyond.
    const spec: ModelSpec = {
      inputs: { x: ['float32', ['seq', 2]] },
      outputs: ['y'],
      initializers: { from: ints(0), to: ints(4), axis: ints(0) },
      nodes: [node('Slice', ['x', 'from', 'to', 'axis'], ['part']), node('Add', ['part', 'x'], ['y'])],
    };
    expect(faultsOf(spec, { ranges: seq(3, 5) })).toMatch(/E_(SHAPE|UNRESOLVED) /);
  });

  it('counts what is largest inside the range', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', ['seq', 1]], y: ['float32', [1, 'seq']] },
      outputs: ['z'],
      initializers: { a: ints(0), b: ints(-1), axis: ints(0) },
      nodes: [node('MatMul', ['x', 'y'], ['z'])],
    };
    expect(bytesOf(planned(spec, { ranges: seq(2, 6) }))).toMatchObject({ z: 6 * 6 * 4 });
  });

  it('names the size at which the model does not run', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [1, 1, 'seq', 8]] },
      outputs: ['y'],
      initializers: { w: tensor('float32', [1, 1, 3, 3], new Array(9).fill(0)) },
      nodes: [node('Conv', ['x', 'w'], ['y'], {}, { name: 'conv' })],
    };
    expect(bytesOf(planned(spec, { ranges: seq(3, 9) }))).toMatchObject({ y: 7 * 6 * 4 });
    expect(faultsOf(spec, { ranges: seq(1, 9) })).toMatch(/E_SHAPE With seq=1: conv/);
  });

  it('is refused for a dimension that the model does not have', () => {
    expect(faultsOf(JOINED, { ranges: new Map([['sec', { least: 1, most: 2 }]]) })).toMatch(
      /E_BINDING .*--dim sec/,
    );
  });
});

describe('the most elements of what depends on data', () => {
  const spec: ModelSpec = {
    inputs: { x: ['float32', [4, 3]] },
    outputs: ['picked'],
    initializers: { shape: ints(-1) },
    nodes: [
      node('NonZero', ['x'], ['found'], {}, { name: 'nonzero' }),
      node('Transpose', ['found'], ['rows'], { perm: [1, 0] }),
      node('GatherND', ['x', 'rows'], ['picked']),
    ],
  };
  const most = (name: string, elements: number) => ({ maxSizes: new Map([[name, elements]]) });

  it('bounds the tensor and what follows from it', () => {
    const plan = planned(spec, most('found', 11));
    // Two indexes for each of at most five elements.
    expect(bytesOf(plan)).toMatchObject({ found: 2 * 5 * 8, rows: 5 * 2 * 8, picked: 5 * 4 });
    expect(plan.assumptions.maxSizes).toEqual([{ tensor: 'found', elements: 11 }]);
    expect(verifyNothing(plan)).toBe(true);
  });

  it('is asked for where it is missing, and refused where it says nothing', () => {
    expect(faultsOf(spec, {})).toMatch(/E_UNRESOLVED nonzero .*--max-size found=N elements.*--emit pool/);
    expect(faultsOf(spec, most('x', 3))).toMatch(/E_BINDING --max-size x: its size does not depend on data/);
    expect(faultsOf(spec, most('lost', 3))).toMatch(/E_BINDING --max-size lost: the model has no tensor/);
  });
});

function verifyNothing({ tensors }: Plan): boolean {
  return tensors.every(({ sizes, shape }) => sizes === undefined || sizes.length === shape.length);
}
