/** What lies between a planned graph and the C of its runner: kernel calls and their arguments. */
import type { ElementType } from '../graph/element-type.ts';
import type { MemoryOrder } from '../graph/memory-order.ts';
import type { CmsisNn } from '../kernels/cmsis-nn/build.ts';
import type { Limits } from '../kernels/integer-form.ts';
import type { OpContext } from '../ops/types.ts';

/** A tensor in memory that a node reads or writes. */
export interface Operand {
  /** Index in `Graph.tensors`. */
  readonly tensor: number;
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Elements. */
  readonly count: number;
}

/** Numbers that stand in flash beside the weights: a structure or an array of the kernel interface. */
export interface Table {
  readonly kind: 'table';
  /** C type of the structure, or of one element. */
  readonly type: string;
  /** Elements of an array; undefined for a structure, which is passed by its address. */
  readonly elements?: number;
  /** A brace initialiser. Another table's name stands where its argument is. */
  readonly initialiser: readonly (string | Table)[];
}

/** A constant that is worked out for a kernel: weights in another order, a bias in integers. */
export interface Prepared {
  /** Unique among those of a network. */
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Little-endian elements. */
  readonly bytes: Uint8Array;
  /** The constant whose elements these are, in another order or rounded to integers. */
  readonly of?: number;
}

export type Argument =
  /** The address of a tensor, `offset` bytes into it, and `along` more: a C expression. */
  | { readonly kind: 'tensor'; readonly tensor: number; readonly offset: number; readonly along?: string }
  /** A C expression. */
  | { readonly kind: 'token'; readonly text: string }
  /** Working memory that the runner owns, shared by all calls. */
  | { readonly kind: 'scratch'; readonly bytes: number }
  | { readonly kind: 'prepared'; readonly constant: Prepared }
  | Table;

/** Working memory that the plan gives to the kernel of a step. */
export interface Planned {
  readonly tensor: number;
  readonly bytes: number;
}

/** One call of a kernel. */
export interface Call {
  /** File of runtime/ that defines it. */
  readonly family: string;
  readonly kernel: string;
  readonly arguments: readonly Argument[];
  /** It returns 0, or something else when it did not run. */
  readonly answers?: true;
}

/** A node as the lowering of its operator sees it. */
export interface RunnerNode {
  /** Attributes and facts. */
  readonly c: OpContext;
  /** How many inputs the node names. */
  readonly inputCount: number;
  /** The operand at a position; refuses the node where it is missing. */
  readonly input: (position: number) => Operand;
  readonly optional: (position: number) => Operand | undefined;
  readonly output: (position: number) => Operand;
  /** Undefined where nobody asked for it. */
  readonly optionalOutput: (position: number) => Operand | undefined;
  readonly outputCount: number;
  /** The elements of a constant input; undefined where there is none. Refuses the node where it is computed. */
  readonly constant: (position: number) => readonly number[] | undefined;
  /** How tensors of three and more dimensions lie in memory. */
  readonly order: MemoryOrder;
  /** By axis: elements from one to the next in memory. Constants lie in the order of the model. */
  readonly strides: (operand: Operand) => readonly number[];
  /** The elements of a constant, however many; refuses the node where it is computed or missing. */
  readonly elements: (operand: Operand) => readonly number[];
  /** Scale and zero point of the whole tensor, where they are known. */
  readonly quant: (operand: Operand) => { readonly scale: number; readonly zero: number } | undefined;
  /** What an activation behind the operator keeps the result between. */
  readonly limits: Limits;
  /** Constants that are added to each output channel besides the bias. */
  readonly added: readonly Operand[];
  /** The CMSIS-NN that the plan is for, where it is. */
  readonly library: CmsisNn;
  /** Scratch of the step, in the order of the contract. */
  readonly scratch: readonly Planned[];
  /** The plan gives `a` the very bytes that begin `offset` bytes into `b`: nothing has to be copied. */
  readonly coincide: (a: Operand, b: Operand, offset?: number) => boolean;
  /** There is no kernel for what the node does; `text` completes "has no kernel ...". */
  readonly refuse: (text: string) => never;
}

export interface Lowering {
  readonly lower: (node: RunnerNode) => readonly Call[];
  /** Operands whose very bytes output 0 may take: the kernels read each element before they write it. */
  readonly inPlace?: readonly number[];
}

/** Lowerings by operator; those of another domain than ai.onnx as `domain:operator`. */
export type Lowerings = Readonly<Record<string, Lowering>>;
