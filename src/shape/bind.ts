/** Gives the graph inputs their sizes: declared shapes, --dim and --input-shape brought together. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import { type Dim, formatDim, formatShape, isKnown, substitute, symbol, symbolsOf } from '../graph/dims.ts';
import type { Fact, Graph } from '../graph/types.ts';
import { isUnknownName } from '../graph/unknown-dims.ts';
import type { Bindings } from './types.ts';

export interface Bound {
  /** Of the graph inputs, by tensor index. */
  readonly facts: ReadonlyMap<number, Fact>;
  /** What a named dimension stands for, for declared shapes elsewhere in the graph. */
  readonly sizeOf: (name: string) => number | undefined;
  /** True for a dimension of an input that is still open. */
  readonly isInputDim: (name: string) => boolean;
  /** Bindings that contradict the model or each other, and inputs that say nothing of themselves. */
  readonly faults: readonly Diagnostic[];
  /** One per input that still has a dimension without a size. */
  readonly open: readonly Diagnostic[];
}

/** Names that exporters write on every open dimension: equal ones say nothing about equal sizes. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  '',
  '?',
  '-1',
  'None',
  'none',
  'unknown',
  'Unknown',
  'dynamic',
]);

/** True for a name that says nothing; one like those of unknown dimensions is no better. */
export function isPlaceholder(name: string): boolean {
  return PLACEHOLDERS.has(name) || isUnknownName(name);
}

interface Input {
  readonly tensor: number;
  readonly name: string;
  readonly declared: Fact;
}

/** Collects the sizes of all named dimensions and applies them to the inputs. Reports, throws nothing. */
export function bindInputs(graph: Graph, bindings: Bindings): Bound {
  const faults: Diagnostic[] = [];
  const complain = (text: string, hint?: string) =>
    faults.push(diagnostic('E_BINDING', text, hint === undefined ? {} : { hint }));
  for (const tensor of graph.inputs) {
    const { name, declared } = graph.tensors[tensor]!;
    if (declared !== undefined) continue;
    const text = `The model does not say which element type its input ${name} has.`;
    faults.push(diagnostic('E_MODEL', text, { tensor: name }));
  }
  const inputs = inputsOf(graph, bindings);
  const sizes = new Map(bindings.dims);
  checkNames(graph, inputs, bindings, complain);
  for (const [name, shape] of bindings.inputShapes) {
    const input = inputs.find((candidate) => candidate.name === name);
    if (input !== undefined) bindShape(input, shape, sizes, complain);
  }
  const sizeOf = (name: string) => sizes.get(name);
  const ranges = bindings.ranges ?? new Map();
  const sizeOfInput = (name: string) => sizes.get(name) ?? (ranges.has(name) ? undefined : bindings.all);
  const facts = new Map<number, Fact>();
  const open: Diagnostic[] = [];
  for (const input of inputs) {
    const fact = sized(input, bindings.inputShapes.get(input.name), sizeOfInput);
    facts.set(input.tensor, fact);
    const isRanged = namesIn(fact).every((name) => ranges.has(name)) && fact.shape !== undefined;
    if (!isSized(fact) && !isRanged) open.push(openInput(input.name, fact));
    for (const dim of input.declared.shape ?? []) {
      for (const name of symbolsOf(dim))
        if (bindings.all !== undefined && !sizes.has(name) && !ranges.has(name))
          sizes.set(name, bindings.all);
    }
  }
  const free = new Set([...facts.values()].flatMap(namesIn));
  return { facts, sizeOf, isInputDim: (name) => free.has(name), faults, open };
}

/** The inputs with a declared type. A placeholder that no --dim names becomes a dimension of its own per axis. */
function inputsOf(graph: Graph, bindings: Bindings): readonly Input[] {
  return graph.inputs.flatMap((tensor) => {
    const { name, declared } = graph.tensors[tensor]!;
    if (declared === undefined) return [];
    const shape = declared.shape?.map((dim, axis) => {
      const text = formatDim(dim);
      return isPlaceholder(text) && !isNamed(bindings, text) ? symbol(`${name}[${axis}] (${text})`) : dim;
    });
    return [{ tensor, name, declared: { ...declared, shape } }];
  });
}

/** Some --dim speaks of the dimension. */
function isNamed({ dims, ranges }: Bindings, name: string): boolean {
  return dims.has(name) || ranges?.has(name) === true;
}

type Complain = (text: string, hint?: string) => void;

