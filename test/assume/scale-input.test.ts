/** --scale-input: which inputs are images, which of their axes are pixels, and what else must give way. */
import { describe, expect, it } from 'vitest';
import { mobileNetV1 } from '../../examples/models/mobilenet-v1.ts';
import { rescaleInputs } from '../../src/assume/scale-input.ts';
import { MemplanError } from '../../src/errors.ts';
import { formatShape } from '../../src/graph/dims.ts';
import { planModel } from '../../src/pipeline.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';
import { planSpec } from '../support/fused.ts';
import { type ModelSpec, node, tensor, writeTemp } from '../support/onnx.ts';
import { requestOf } from '../support/planned.ts';
import { read } from '../support/read.ts';

/** Shapes of the inputs after scaling, by name. */
function shapes(
  spec: ModelSpec,
  factor: number,
  bindings: Partial<Bindings> = {},
): Readonly<Record<string, string>> {
  const { graph } = rescaleInputs(read(spec).graph, { ...NO_BINDINGS, ...bindings }, factor);
  return Object.fromEntries(
    graph.inputs.map((tensor) => {
      const { name, declared } = graph.tensors[tensor]!;
      return [name, formatShape(declared?.shape)];
    }),
  );
}

/** A model that reads its input x in one way. */
function reading(
  shape: readonly (number | string)[],
  ...nodes: readonly Parameters<typeof node>[]
): ModelSpec {
  return {
    inputs: { x: ['float32', shape] },
    outputs: ['y'],
    nodes: nodes.map((given) => node(...given)),
    initializers: { w: tensor('float32', [8, 5, 1, 1]), one: tensor('float32', [], [1]) },
  };
}

describe('the pixels of an image', () => {
  it.each<[string, ModelSpec, string]>([
    ['come last before a Conv', reading([1, 5, 40, 20], ['Conv', ['x', 'w'], ['y']]), '[1,5,20,10]'],
    [
      'come last before a pool',
      reading([1, 9, 40, 20], ['MaxPool', ['x'], ['y'], { kernel_shape: [1, 1] }]),
      '[1,9,20,10]',
    ],
    [
      'come first where a Transpose moves the channels forward',
      reading(
        [1, 40, 20, 5],
        ['Transpose', ['x'], ['t'], { perm: [0, 3, 1, 2] }],
        ['Conv', ['t', 'w'], ['y']],
      ),
      '[1,20,10,5]',
    ],
    [
      'are found behind a normalisation',
      reading(
        [1, 40, 20, 5],
        ['Sub', ['x', 'one'], ['s']],
        ['Mul', ['s', 'one'], ['m']],
        ['Transpose', ['m'], ['y'], { perm: [0, 3, 1, 2] }],
      ),
      '[1,20,10,5]',
    ],
    ['lie behind three colours', reading([1, 3, 40, 20], ['Softmax', ['x'], ['y']]), '[1,3,20,10]'],
    ['lie before three colours', reading([1, 40, 20, 3], ['Softmax', ['x'], ['y']]), '[1,20,10,3]'],
    ['are whole', reading([1, 3, 5, 7], ['Softmax', ['x'], ['y']]), '[1,3,3,4]'],
    ['are at least one', reading([1, 3, 1, 40], ['Softmax', ['x'], ['y']]), '[1,3,1,20]'],
  ])('%s', (_, spec, shape) => expect(shapes(spec, 0.5)).toEqual({ x: shape }));

  it.each<[string, ModelSpec]>([
    ['a vector', reading([1, 40], ['Softmax', ['x'], ['y']])],
    ['four axes that say nothing', reading([1, 40, 20, 10], ['Softmax', ['x'], ['y']])],
    ['colours on both sides', reading([1, 3, 20, 3], ['Softmax', ['x'], ['y']])],
  ])('are not to be found in %s', (_, spec) => {
    expect(() => shapes(spec, 0.5)).toThrow(/no input of the model looks like an image: x/);
  });

  it('scale in every image, and nothing else does', () => {
    const spec: ModelSpec = {
      inputs: { a: ['float32', [1, 3, 8, 8]], b: ['float32', [1, 3, 6, 6]], v: ['float32', [1, 8]] },
      outputs: ['y', 'z', 'u'],
      nodes: [node('Softmax', ['a'], ['y']), node('Softmax', ['b'], ['z']), node('Softmax', ['v'], ['u'])],
    };
    expect(shapes(spec, 2)).toEqual({ a: '[1,3,16,16]', b: '[1,3,12,12]', v: '[1,8]' });
  });

  it('may be bound first', () => {
    const open = reading(['N', 3, 'H', 'W'], ['Softmax', ['x'], ['y']]);
    const dims = new Map(Object.entries({ N: 1, H: 40, W: 20 }));
    expect(shapes(open, 0.5, { dims })).toEqual({ x: '[1,3,20,10]' });
    expect(shapes(open, 0.5, { inputShapes: new Map([['x', [1, 3, 40, 20]]]) })).toEqual({
      x: '[1,3,20,10]',
    });
    expect(() => shapes(open, 0.5)).toThrow(MemplanError);
  });
});

it('plans for the other resolution, whatever the file declares about tensors in between', () => {
  const spec: ModelSpec = {
    inputs: { x: ['float32', [1, 3, 8, 8]] },
    outputs: { y: ['float32', [1, 3, 8, 8]] },
    valueInfo: { r: ['float32', [1, 3, 8, 8]] },
    nodes: [node('Relu', ['x'], ['r']), node('Softmax', ['r'], ['y'])],
  };
  const plan = planSpec(spec, { scaleInput: 2 });
  expect(plan.tensors.map(({ shape }) => shape)).toEqual([1, 2, 3].map(() => [1, 3, 16, 16]));
  expect(plan.assumptions.scaleInput).toBe(2);
  expect(plan.diagnostics.map(({ code }) => code)).toContain('W_ESTIMATE');
  expect(plan.diagnostics.map(({ code }) => code)).not.toContain('W_DECLARED_SHAPE');
});

it('says where a model cannot have the resolution', () => {
  const fixed: ModelSpec = {
    inputs: { x: ['float32', [1, 3, 8, 8]] },
    outputs: ['y'],
    initializers: { w: tensor('float32', [192, 10]) },
    nodes: [node('Flatten', ['x'], ['f']), node('Gemm', ['f', 'w'], ['y'], {}, { name: 'fc' })],
  };
  expect(() => planSpec(fixed, { scaleInput: 0.5 })).toThrow(/fc: /);
});

it('halves MobileNetV1: a quarter of the pixels, a quarter of the arena', () => {
  const path = writeTemp(mobileNetV1({ weights: 'light' }).encode());
  const arena = (scaleInput: number) =>
    planModel(requestOf({ models: [path], target: 'cortex-m7', kernels: 'none', scaleInput })).plan.totals
      .arenaBytes;
  // dw1 and pw1: 8 and 16 channels of float32 at half the resolution of the input.
  expect([0.5, 1].map(arena)).toEqual([56 * 56 * 24 * 4, 112 * 112 * 24 * 4]);
});
