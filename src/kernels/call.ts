/** One node as a kernel is called for it: operands with their sizes, attributes. */
import { isKnown } from '../graph/dims.ts';
import type { ElementType } from '../graph/element-type.ts';
import type { Fact, Node, Quant, TypedGraph } from '../graph/types.ts';
import { settledContext } from '../ops/settled.ts';
import type { OpContext } from '../ops/types.ts';

/** What contracts are looked up in. Tensors by index in `Graph.tensors`. */
export interface KernelScene {
  readonly graph: TypedGraph;
  readonly constants: ReadonlySet<number>;
}

export interface Operand {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly constant: boolean;
}

export interface KernelCall {
  readonly node: Node;
  /** Attributes. */
  readonly context: OpContext;
  /** Scale and zero point of a tensor that stand beside it as constants, by position among the inputs or outputs. */
  readonly quantOf: (side: 'input' | 'output', position: number) => Quant | undefined;
  /** By position; undefined where omitted, or where a size is not known. */
  readonly inputs: readonly (Operand | undefined)[];
  readonly outputs: readonly (Operand | undefined)[];
}

export function callOf({ graph, constants }: KernelScene, node: Node): KernelCall {
  const operand = (tensor: number | undefined): Operand | undefined => {
    const fact: Pick<Fact, 'type' | 'shape'> | undefined =
      tensor === undefined ? undefined : (graph.facts[tensor] ?? graph.tensors[tensor]?.constant);
    const shape = fact?.shape;
    if (tensor === undefined || fact === undefined || !shape?.every(isKnown)) return undefined;
    return { type: fact.type, shape, constant: constants.has(tensor) };
  };
  return {
    node,
    context: settledContext(graph, node),
    quantOf: (side, position) => {
      const tensor = (side === 'input' ? node.inputs : node.outputs)[position];
      return tensor === undefined ? undefined : graph.facts[tensor]?.quant;
    },
    inputs: node.inputs.map(operand),
    outputs: node.outputs.map(operand),
  };
}

/** Where the tensor that is computed on stands among the inputs, where that is not the first place. */
const DATA_POSITION: Readonly<Record<string, number>> = { QLinearConcat: 2, QLinearWhere: 1, Where: 1 };

/** The tensor whose element type chooses the kernel. */
export function dataOf({ node, inputs }: KernelCall): Operand | undefined {
  return inputs[DATA_POSITION[node.op] ?? 0];
}

/** Position of the second factor of a product; operators with scales put those of the first before it. */
export function weightPosition(op: string): number {
  return op === 'QLinearConv' || op === 'QLinearMatMul' || op === 'QGemm' ? 3 : 1;
}

export function weightOf({ node, inputs }: KernelCall): Operand | undefined {
  return inputs[weightPosition(node.op)];
}

export function elements(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}

/** The same shapes, so that the kernel need not repeat elements of either. */
export function sameShape(a: Operand | undefined, b: Operand | undefined): boolean {
  return a !== undefined && b !== undefined && a.shape.join() === b.shape.join();
}
