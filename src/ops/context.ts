/** Builds the context in which a row's functions look at one node: facts by position, attributes, faults. */
import { type Diagnostic, diagnostic, fail } from '../errors.ts';
import type { Dim, Symbolic } from '../graph/dims.ts';
import type { Attribute, Body, Fact, Node } from '../graph/types.ts';
import type { OpContext } from './types.ts';

/** What the walk over the graph lends to a node's context. Tensors are indexes in `Graph.tensors`. */
export interface Surroundings {
  /** Opset version of a domain in this model. */
  readonly opset: (domain: string) => number;
  readonly fact: (tensor: number) => Fact | undefined;
  readonly declared: (tensor: number) => Fact | undefined;
  readonly unknownDim: (why: string, node: Node, most?: number) => Symbolic;
  readonly unknownRank: (tensor: number, why: string) => void;
  readonly nameOf: (tensor: number) => string;
  readonly equate: (a: Dim, b: Dim) => void;
  readonly inferBody: (body: Body, inputs: readonly (Fact | undefined)[]) => readonly (Fact | undefined)[];
  readonly report: (note: Diagnostic) => void;
}

type Kind = Attribute['kind'];
type ValueOf<K extends Kind> = Extract<Attribute, { readonly kind: K }>['value'];

/** The context of `node`. Its functions throw E_SHAPE where the node contradicts its operator. */
export function opContext(node: Node, around: Surroundings): OpContext {
  const inputs = node.inputs.map((tensor) => (tensor === undefined ? undefined : around.fact(tensor)));
  const refuse = (text: string, hint?: string): never =>
    fail('E_SHAPE', `${node.label}: ${text}`, { node: node.label, ...(hint === undefined ? {} : { hint }) });

  const attribute = <K extends Kind>(name: string, kind: K): ValueOf<K> | undefined => {
    const found = node.attributes.get(name);
    if (found === undefined) return undefined;
    if (found.kind !== kind) return refuse(`attribute ${name} is ${found.kind}, not ${kind}.`);
    return found.value as ValueOf<K> | undefined;
  };
  const required = <T>(name: string, value: T | undefined): T =>
    value ?? refuse(`attribute ${name} is missing.`);

  return {
    node,
    opset: node.opset ?? around.opset(node.domain),
    inputs,
    outputCount: node.outputs.length,
    input: (position) =>
      inputs[position] ?? refuse(`${node.op} needs its input ${position}, which is missing.`),
    optional: (position) => inputs[position],
    has: (name) => node.attributes.has(name),
    int: (name, standard) => Number(required(name, attribute(name, 'int') ?? standard)),
    float: (name, standard) => required(name, attribute(name, 'float') ?? standard),
    string: (name, standard) => required(name, attribute(name, 'string') ?? standard),
    ints: (name) => attribute(name, 'ints')?.map(Number),
    floats: (name) => attribute(name, 'floats'),
    strings: (name) => attribute(name, 'strings'),
    tensor: (name) => attribute(name, 'tensor'),
    type: (name) => attribute(name, 'type'),
    unknownDim: (why, most) => around.unknownDim(why, node, most),
    unknownRank: (output, why) => {
      const tensor = node.outputs[output];
      if (tensor !== undefined) around.unknownRank(tensor, why);
    },
    nameOf: around.nameOf,
    equate: around.equate,
    declared: (output) => {
      const tensor = node.outputs[output];
      return tensor === undefined ? undefined : around.declared(tensor);
    },
    inferBody: around.inferBody,
    fail: refuse,
    note: (text) =>
      around.report(diagnostic('N_RULE_DIFFERS', `${node.label}: ${text}`, { node: node.label })),
  };
}
