/** Builds what a lowering sees of a node, and the one way in which it says no. */
import { type Code, diagnostic, fail, MemplanError } from '../errors.ts';
import { isKnown } from '../graph/dims.ts';
import { type MemoryOrder, stridesInMemory } from '../graph/memory-order.ts';
import type { Node, TypedGraph } from '../graph/types.ts';
import type { CmsisNn } from '../kernels/cmsis-nn/build.ts';
import type { Limits } from '../kernels/integer-form.ts';
import { constantTensors } from '../lifetime/constants.ts';
import { settledContext } from '../ops/settled.ts';
import { elementReader } from './elements.ts';
import { constantReader } from './folded.ts';
import type { Places } from './places.ts';
import type { Operand, Planned, RunnerNode } from './types.ts';

const REFUSED: Code = 'E_UNSUPPORTED_KERNEL';

/** Sizes, strides and offsets of kernels are 32-bit numbers of elements. */
const MOST_ELEMENTS = 2 ** 31 - 1;

/** Why a lowering refused, or undefined for another error. */
export function refusalOf(error: unknown): string | undefined {
  return error instanceof MemplanError && error.code === REFUSED ? error.message : undefined;
}

export function refuse(text: string): never {
  throw new MemplanError([diagnostic(REFUSED, text)]);
}

/** How the node is to be run, besides what it says itself. */
export interface Setting {
  readonly order: MemoryOrder;
  readonly library?: CmsisNn;
  readonly limits?: Limits | undefined;
  readonly added?: readonly number[] | undefined;
  readonly scratch?: readonly Planned[];
  /** Tensors that stand in for operands, by the operand's tensor. */
  readonly instead?: ReadonlyMap<number, number>;
}

const NO_LIBRARY: CmsisNn = { version: 7, build: 'scalar', armclang: false };
const NO_LIMITS: Limits = { least: -Infinity, most: Infinity };

export function runnerNode(graph: TypedGraph, node: Node, places: Places, setting: Setting): RunnerNode {
  const c = settledContext(graph, node);
  const constants = constantTensors(graph);
  const { order, limits = NO_LIMITS, added = [], scratch = [], instead } = setting;
  const originals = new Map([...(instead ?? [])].map(([operand, copy]) => [copy, operand]));

  function operand(tensor: number | undefined): Operand | undefined {
    if (tensor === undefined) return undefined;
    const { name } = graph.tensors[tensor]!;
    const { type, shape, container } = graph.facts[tensor] ?? {};
    if (type === undefined || !shape?.every(isKnown)) return fail('E_INTERNAL', `${name} has no size.`);
    if (container !== undefined && container !== 'sparse') refuse(`for a ${container}`);
    const count = shape.reduce((a, b) => a * b, 1);
    if (count > MOST_ELEMENTS) refuse(`for ${count} elements`);
    return { tensor: instead?.get(tensor) ?? tensor, name, type, shape, count };
  }

  const inputs = node.inputs.map(operand);
  const outputs = node.outputs.map(operand);
  return {
    c,
    inputCount: inputs.length,
    input: (position) => inputs[position] ?? refuse(`without input ${position}`),
    optional: (position) => inputs[position],
    output: (position) => outputs[position] ?? refuse(`without output ${position}`),
    optionalOutput: (position) => outputs[position],
    outputCount: outputs.length,
    constant(position) {
      const tensor = node.inputs[position];
      if (tensor === undefined) return undefined;
      const value = graph.facts[tensor]?.value;
      if (value?.every((element) => typeof element !== 'object')) return value.map(Number);
      return refuse(`for an input ${position} that is computed`);
    },
    order,
    strides: ({ tensor, shape }) => {
      const isTurned = originals.has(tensor) || constants.has(tensor);
      return stridesInMemory(shape, isTurned ? 'nchw' : order);
    },
    elements({ tensor, name, type }) {
      const bytes = constants.has(tensor) ? constantReader(graph)(tensor) : undefined;
      const read = elementReader(type);
      if (bytes === undefined || read === undefined)
        return refuse(`for ${name}, whose elements are not known`);
      return read(bytes);
    },
    quant({ tensor }) {
      const quant = graph.facts[originals.get(tensor) ?? tensor]?.quant;
      return quant === undefined || quant.axis !== null
        ? undefined
        : { scale: quant.scale[0]!, zero: quant.zeroPoint[0]! };
    },
    limits,
    added: added.map((tensor) => operand(tensor)!),
    library: setting.library ?? NO_LIBRARY,
    scratch,
    coincide: (a, b, offset = 0) => places.coincide(a.tensor, b.tensor, offset),
    refuse,
  };
}
