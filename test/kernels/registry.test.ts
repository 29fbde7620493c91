/** Which library a plan is made for: by name, by default, and what is refused. */
import { describe, expect, it } from 'vitest';
import { keywordSpotter, keywordSpotterInt8 } from '../../examples/models/keyword-spotter.ts';
import { MemplanError } from '../../src/errors.ts';
import type { ElementType } from '../../src/graph/element-type.ts';
import { kernelLibrary, LIBRARY_NAMES, type LibraryChoice } from '../../src/kernels/registry.ts';
import { allRows, findRow } from '../../src/ops/registry.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { mayWriteInPlace } from '../../src/verify/operators.ts';
import { type GraphSketch, graphOf } from '../support/graphs.ts';
import { CORTEX_A53, CORTEX_M7, contractOf, library } from '../support/kernels.ts';
import { writeTemp } from '../support/onnx.ts';
import { requestOf } from '../support/planned.ts';
import { qdqTwin } from '../support/qdq-twin.ts';

const S = [1, 8, 6, 6];
const narrow = { type: 'int8', shape: S } as const;
const weight = { type: 'int8', shape: [8, 8, 3, 3], weight: true } as const;

/** A convolution of floats, of int8 behind a DequantizeLinear, and of int8 by its operator; others around them. */
const GRAPHS: Readonly<Record<string, GraphSketch>> = {
  floats: {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: S, w: { shape: [8, 8, 3, 3], weight: true }, y: S },
    nodes: ['Conv x w -> y'],
  },
  'quantised weights alone': {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: S, q: weight, w: [8, 8, 3, 3], y: S },
    nodes: ['DequantizeLinear q -> w', 'Conv x w -> y'],
  },
  'dequantised data': {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: narrow, f: S, w: { shape: [8, 8, 3, 3], weight: true }, y: S },
    nodes: ['DequantizeLinear x -> f', 'Conv f w -> y'],
  },
  'int8 by its operator': {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: narrow, s: { shape: [], weight: true }, w: weight, y: narrow },
    nodes: ['QLinearConv x s s w s s s s -> y'],
  },
  'int16 by its operator': {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: { ...narrow, type: 'int16' }, s: { shape: [], weight: true }, w: weight, y: narrow },
    nodes: ['QLinearMatMul x s s w s s s s -> y'],
  },
  uint8: {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: { ...narrow, type: 'uint8' }, s: { shape: [], weight: true }, w: weight, y: narrow },
    nodes: ['QLinearConv x s s w s s s s -> y'],
  },
  'int8 without a product': {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: narrow, f: S, y: S },
    nodes: ['DequantizeLinear x -> f', 'Relu f -> y'],
  },
  'a folded product': {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: S, q: weight, s: { shape: [], weight: true }, z: weight, y: S },
    nodes: [{ run: 'QLinearConv q s s q s s s s -> z', folded: true }, 'Relu x -> y'],
  },
};

const NO_CHOICE: LibraryChoice = {
  kernels: undefined,
  kernelsVersion: undefined,
  kernelsBuild: undefined,
  layout: undefined,
};

const chosen = (graph: string, choice: Partial<LibraryChoice> = {}, cpu = CORTEX_M7) =>
  kernelLibrary({ ...NO_CHOICE, ...choice }, cpu, graphOf(GRAPHS[graph]!));

describe('by default', () => {
  it.each([
    ['floats', 'none'],
    ['quantised weights alone', 'none'],
    ['dequantised data', 'cmsis-nn'],
    ['int8 by its operator', 'cmsis-nn'],
    ['int16 by its operator', 'cmsis-nn'],
    ['uint8', 'none'],
    ['int8 without a product', 'none'],
    ['a folded product', 'none'],
  ])('%s on a Cortex-M7: %s', (graph, name) => {
    expect(chosen(graph).name).toBe(name);
    expect(chosen(graph, {}, CORTEX_A53).name).toBe('none');
  });

  it('version 7 in the build of the core, channels last, with its fusions', () => {
    const library = chosen('int8 by its operator');
    expect(library).toMatchObject({ version: '7', build: 'dsp', layout: 'nhwc', fuses: true });
  });

  it('TensorFlow Lite Micro: optimised kernels where CMSIS-NN runs', () => {
    expect(chosen('floats', { kernels: 'tflm' })).toMatchObject({ version: 'cmsis-nn', build: 'dsp' });
    expect(chosen('floats', { kernels: 'tflm' }, CORTEX_A53)).toMatchObject({
      version: 'reference',
      build: null,
    });
    const mve = { kernels: 'tflm', kernelsBuild: 'mve' } as const;
    expect(chosen('floats', mve, CORTEX_A53)).toMatchObject({ version: 'cmsis-nn', build: 'mve' });
  });

  it('the layout of the model, unless the kernels have one', () => {
    const layouts = LIBRARY_NAMES.map((kernels) => [kernels, chosen('floats', { kernels }).layout]);
    expect(Object.fromEntries(layouts)).toEqual({
      none: 'nchw',
      reference: 'nchw',
      im2col: 'nchw',
      'cmsis-nn': 'nhwc',
      tflm: 'nhwc',
      xnnpack: 'nhwc',
    });
    expect(chosen('floats', { kernels: 'none', layout: 'nhwc' }).layout).toBe('nhwc');
  });
});

