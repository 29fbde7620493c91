/** The graph: neutral to the file format. Read-only data; tensors are named by their index in `Graph.tensors`. */
import type { DimRanges } from './dim-range.ts';
import type { Dim, Symbolic } from './dims.ts';
import type { ElementType } from './element-type.ts';

/** One element of a folded value. 64-bit integers are numbers up to 2^53 and bigints beyond; bool is 0 or 1. */
export type Scalar = number | bigint | Symbolic;

/** The elements of a small constant in row-major order. float32 values are already rounded to float32. */
export type Value = readonly Scalar[];

export interface Quant {
  readonly scale: readonly number[];
  readonly zeroPoint: readonly number[];
  /** The axis of a per-channel quantisation, or null for one scale per tensor. */
  readonly axis: number | null;
}

/** What is known about a tensor. */
export interface Fact {
  readonly type: ElementType;
  /** undefined: not even the rank is known. */
  readonly shape: readonly Dim[] | undefined;
  /** All elements, where they are known and few. Its length is the product of the shape. */
  readonly value?: Value | undefined;
  readonly quant?: Quant | undefined;
  /** Not a plain tensor: a sequence or optional of such tensors, a map, a sparse tensor. */
  readonly container?: 'sequence' | 'optional' | 'map' | 'sparse' | undefined;
  /** What a sequence or optional holds, where its length is known. */
  readonly elements?: readonly Fact[] | undefined;
}

/** Where the bytes of a constant lie. */
export interface DataPlace {
  /** null: inside the model file; else a path relative to the model's folder. */
  readonly file: string | null;
  readonly offset: number;
  readonly bytes: number;
}

/** A weight: an initializer or the value of a Constant node. */
export interface Constant {
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Undefined when the elements are not stored as plain little-endian bytes in one place. */
  readonly place: DataPlace | undefined;
  /** Decodes the elements when they are few enough to decide shapes (see `MAX_VALUE_ELEMENTS`), else undefined. */
  readonly value: () => Value | undefined;
  /** Reads the elements from the file where they are stored in one place, however many; without it `value` is all. */
  readonly read?: (() => Uint8Array | undefined) | undefined;
}

export type Role = 'input' | 'output' | 'weight' | 'activation' | 'state' | 'scratch';

export interface Tensor {
  /** As in the file; a tensor of a control-flow body is named `<path>/<name>`. Unique within the graph. */
  readonly name: string;
  readonly role: Role;
  /** What the file declares about it (graph inputs and outputs, value_info), or undefined. */
  readonly declared: Fact | undefined;
  readonly constant: Constant | undefined;
}

export type Attribute =
  | { readonly kind: 'int'; readonly value: number | bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'ints'; readonly value: readonly (number | bigint)[] }
  | { readonly kind: 'floats'; readonly value: readonly number[] }
  | { readonly kind: 'strings'; readonly value: readonly string[] }
  | { readonly kind: 'tensor'; readonly value: Constant }
  | { readonly kind: 'type'; readonly value: Fact };

/** A control-flow body. Its tensors live in the same `Graph.tensors`; outer values are used by their index. */
export interface Body {
  /** The attribute it came from: then_branch, else_branch, body. */
  readonly name: string;
  /** Where it stands: `if_1/then_branch`. The names of its tensors and the labels of its nodes start with it. */
  readonly path: string;
  readonly nodes: readonly Node[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

export interface Node {
  /** As in the file, often empty or repeated: use `label` in messages. */
  readonly name: string;
  /**
   * How messages name it: its name, or `Conv #3` (operator and place in the file); in a body or an inlined
   * function after the path (`if_1/then_branch/Conv #3`). Unique within the graph.
   */
  readonly label: string;
  /** Place in the file, counted over the graph it stands in. */
  readonly index: number;
  readonly op: string;
  /** '' for ai.onnx. */
  readonly domain: string;
  /** Opset version of its domain, where an inlined function imports another one than `Graph.opsets`. */
  readonly opset?: number;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Tensor indexes; undefined where an optional one is omitted. */
  readonly inputs: readonly (number | undefined)[];
  readonly outputs: readonly (number | undefined)[];
  readonly bodies: readonly Body[];
  /** The node does the work of several (`--fuse`): it has the name and operator of one of them. */
  readonly group?: Group;
}

/** Nodes that one kernel call carries out. */
export interface Group {
  /** In the order in which they would run, the one that gives its name included. */
  readonly members: readonly Node[];
  /** Constants that the call needs besides the node's inputs: scales, zero points, bounds. Without repeats. */
  readonly parameters: readonly number[];
}

export interface Graph {
  readonly name: string;
  /** Domain ('' for ai.onnx) to opset version. */
  readonly opsets: ReadonlyMap<string, number>;
  readonly tensors: readonly Tensor[];
  /** In an executable order. */
  readonly nodes: readonly Node[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** A graph whose every tensor has a fact. */
export interface TypedGraph extends Graph {
  /** By tensor index. A tensor that nothing could be said about (and that nobody needs) is undefined. */
  readonly facts: readonly (Fact | undefined)[];
  /** Nodes whose outputs are constants: they are no steps. */
  readonly folded: ReadonlySet<Node>;
  /** Of the symbols in shapes: every tensor is planned at its largest. Without it all sizes are numbers. */
  readonly ranges?: DimRanges | undefined;
}

/** Folded values above this many elements keep their shape only. */
export const MAX_VALUE_ELEMENTS = 65536;
