/** One node as a kernel library sees it. */
import type { ElementType } from '../../src/graph/element-type.ts';
import type { Attribute, Fact, Node, Tensor } from '../../src/graph/types.ts';
import type { KernelScene } from '../../src/kernels/call.ts';
import { kernelLibrary } from '../../src/kernels/registry.ts';
import type { Contract, KernelLibrary } from '../../src/kernels/types.ts';
import type { Cpu, KernelBuild } from '../../src/target/types.ts';

export interface OperandSketch {
  readonly type?: ElementType;
  readonly shape: readonly number[];
  /** Weights, scales and the like. */
  readonly constant?: true;
}

export interface CallSketch {
  readonly op: string;
  readonly domain?: string;
  readonly opset?: number;
  /** null: omitted. */
  readonly inputs: readonly (OperandSketch | null)[];
  readonly outputs: readonly OperandSketch[];
  readonly attributes?: Readonly<Record<string, number | string | readonly number[]>>;
}

export const CORTEX_M7: Cpu = {
  core: 'cortex-m7',
  cores: 1,
  fpu: null,
  dsp: true,
  mve: false,
  dcache: true,
  dcacheLineBytes: 32,
  dcacheBytes: null,
  l2Bytes: null,
  gccFlags: null,
  cmsisNnBuild: 'dsp',
  mpu: null,
};

export const CORTEX_A53: Cpu = { ...CORTEX_M7, core: 'cortex-a53', cmsisNnBuild: null };

const NO_GRAPH = sceneOf({ op: 'Identity', inputs: [{ shape: [1] }], outputs: [{ shape: [1] }] }).scene.graph;

export function library(
  kernels: string,
  version?: string,
  build?: KernelBuild,
  cpu: Cpu = CORTEX_M7,
): KernelLibrary {
  const choice = { kernels, kernelsVersion: version, kernelsBuild: build, layout: undefined };
  return kernelLibrary(choice, cpu, NO_GRAPH);
}

/** A graph of one node. */
export function sceneOf(call: CallSketch): { readonly scene: KernelScene; readonly node: Node } {
  const tensors: Tensor[] = [];
  const facts: Fact[] = [];
  const constants = new Set<number>();
  const add = (operand: OperandSketch): number => {
    const { type = 'float32', shape, constant } = operand;
    const index = tensors.length;
    if (constant) constants.add(index);
    facts.push({ type, shape });
    return (
      tensors.push({
        name: `t${index}`,
        role: constant ? 'weight' : 'activation',
        declared: undefined,
        constant: constant ? { type, shape, place: undefined, value: () => undefined } : undefined,
      }) - 1
    );
  };
  const node: Node = {
    name: 'node',
    label: 'node',
    index: 0,
    op: call.op,
    domain: call.domain ?? '',
    attributes: new Map(
      Object.entries(call.attributes ?? {}).map(([name, value]) => [name, attribute(value)]),
    ),
    inputs: call.inputs.map((operand) => (operand === null ? undefined : add(operand))),
    outputs: call.outputs.map(add),
    bodies: [],
  };
  const opsets = new Map([
    ['', call.opset ?? 17],
    ['com.microsoft', 1],
  ]);
  const ends = { inputs: [0], outputs: [tensors.length - 1] };
  return {
    scene: {
      graph: { name: '', opsets, tensors, nodes: [node], ...ends, facts, folded: new Set() },
      constants,
    },
    node,
  };
}

function attribute(value: number | string | readonly number[]): Attribute {
  if (typeof value === 'number') return { kind: 'int', value };
  return typeof value === 'string' ? { kind: 'string', value } : { kind: 'ints', value };
}

export function contractOf(kernels: KernelLibrary, call: CallSketch): Contract {
  const { scene, node } = sceneOf(call);
  return kernels.contract(scene, node);
}

/** Bytes of the scratch buffers of a call that the library has a kernel for; a reason where it has none. */
export function scratchOf(kernels: KernelLibrary, call: CallSketch): readonly number[] | string | undefined {
  const { missing, scratch } = contractOf(kernels, call);
  return missing ?? scratch?.map(({ bytes }) => bytes);
}

/** A convolution by its numbers; the last dimensions follow from the others. */
export interface ConvSketch {
  readonly type?: ElementType;
  readonly weight?: ElementType;
  readonly batch?: number;
  readonly channels: number;
  readonly filters: number;
  readonly group?: number;
  /** Height and width, as everywhere below. */
  readonly size: readonly [number, number];
  readonly kernel: readonly [number, number];
  readonly stride?: readonly [number, number];
  readonly dilation?: readonly [number, number];
  readonly head?: readonly [number, number];
  readonly tail?: readonly [number, number];
}

const ONES = [1, 1] as const;
const ZEROS = [0, 0] as const;

export function outputSize(conv: ConvSketch): readonly [number, number] {
  const { size, kernel, stride = ONES, dilation = ONES, head = ZEROS, tail = head } = conv;
  const along = (axis: 0 | 1): number =>
    Math.floor(
      (size[axis] + head[axis] + tail[axis] - (kernel[axis] - 1) * dilation[axis] - 1) / stride[axis],
    ) + 1;
  return [along(0), along(1)];
}

export function convCall(conv: ConvSketch, op: 'Conv' | 'QLinearConv' | 'ConvInteger' = 'Conv'): CallSketch {
  const { type = 'int8', weight = 'int8', batch = 1, channels, filters, group = 1, size, kernel } = conv;
  const { stride = ONES, dilation = ONES, head = ZEROS, tail = head } = conv;
  const x = { type, shape: [batch, channels, ...size] };
  const w = { type: weight, shape: [filters, channels / group, ...kernel], constant: true } as const;
  const scale = { shape: [], constant: true } as const;
  return {
    op,
    inputs: op === 'QLinearConv' ? [x, scale, scale, w, scale, scale, scale, scale] : [x, w],
    outputs: [{ type: op === 'ConvInteger' ? 'int32' : type, shape: [batch, filters, ...outputSize(conv)] }],
    attributes: { strides: stride, dilations: dilation, pads: [...head, ...tail], group },
  };
}

export function transposeCall(conv: ConvSketch): CallSketch {
  const { type = 'int8', weight = 'int8', batch = 1, channels, filters, size, kernel, stride = ONES } = conv;
  const along = (axis: 0 | 1): number => (size[axis] - 1) * stride[axis] + kernel[axis];
  return {
    op: 'ConvTranspose',
    inputs: [
      { type, shape: [batch, channels, ...size] },
      { type: weight, shape: [channels, filters, ...kernel], constant: true },
    ],
    outputs: [{ type, shape: [batch, filters, along(0), along(1)] }],
    attributes: { strides: stride },
  };
}