function checkNames(graph: Graph, inputs: readonly Input[], bindings: Bindings, complain: Complain): void {
  const own = new Set(inputs.flatMap(({ declared }) => namesIn(declared)));
  const given = [...bindings.dims.keys(), ...(bindings.ranges?.keys() ?? [])];
  const missing = given.filter((name) => !own.has(name));
  if (missing.length > 0) {
    const elsewhere = new Set(graph.tensors.flatMap(({ declared }) => namesIn(declared)));
    for (const name of missing.filter((name) => !elsewhere.has(name))) {
      complain(
        `--dim ${name}: the model has no dimension of that name.`,
        known('Its open dimensions are', [...own]),
      );
    }
  }
  const names = new Set(inputs.map(({ name }) => name));
  for (const name of bindings.inputShapes.keys()) {
    if (!names.has(name)) {
      complain(
        `--input-shape ${name}: the model has no input of that name.`,
        known('Its inputs are', [...names]),
      );
    }
  }
}

function namesIn(declared: Fact | undefined): readonly string[] {
  return (declared?.shape ?? []).flatMap((dim) => [...symbolsOf(dim)]);
}

function known(what: string, names: readonly string[]): string {
  return names.length === 0 ? `${what}: none.` : `${what}: ${names.join(', ')}.`;
}

/** Takes one --input-shape in: every size either repeats what the model says or binds its open dimension. */
function bindShape(
  input: Input,
  given: readonly number[],
  sizes: Map<string, number>,
  complain: Complain,
): void {
  const { name, declared } = input;
  const text = `--input-shape ${name}:${given.join(',')}`;
  if (declared.shape === undefined) return;
  if (declared.shape.length !== given.length) {
    complain(
      `${text}: the model declares ${declared.shape.length} dimensions, ${formatShape(declared.shape)}.`,
    );
    return;
  }
  for (const [axis, dim] of declared.shape.entries()) {
    const size = given[axis]!;
    if (isKnown(dim)) {
      if (dim !== size) complain(`${text}: the model fixes axis ${axis} at ${dim}.`);
      continue;
    }
    const before = sizes.get(dim.text);
    if (before === undefined) sizes.set(dim.text, size);
    else if (before !== size)
      complain(`${text}: axis ${axis} is ${dim.text}, which is ${before} elsewhere, not ${size}.`);
  }
}

function sized(
  input: Input,
  given: readonly number[] | undefined,
  sizeOf: (name: string) => number | undefined,
): Fact {
  const { declared } = input;
  const shape = declared.shape?.map((dim) => substitute(dim, sizeOf)) ?? given;
  return { ...declared, shape };
}

/** Containers have no shape to bind; that they have no static size is found later, by name. */
function isSized(fact: Fact): boolean {
  return fact.container !== undefined || (fact.shape?.every(isKnown) ?? false);
}

function openInput(name: string, fact: Fact): Diagnostic {
  const shape = fact.shape;
  if (shape === undefined) {
    return diagnostic('E_OPEN_DIM', `The model does not say which shape its input ${name} has.`, {
      hint: `--input-shape ${name}:1,3,224,224 (the real sizes)`,
      tensor: name,
    });
  }
  const missing = shape.flatMap((dim, axis) => (isKnown(dim) ? [] : [`${formatDim(dim)} (axis ${axis})`]));
  const what = missing.length === 1 ? `dimension ${missing[0]} has` : `dimensions ${missing.join(', ')} have`;
  return diagnostic('E_OPEN_DIM', `Input ${name} has the shape ${formatShape(shape)}: its ${what} no size.`, {
    hint: flags(name, shape),
    tensor: name,
  });
}

/** The flags that bind the shape: by name where every open dimension has one. Only the batch, axis 0, is said to be 1. */
function flags(input: string, shape: readonly Dim[]): string {
  const sizes = new Map<string, string>();
  for (const [axis, dim] of shape.entries()) {
    if (!isKnown(dim) && !sizes.has(dim.text)) sizes.set(dim.text, axis === 0 ? '1' : 'N');
  }
  const shaped = `--input-shape ${input}:${shape.map((dim) => (isKnown(dim) ? dim : sizes.get(dim.text))).join(',')}`;
  if ([...sizes.keys()].some((name) => name.startsWith(`${input}[`))) return shaped;
  return `${[...sizes].map(([name, size]) => `--dim ${name}=${size}`).join(' ')}, or ${shaped}`;
}
