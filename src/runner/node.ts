/** Builds what a lowering sees of a node, and the one way in which it says no. */
import { type Code, diagnostic, fail, MemplanError } from '../errors.ts';
import { isKnown } from '../graph/dims.ts';
import type { Node, TypedGraph } from '../graph/types.ts';
import { settledContext } from '../ops/settled.ts';
import type { Places } from './places.ts';
import type { Operand, RunnerNode } from './types.ts';

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

export function runnerNode(graph: TypedGraph, node: Node, places: Places): RunnerNode {
  const c = settledContext(graph, node);

  function operand(tensor: number | undefined): Operand | undefined {
    if (tensor === undefined) return undefined;
    const { name } = graph.tensors[tensor]!;
    const { type, shape, container } = graph.facts[tensor] ?? {};
    if (type === undefined || !shape?.every(isKnown)) return fail('E_INTERNAL', `${name} has no size.`);
    if (container !== undefined && container !== 'sparse') refuse(`for a ${container}`);
    const count = shape.reduce((a, b) => a * b, 1);
    if (count > MOST_ELEMENTS) refuse(`for ${count} elements`);
    return { tensor, name, type, shape, count };
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
    coincide: (a, b, offset = 0) => places.coincide(a.tensor, b.tensor, offset),
    refuse,
  };
}
