/** Random graphs: every node works on a tensor that is there already, and all tensors are graph outputs. */
import type { onnx } from 'onnx-proto';
import { isKnown } from '../../src/graph/dims.ts';
import type { Fact } from '../../src/graph/types.ts';
import { type AttributeSpec, model, node, type TensorSpec, tensor } from '../support/onnx.ts';
import { type AttributeSketch, run } from '../support/op.ts';
import { type Chance, count, createChance, type Made, type Makers, type Operand } from './chance.ts';
import { makers as compute } from './compute.ts';
import { makers as elementwise } from './elementwise.ts';
import { makers as integer } from './integer.ts';
import { makers as moving } from './moving.ts';

export const MAKERS: Makers = { ...compute, ...elementwise, ...integer, ...moving };

const OPSETS = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22] as const;

/** Larger tensors are not worked on any further. */
const MOST_ELEMENTS = 3000;
const MOST_RANK = 5;

export interface RandomGraph {
  readonly seed: number;
  readonly bytes: Uint8Array;
  /** Names of the makers, one per node that they made. */
  readonly makers: readonly string[];
  /** What the named dimensions of the inputs stand for. */
  readonly sizes: ReadonlyMap<string, number>;
}

interface Draft {
  readonly g: Chance;
  readonly inputs: [string, TensorSpec][];
  readonly initializers: [string, onnx.ITensorProto][];
  readonly nodes: onnx.INodeProto[];
  readonly outputs: string[];
  readonly makers: string[];
  /** float32 tensors of known size. */
  readonly usable: { readonly name: string; readonly shape: readonly number[] }[];
  names: number;
}

/** The graph of a seed. With `named` the dimensions of its first inputs have names in place of their sizes. */
export function randomGraph(seed: number, named = false): RandomGraph {
  const sizes = new Map<string, number>();
  const draft: Draft = {
    g: createChance(seed, OPSETS[seed % OPSETS.length]!),
    inputs: [],
    initializers: [],
    nodes: [],
    outputs: [],
    makers: [],
    usable: [],
    names: 0,
  };
  const { g } = draft;
  for (const rank of [g.pick(4, 4, 3, 2), g.int(0, 4)]) {
    const shape = g.ints(rank, 1, 5);
    const name = fresh(draft);
    const names = shape.map((_, axis) => `${name}_${axis}`);
    if (named) for (const [axis, size] of shape.entries()) sizes.set(names[axis]!, size);
    draft.inputs.push([name, ['float32', named ? names : shape]]);
    draft.usable.push({ name, shape });
  }
  for (let left = g.int(1, 8); left > 0; left--) {
    if (!g.one(8) || !addDynamicReshape(draft)) addNode(draft);
  }
  const { inputs, outputs, nodes, initializers } = draft;
  const opset = { '': g.opset, 'com.microsoft': 1 };
  return { seed, bytes: model({ inputs, outputs, nodes, initializers, opset }), makers: draft.makers, sizes };
}

function fresh(draft: Draft): string {
  return `t${draft.names++}`;
}

/** Tries makers until one takes the tensor. */
function addNode(draft: Draft): void {
  const { g } = draft;
  const x = g.pick(draft.usable[0]!, ...draft.usable.slice(1));
  for (const [name, [since, maker]] of g.shuffled(Object.entries(MAKERS))) {
    const made = g.opset >= since ? maker(g, x.shape) : undefined;
    if (made === undefined) continue;
    draft.makers.push(name);
    add(draft, made, x.name, x.shape);
    return;
  }
}

function add(draft: Draft, made: Made, x: string, shape: readonly number[]): void {
  const facts: (Fact | undefined)[] = [];
  const inputs = made.operands.map((operand) => {
    facts.push(factOf(operand, shape));
    return operand === 'x' ? x : operand === undefined ? '' : addOperand(draft, operand);
  });
  const outputs = Array.from({ length: made.outputs ?? 1 }, () => fresh(draft));
  draft.nodes.push(
    node(made.op, inputs, outputs, made.attributes, made.domain === undefined ? {} : { domain: made.domain }),
  );
  draft.outputs.push(...outputs);
  outputsOf(draft, made, facts).forEach((fact, i) => {
    const sizes = fact?.shape;
    if (fact?.type !== 'float32' || !sizes?.every(isKnown)) return;
    if (sizes.length <= MOST_RANK && count(sizes) <= MOST_ELEMENTS)
      draft.usable.push({ name: outputs[i]!, shape: sizes });
  });
}

/** What our own rule says, only to know what the next node may work on; a rule that refuses ends the chain here. */
function outputsOf(
  draft: Draft,
  made: Made,
  inputs: readonly (Fact | undefined)[],
): readonly (Fact | undefined)[] {
  const { op, domain, outputs } = made;
  try {
    return run({
      op,
      opset: draft.g.opset,
      inputs,
      attributes: sketched(made.attributes ?? {}),
      ...(domain === undefined ? {} : { domain }),
      ...(outputs === undefined ? {} : { outputs }),
    }).facts;
  } catch {
    return [];
  }
}

function sketched(attributes: Readonly<Record<string, AttributeSpec>>): Record<string, AttributeSketch> {
  return attributes as Record<string, AttributeSketch>;
}

function factOf(operand: Operand, x: readonly number[]): Fact | undefined {
  if (operand === 'x') return { type: 'float32', shape: x };
  if (operand === undefined) return undefined;
  const { type, shape, values } = operand;
  return values === undefined ? { type, shape } : { type, shape, value: values };
}

function addOperand(draft: Draft, operand: Exclude<Operand, 'x' | undefined>): string {
  const name = fresh(draft);
  const { type, shape, values } = operand;
  if (values === undefined) draft.inputs.push([name, [type, shape]]);
  else draft.initializers.push([name, tensor(type, shape, values)]);
  return name;
}

/** Shape -> Slice -> Concat with -1 -> Reshape: what exporters write for `x.reshape(x.shape[0], -1)`. */
function addDynamicReshape(draft: Draft): boolean {
  const x = draft.usable.find(({ shape }) => shape.length >= 2 && count(shape) > 0);
  if (x === undefined || draft.g.opset < 10) return false;
  const [shape, first, wanted, y] = [fresh(draft), fresh(draft), fresh(draft), fresh(draft)];
  const int64 = (...values: number[]) => addOperand(draft, { type: 'int64', shape: [values.length], values });
  draft.makers.push('Shape -> Slice -> Concat -> Reshape');
  draft.nodes.push(
    node('Shape', [x.name], [shape]),
    node('Slice', [shape, int64(0), int64(1)], [first]),
    node('Concat', [first, int64(-1)], [wanted], { axis: 0 }),
    node('Reshape', [x.name, wanted], [y]),
  );
  draft.outputs.push(shape, first, wanted, y);
  draft.usable.push({ name: y, shape: [x.shape[0]!, count(x.shape) / x.shape[0]!] });
  return true;
}