describe('refused', () => {
  it.each<[Partial<LibraryChoice>, string]>([
    [{ kernels: 'esp-nn' }, 'E_USAGE'],
    [{ kernels: 'cmsis-nn', kernelsVersion: '4' }, 'E_USAGE'],
    [{ kernels: 'tflm', kernelsVersion: '7' }, 'E_USAGE'],
    [{ kernels: 'none', kernelsVersion: '7' }, 'E_USAGE'],
    [{ kernels: 'xnnpack', kernelsVersion: '7' }, 'E_USAGE'],
    [{ kernels: 'im2col', kernelsVersion: 'tile=0' }, 'E_USAGE'],
    [{ kernels: 'im2col', kernelsVersion: 'half' }, 'E_USAGE'],
    [{ kernels: 'cmsis-nn', layout: 'nchw' }, 'E_RULE'],
    [{ kernels: 'tflm', layout: 'nchw' }, 'E_RULE'],
    [{ kernels: 'xnnpack', layout: 'nchw' }, 'E_RULE'],
  ])('%j: %s', (choice, code) => {
    expect(codeOf(() => chosen('floats', choice))).toBe(code);
  });

  it('CMSIS-NN on a core without it, until a build is named', () => {
    const cmsis = { kernels: 'cmsis-nn' };
    expect(codeOf(() => chosen('floats', cmsis, CORTEX_A53))).toBe('E_USAGE');
    expect(chosen('floats', { ...cmsis, kernelsBuild: 'scalar' }, CORTEX_A53).build).toBe('scalar');
  });
});

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof MemplanError) return error.code;
    throw error;
  }
  return undefined;
}

describe('in place', () => {
  const x = { shape: [2, 3] } as const;
  it.each(LIBRARY_NAMES)('%s allows nothing that the checker refuses', (name) => {
    const kernels = library(name);
    const operators = [...new Set(allRows().map(({ op }) => op))];
    const allowed = operators.filter((op) => {
      const call = (type: ElementType) => ({
        ...{ op, domain: findRow('', op) === undefined ? 'com.microsoft' : '' },
        inputs: Array.from({ length: 4 }, () => ({ ...x, type })),
        outputs: [{ ...x, type }],
      });
      const types: readonly ElementType[] = ['float32', 'int8', 'int16'];
      return types.some((type) => contractOf(kernels, call(type)).inPlace.length > 0);
    });
    expect(allowed.length).toBeGreaterThan(50);
    expect(allowed.filter((op) => !mayWriteInPlace(name, op))).toEqual([]);
  });
});

describe('a whole model', () => {
  const planOf = (bytes: Uint8Array, request: Partial<PlanRequest>): Plan =>
    planModel(requestOf({ models: [writeTemp(bytes)], kernels: undefined, ...request })).plan;
  const int8 = keywordSpotterInt8().encode();

  it('in float32 is not sized by kernels for integers', () => {
    const { assumptions, totals } = planOf(keywordSpotter({ weights: 'light' }).encode(), {
      target: 'cortex-m4',
    });
    expect(assumptions).toMatchObject({ kernels: 'none', layout: 'nchw', fuse: 'none' });
    expect(totals).toMatchObject({ complete: false, scratchBytes: 0 });
  });

  it.each<[string, 'scalar' | 'dsp' | 'mve', number]>([
    // 40 products on two columns of 16 bits; an average of 125 pixels over 64 channels; with Helium as said above.
    ['cortex-m0plus', 'scalar', 160],
    ['cortex-m4', 'dsp', 2 * 64 * 125],
    ['cortex-m33', 'dsp', 2 * 64 * 125],
    ['cortex-m55', 'mve', 4 * 124 * 125],
  ])('in int8 on %s is sized by the %s build', (target, build, scratchBytes) => {
    const { assumptions, totals } = planOf(int8, { target });
    expect(assumptions).toMatchObject({ kernels: 'cmsis-nn', kernelsVersion: '7', kernelsBuild: build });
    expect(assumptions).toMatchObject({ layout: 'nhwc', fuse: 'default' });
    expect(totals).toMatchObject({ complete: true, scratchBytes });
  });

  it('spelt as QDQ is sized like its twin', () => {
    const [a, b] = [int8, qdqTwin(int8)].map((bytes) => planOf(bytes, { target: 'cortex-m4' }));
    expect(b!.totals).toEqual(a!.totals);
    const scratch = ({ steps }: Plan) =>
      steps.map(({ scratchBytes }) => scratchBytes).filter((bytes) => bytes > 0);
    expect(scratch(b!)).toEqual(scratch(a!));
    expect(scratch(a!)).toEqual([160, 16_000]);
  });

  it('in int8 on a Cortex-A53 keeps to no library', () => {
    expect(planOf(int8, { target: 'cortex-a53' }).assumptions.kernels).toBe('none');
  });
});
