/** Reads small models in tests and shows graphs by name instead of by index. */
import { type Code, type Diagnostic, MemplanError } from '../../src/errors.ts';
import type { Graph, Node, Tensor } from '../../src/graph/types.ts';
import { readModel } from '../../src/model/read.ts';
import type { Model } from '../../src/model/types.ts';
import { type ModelSpec, model, writeTemp } from './onnx.ts';

export function read(spec: ModelSpec, name?: string): Model {
  return readModel(writeTemp(model(spec), name));
}

/** The diagnostics of the MemplanError that `run` throws. */
export function faultsOf(run: () => unknown): readonly Diagnostic[] {
  try {
    run();
  } catch (error) {
    if (error instanceof MemplanError) return error.diagnostics;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Codes and texts of the faults of a model. */
export function faults(spec: ModelSpec): (readonly [Code, string])[] {
  return faultsOf(() => read(spec)).map((d) => [d.code, d.text]);
}

export function tensorOf(graph: Graph, name: string): Tensor {
  const found = graph.tensors.find((t) => t.name === name);
  if (found === undefined)
    throw new Error(`no tensor ${name} among ${graph.tensors.map((t) => t.name).join(', ')}`);
  return found;
}

/** `add: Add(x, -) -> y`, bodies indented below it; `-` is an omitted input or output. */
export function lines(graph: Graph, nodes: readonly Node[] = graph.nodes, indent = ''): string[] {
  const names = (list: readonly (number | undefined)[]): string =>
    list.map((i) => (i === undefined ? '-' : graph.tensors[i]!.name)).join(', ');
  return nodes.flatMap((node) => [
    `${indent}${node.label}: ${node.op}(${names(node.inputs)}) -> ${names(node.outputs)}`,
    ...node.bodies.flatMap((body) => [
      `${indent}  ${body.path}(${names(body.inputs)}) -> ${names(body.outputs)}`,
      ...lines(graph, body.nodes, `${indent}    `),
    ]),
  ]);
}

export function namesOf(graph: Graph, indexes: readonly number[]): string[] {
  return indexes.map((i) => graph.tensors[i]!.name);
}
