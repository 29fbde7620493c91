/** Runs the rules of one operator on facts written by hand. */
import type { Diagnostic } from '../../src/errors.ts';
import { type Dim, symbol } from '../../src/graph/dims.ts';
import type { ElementType } from '../../src/graph/element-type.ts';
import type { Attribute, Fact, Node, Value } from '../../src/graph/types.ts';
import { opContext } from '../../src/ops/context.ts';
import { findRow } from '../../src/ops/registry.ts';

/** A number is an int, a string a string, a list of numbers ints; floats are marked. */
export type AttributeSketch = number | string | readonly number[] | { readonly float: number } | Attribute;

export interface NodeSketch {
  readonly op: string;
  readonly domain?: string;
  /** Default: the newest in which the definition changed. */
  readonly opset?: number;
  readonly inputs: readonly (Fact | undefined)[];
  readonly attributes?: Readonly<Record<string, AttributeSketch>>;
  /** Default 1. */
  readonly outputs?: number;
}

export interface Ran {
  readonly facts: readonly (Fact | undefined)[];
  /** What constant evaluation gives, undefined without a fold rule. */
  readonly values: readonly (Value | undefined)[] | undefined;
  readonly notes: readonly string[];
}

/** float32 of a shape; strings are symbols. */
export function float(...shape: readonly (number | string)[]): Fact {
  return typed('float32', ...shape);
}

/** A tensor of a type; strings are symbols. */
export function typed(type: ElementType, ...shape: readonly (number | string)[]): Fact {
  return { type, shape: shape.map((dim): Dim => (typeof dim === 'string' ? symbol(dim) : dim)) };
}

/** A constant vector. */
export function vector(type: ElementType, ...value: Value): Fact {
  return { type, shape: [value.length], value };
}

/** A constant scalar. */
export function scalar(type: ElementType, value: number): Fact {
  return { type, shape: [], value: [value] };
}

/** Infers the outputs of one node, and evaluates it where it has a fold rule. */
export function run(sketch: NodeSketch): Ran {
  const domain = sketch.domain ?? '';
  const row = findRow(domain, sketch.op);
  if (row === undefined) throw new Error(`no row for ${domain}:${sketch.op}`);
  const notes: Diagnostic[] = [];
  const node: Node = {
    name: 'node',
    label: 'node',
    index: 0,
    op: sketch.op,
    domain,
    attributes: new Map(Object.entries(sketch.attributes ?? {}).map(([k, v]) => [k, attribute(v)])),
    inputs: sketch.inputs.map((fact, i) => (fact === undefined ? undefined : i)),
    outputs: Array.from({ length: sketch.outputs ?? 1 }, (_, i) => sketch.inputs.length + i),
    bodies: [],
  };
  let unknowns = 0;
  const context = opContext(node, {
    opset: () => sketch.opset ?? row.since.at(-1)!,
    fact: (tensor) => sketch.inputs[tensor],
    declared: () => undefined,
    unknownDim: () => symbol(`?${unknowns++}`),
    boundedDim: () => symbol(`?${unknowns++}`),
    unknownRank: () => undefined,
    nameOf: (tensor) => `t${tensor}`,
    equate: () => undefined,
    inferBody: () => [],
    report: (note) => notes.push(note),
  });
  const facts = row.shape(context);
  return { facts, values: row.fold?.(context, facts), notes: notes.map((note) => note.text) };
}

function attribute(sketch: AttributeSketch): Attribute {
  if (typeof sketch === 'number') return { kind: 'int', value: sketch };
  if (typeof sketch === 'string') return { kind: 'string', value: sketch };
  if ('kind' in sketch) return sketch;
  if ('float' in sketch) return { kind: 'float', value: sketch.float };
  return { kind: 'ints', value: sketch };
}

/** `float32[1,3,?0]`, one text per output; `-` for an output without a fact. */
export function texts(sketch: NodeSketch): readonly string[] {
  return run(sketch).facts.map((fact) =>
    fact === undefined
      ? '-'
      : `${fact.type}[${fact.shape?.map((dim) => (typeof dim === 'number' ? dim : dim.text)).join(',') ?? '?'}]`,
  );
}
