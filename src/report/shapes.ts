/** The shape of every tensor of a model, with symbols where the model leaves sizes open. */
import { type Dim, formatDim, isKnown, symbolsOf } from '../graph/dims.ts';
import { tensorBytes } from '../graph/element-type.ts';
import type { Body, Fact, Node, TypedGraph } from '../graph/types.ts';
import type { Model } from '../model/types.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { counted, grouped, printable, shortened } from './text.ts';

export interface TensorShape {
  readonly name: string;
  readonly role: string;
  /** The operator that writes it, or null for graph inputs. */
  readonly op: string | null;
  readonly type: string | null;
  /** Numbers, and texts where a size depends on symbols; null: not even the rank is known. */
  readonly shape: readonly (number | string)[] | null;
  readonly bytes: number | null;
  /** Computed before the model runs: needs no place in the arena. */
  readonly constant: boolean;
}

export interface ShapeDocument {
  readonly schema: 1;
  readonly model: {
    readonly name: string;
    readonly file: string;
    readonly opset: Readonly<Record<string, number>>;
  };
  /** Names of the dimensions that are still open, sorted. */
  readonly open: readonly string[];
  readonly tensors: readonly TensorShape[];
}

/** Graph inputs first, then what each node writes, bodies after the node they belong to. Weights are left out. */
export function shapeDocument(model: Model, graph: TypedGraph): ShapeDocument {
  const tensors: TensorShape[] = graph.inputs.map((index) => tensorShape(graph, index, undefined));
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      for (const index of node.outputs) {
        if (index !== undefined) tensors.push(tensorShape(graph, index, node));
      }
      for (const body of node.bodies) visitBody(body);
    }
  };
  const visitBody = (body: Body): void => {
    for (const index of body.inputs) tensors.push(tensorShape(graph, index, undefined));
    visit(body.nodes);
  };
  visit(graph.nodes);
  return {
    schema: 1,
    model: { name: model.name, file: model.file, opset: opsetsOf(graph) },
    open: openNames(graph),
    tensors,
  };
}

function tensorShape(graph: TypedGraph, index: number, node: Node | undefined): TensorShape {
  const { name, role } = graph.tensors[index]!;
  const fact = graph.facts[index];
  return {
    name,
    role,
    op: node?.op ?? null,
    type: fact?.type ?? null,
    shape: fact?.shape?.map((dim) => (isKnown(dim) ? dim : formatDim(dim))) ?? null,
    bytes: bytesOf(fact),
    constant: node !== undefined && graph.folded.has(node),
  };
}

function bytesOf(fact: Fact | undefined): number | null {
  if (fact?.shape === undefined || !fact.shape.every(isKnown)) return null;
  const elements = fact.shape.reduce((product, dim) => product * dim, 1);
  return tensorBytes(fact.type, elements) ?? null;
}

function opsetsOf({ opsets }: TypedGraph): Record<string, number> {
  return Object.fromEntries([...opsets].map(([domain, version]) => [domain || 'ai.onnx', version]));
}

function openNames({ facts }: TypedGraph): readonly string[] {
  const names = new Set<string>();
  for (const fact of facts) {
    for (const dim of fact?.shape ?? ([] as readonly Dim[])) symbolsOf(dim, names);
  }
  return [...names].sort();
}

/** The document as a table. */
export function shapeText(document: ShapeDocument, paint: Paint, columns: number): string {
  const { model, open, tensors } = document;
  const opsets = Object.entries(model.opset).map(([domain, version]) => `${domain} ${version}`);
  const room = Math.max(16, columns - 56);
  const head = ['tensor', 'from', 'type', 'shape', 'bytes'].map((text) => ({ text, colour: paint.heading }));
  const rows = tensors.map((tensor): Cell[] => [
    shortened(printable(tensor.name), room),
    tensor.op === null ? tensor.role : tensor.constant ? `${tensor.op} (constant)` : tensor.op,
    tensor.type ?? '?',
    tensor.shape === null ? '[?]' : `[${tensor.shape.join(',')}]`,
    tensor.bytes === null ? '?' : grouped(tensor.bytes),
  ]);
  const lines = [
    `${paint.heading(printable(model.file))}, opset ${opsets.join(', ')}: ${counted(tensors.length, 'tensor')}`,
    ...table([head, ...rows], ['left', 'left', 'left', 'left', 'right']),
  ];
  if (open.length > 0) lines.push(`open: ${open.map(printable).join(', ')} (--dim ${printable(open[0]!)}=1)`);
  return `${lines.join('\n')}\n`;
}
