/** --dim and --input-shape: what they bind, and what they may not contradict. */
import { describe, expect, it } from 'vitest';
import type { Bindings } from '../../src/shape/types.ts';
import { factTexts, infer } from '../support/infer.ts';
import { type ModelSpec, node } from '../support/onnx.ts';
import { faultsOf } from '../support/read.ts';

const add: ModelSpec = {
  inputs: { x: ['float32', ['N', 16]], z: ['float32', ['N', 1]] },
  outputs: ['y'],
  nodes: [node('Add', ['x', 'z'], ['y'])],
};

const dims = (sizes: Readonly<Record<string, number>>) => new Map(Object.entries(sizes));
const inputShapes = (shapes: Readonly<Record<string, readonly number[]>>) => new Map(Object.entries(shapes));
const faults = (spec: ModelSpec, bindings: Partial<Bindings>) =>
  faultsOf(() => infer(spec, bindings)).map(({ code, text, hint }) => ({ code, text, hint }));

describe('binds', () => {
  it.each<readonly [string, Partial<Bindings>]>([
    ['by name', { dims: dims({ N: 4 }) }],
    ['all that is open', { all: 4 }],
    ['the shape of one input, and its names in the others', { inputShapes: inputShapes({ x: [4, 16] }) }],
    ['two shapes that agree', { inputShapes: inputShapes({ x: [4, 16], z: [4, 1] }) }],
    ['a name and a shape that agree', { dims: dims({ N: 4 }), inputShapes: inputShapes({ z: [4, 1] }) }],
  ])('%s', (_, bindings) => {
    expect(factTexts(add, bindings)).toMatchObject({
      x: 'float32[4,16]',
      z: 'float32[4,1]',
      y: 'float32[4,16]',
    });
  });

  it('keeps names without bindings', () => {
    expect(factTexts(add).y).toBe('float32[N,16]');
  });

  it('a scalar by an empty list, and an input without a rank', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', undefined], s: ['float32', []] },
      outputs: ['y'],
      nodes: [node('Mul', ['x', 's'], ['y'])],
    };
    expect(factTexts(spec, { inputShapes: inputShapes({ x: [2, 3], s: [] }) }).y).toBe('float32[2,3]');
    expect(faults(spec, {})).toMatchObject([
      { code: 'E_OPEN_DIM', hint: expect.stringContaining('--input-shape x:') },
    ]);
  });

  it('a name that only an output declares', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [2, 3]] },
      outputs: { y: ['int64', [2, 'count']] },
      nodes: [node('NonZero', ['x'], ['y'])],
    };
    // What the file calls it is no proof that it has that size in every run.
    const { graph } = infer(spec, { dims: dims({ count: 6 }) });
    expect(factTexts(spec, { dims: dims({ count: 6 }) }).y).toBe('int64[2,?1]');
    expect(graph.ranges).toEqual(new Map([['?1', { least: 0, most: 6 }]]));
  });

  it('placeholders axis by axis', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', ['None', 'None', 3]] },
      outputs: ['y'],
      nodes: [node('Relu', ['x'], ['y'])],
    };
    expect(factTexts(spec, { inputShapes: inputShapes({ x: [5, 7, 3] }) }).y).toBe('float32[5,7,3]');
    expect(factTexts(spec, { dims: dims({ None: 2 }) }).y).toBe('float32[2,2,3]');
  });
});

describe('refuses', () => {
  it('all open inputs together, each with its flags', () => {
    const spec: ModelSpec = { ...add, inputs: { x: ['float32', ['N', 16]], z: ['float32', [null, 1]] } };
    expect(faults(spec, {})).toEqual([
      {
        code: 'E_OPEN_DIM',
        text: 'Input x has the shape [N,16]: its dimension N (axis 0) has no size.',
        hint: '--dim N=1, or --input-shape x:1,16',
      },
      {
        code: 'E_OPEN_DIM',
        text: 'Input z has the shape [z[0],1]: its dimension z[0] (axis 0) has no size.',
        hint: '--input-shape z:1,1',
      },
    ]);
  });

  it('open images without a guess at their size', () => {
    const inputs = { x: ['float32', ['batch', 3, 'h', 'w']] } as const;
    const [fault] = faults({ inputs, outputs: ['y'], nodes: [node('Relu', ['x'], ['y'])] }, {});
    expect(fault?.hint).toBe('--dim batch=1 --dim h=N --dim w=N, or --input-shape x:1,3,N,N');
  });

  it.each<readonly [string, Partial<Bindings>, string]>([
    ['a dimension that is not there', { dims: dims({ M: 1, N: 1 }) }, '--dim M: the model has no dimension'],
    [
      'an input that is not there',
      { inputShapes: inputShapes({ w: [1] }), all: 1 },
      '--input-shape w: the model has no input',
    ],
    ['another rank', { inputShapes: inputShapes({ x: [4] }) }, 'declares 2 dimensions, [N,16]'],
    ['another size', { inputShapes: inputShapes({ x: [4, 8] }) }, 'the model fixes axis 1 at 16'],
    [
      'two sizes for one name',
      { dims: dims({ N: 2 }), inputShapes: inputShapes({ x: [4, 16] }) },
      'axis 0 is N, which is 2 elsewhere, not 4',
    ],
    [
      'two shapes that disagree',
      { inputShapes: inputShapes({ x: [4, 16], z: [5, 1] }) },
      'which is 4 elsewhere, not 5',
    ],
  ])('%s', (_, bindings, text) => {
    expect(faults(add, bindings)).toMatchObject([{ code: 'E_BINDING', text: expect.stringContaining(text) }]);
  });

  it('an input that says nothing of itself, bound or not', () => {
    const spec: ModelSpec = { ...add, inputs: { x: {}, z: ['float32', [1]] } };
    expect(faultsOf(() => infer(spec))).toMatchObject([{ code: 'E_MODEL', tensor: 'x' }]);
  });

  it('several contradictions at once', () => {
    const bindings = { dims: dims({ M: 1 }), inputShapes: inputShapes({ x: [4, 8], w: [1] }) };
    expect(faults(add, bindings).map(({ code }) => code)).toEqual(['E_BINDING', 'E_BINDING', 'E_BINDING']);
  });
});
