/** Typed graphs made by hand: tensors by name with their shapes, nodes with what they read and write. */
import type { ElementType } from '../../src/graph/element-type.ts';
import type { Body, Fact, Node, Tensor, TypedGraph } from '../../src/graph/types.ts';

/** float32 of a shape, unless said otherwise. */
export type TensorSketch =
  | readonly number[]
  | {
      readonly type?: ElementType;
      readonly shape: readonly number[];
      readonly weight?: true;
      /** Scale of a quantised tensor; its zero point is 0. */
      readonly scale?: number;
    };

export interface BodySketch {
  readonly name: string;
  readonly inputs?: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly (string | NodeSketch)[];
}

export interface NodeSketch {
  /** `Relu x -> a`, `Add a b -> y`, `Dropout x -> d mask`; `_` is an omitted input or output. */
  readonly run: string;
  /** Default: the operator and its place. */
  readonly name?: string;
  readonly folded?: true;
  /** Of a Concat or Split; default 0. */
  readonly axis?: number;
  readonly bodies?: readonly BodySketch[];
}

export interface GraphSketch {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly tensors: Readonly<Record<string, TensorSketch>>;
  readonly nodes: readonly (string | NodeSketch)[];
}

const HAS_AXIS: ReadonlySet<string> = new Set(['Concat', 'Split']);

export function graphOf(sketch: GraphSketch): TypedGraph {
  const names = Object.keys(sketch.tensors);
  const indexOf = (name: string): number => {
    const index = names.indexOf(name);
    if (index < 0) throw new Error(`the sketch has no tensor ${name}`);
    return index;
  };
  const folded = new Set<Node>();
  const nodesOf = (nodes: readonly (string | NodeSketch)[], path: string): Node[] =>
    nodes.map((given, index) => {
      const node = typeof given === 'string' ? { run: given } : given;
      const [left, right] = node.run.split('->').map((side) => side.trim().split(/\s+/));
      const [op, ...inputs] = left!;
      const name = node.name ?? `${op!.toLowerCase()}_${index}`;
      const label = path === '' ? name : `${path}/${name}`;
      const made: Node = {
        name,
        label,
        index,
        op: op!,
        domain: '',
        attributes: new Map(
          HAS_AXIS.has(op!) ? [['axis', { kind: 'int', value: node.axis ?? 0 } as const]] : [],
        ),
        inputs: inputs.map((tensor) => (tensor === '_' ? undefined : indexOf(tensor))),
        outputs: right!.map((tensor) => (tensor === '_' ? undefined : indexOf(tensor))),
        bodies: (node.bodies ?? []).map((body) => bodyOf(body, label)),
      };
      if (node.folded === true) folded.add(made);
      return made;
    });
  const bodyOf = (body: BodySketch, label: string): Body => ({
    name: body.name,
    path: `${label}/${body.name}`,
    nodes: nodesOf(body.nodes, `${label}/${body.name}`),
    inputs: (body.inputs ?? []).map(indexOf),
    outputs: body.outputs.map(indexOf),
  });
  return {
    name: 'sketch',
    opsets: new Map([['', 17]]),
    tensors: names.map((name): Tensor => tensorOf(sketch, name)),
    nodes: nodesOf(sketch.nodes, ''),
    inputs: sketch.inputs.map(indexOf),
    outputs: sketch.outputs.map(indexOf),
    facts: names.map((name) => factOf(sketch.tensors[name]!)),
    folded,
  };
}

function tensorOf(sketch: GraphSketch, name: string): Tensor {
  const given = sketch.tensors[name]!;
  const fact = factOf(given);
  const weight = 'weight' in given && given.weight === true;
  const role = sketch.inputs.includes(name)
    ? 'input'
    : sketch.outputs.includes(name)
      ? 'output'
      : 'activation';
  return {
    name,
    role: weight ? 'weight' : role,
    declared: undefined,
    constant: weight
      ? { type: fact.type, shape: fact.shape as readonly number[], place: undefined, value: () => undefined }
      : undefined,
  };
}

function factOf(given: TensorSketch): Fact & { readonly shape: readonly number[] } {
  if (!('shape' in given)) return { type: 'float32', shape: given };
  const { type = 'float32', shape, scale } = given;
  return { type, shape, ...(scale && { quant: { scale: [scale], zeroPoint: [0], axis: null } }) };
}
