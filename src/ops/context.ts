/** Builds the context in which a row's functions look at one node: facts by position, attributes, faults. */
import { type Diagnostic, diagnostic, fail } from '../errors.ts';
import type { Dim, Symbolic } from '../graph/dims.ts';
import type { Attribute, Body, Constant, Fact, Node } from '../graph/types.ts';
import type { OpContext } from './types.ts';

/** What the walk over the graph lends to a node's context. Tensors are indexes in `Graph.tensors`. */
export interface Surroundings {
  /** Opset version of a domain in this model. */
  readonly opset: (domain: string) => number;
  readonly fact: (tensor: number) => Fact | undefined;
  readonly declared: (node: Node, output: number) => Fact | undefined;
  readonly unknownDim: (why: string, node: Node, most?: number) => Symbolic;
  readonly boundedDim: (why: string, node: Node, most: Dim, follows?: 'follows') => Symbolic;
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
  return new NodeContext(node, around);
}

/** The same context but for what is changed: operators that are another one with other operands, attributes or versions. */
export function changedContext(c: OpContext, changes: Partial<OpContext>): OpContext {
  return Object.create(c, Object.getOwnPropertyDescriptors(changes));
}

/** A class, because there is one for every node: functions of its own would cost each some kilobytes. */
class NodeContext implements OpContext {
  readonly node: Node;
  readonly inputs: readonly (Fact | undefined)[];
  private readonly around: Surroundings;

  constructor(node: Node, around: Surroundings) {
    this.node = node;
    this.around = around;
    this.inputs = node.inputs.map((tensor) => (tensor === undefined ? undefined : around.fact(tensor)));
  }

  get opset(): number {
    return this.node.opset ?? this.around.opset(this.node.domain);
  }

  get outputCount(): number {
    return this.node.outputs.length;
  }

  input(position: number): Fact {
    return (
      this.inputs[position] ?? this.fail(`${this.node.op} needs its input ${position}, which is missing.`)
    );
  }

  optional(position: number): Fact | undefined {
    return this.inputs[position];
  }

  has(name: string): boolean {
    return this.node.attributes.has(name);
  }

  int(name: string, standard?: number): number {
    return Number(this.required(name, this.attribute(name, 'int') ?? standard));
  }

  float(name: string, standard?: number): number {
    return this.required(name, this.attribute(name, 'float') ?? standard);
  }

  string(name: string, standard?: string): string {
    return this.required(name, this.attribute(name, 'string') ?? standard);
  }

  ints(name: string): readonly number[] | undefined {
    return this.attribute(name, 'ints')?.map(Number);
  }

  floats(name: string): readonly number[] | undefined {
    return this.attribute(name, 'floats');
  }

  strings(name: string): readonly string[] | undefined {
    return this.attribute(name, 'strings');
  }

  tensor(name: string): Constant | undefined {
    return this.attribute(name, 'tensor');
  }

  type(name: string): Fact | undefined {
    return this.attribute(name, 'type');
  }

  unknownDim(why: string, most?: number): Symbolic {
    return this.around.unknownDim(why, this.node, most);
  }

  boundedDim(why: string, most: Dim, follows?: 'follows'): Symbolic {
    return this.around.boundedDim(why, this.node, most, follows);
  }

  unknownRank(output: number, why: string): void {
    const tensor = this.node.outputs[output];
    if (tensor !== undefined) this.around.unknownRank(tensor, why);
  }

  nameOf(tensor: number): string {
    return this.around.nameOf(tensor);
  }

  equate(a: Dim, b: Dim): void {
    this.around.equate(a, b);
  }

  declared(output: number): Fact | undefined {
    return this.node.outputs[output] === undefined ? undefined : this.around.declared(this.node, output);
  }

  inferBody(body: Body, inputs: readonly (Fact | undefined)[]): readonly (Fact | undefined)[] {
    return this.around.inferBody(body, inputs);
  }

  fail(text: string, hint?: string): never {
    const { label } = this.node;
    return fail('E_SHAPE', `${label}: ${text}`, {
      node: label,
      ...(hint === undefined ? {} : { hint }),
    });
  }

  note(text: string): void {
    const { label } = this.node;
    this.around.report(diagnostic('N_RULE_DIFFERS', `${label}: ${text}`, { node: label }));
  }

  private attribute<K extends Kind>(name: string, kind: K): ValueOf<K> | undefined {
    const found = this.node.attributes.get(name);
    if (found === undefined) return undefined;
    if (found.kind !== kind) return this.fail(`attribute ${name} is ${found.kind}, not ${kind}.`);
    return found.value as ValueOf<K> | undefined;
  }

  private required<T>(name: string, value: T | undefined): T {
    return value ?? this.fail(`attribute ${name} is missing.`);
  }
}
