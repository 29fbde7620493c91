/** One row per operator: all that memplan knows about it. */
import type { Dim, Symbolic } from '../graph/dims.ts';
import type { Body, Constant, Fact, Node, Value } from '../graph/types.ts';

/** What a row's functions may look at. Everything is read-only; a rule is a pure function of it. */
export interface OpContext {
  readonly node: Node;
  /** Opset version of the node's domain in this model. */
  readonly opset: number;
  /** By position; undefined where omitted or unknown. */
  readonly inputs: readonly (Fact | undefined)[];
  /** How many outputs the node names, omitted ones in between included. */
  readonly outputCount: number;
  /** The fact of a required input; a missing one is an error that names node and position. */
  readonly input: (position: number) => Fact;
  /** The fact of an optional input, or undefined. */
  readonly optional: (position: number) => Fact | undefined;
  readonly has: (attribute: string) => boolean;
  readonly int: (attribute: string, standard?: number) => number;
  readonly float: (attribute: string, standard?: number) => number;
  readonly string: (attribute: string, standard?: string) => string;
  readonly ints: (attribute: string) => readonly number[] | undefined;
  readonly floats: (attribute: string) => readonly number[] | undefined;
  readonly strings: (attribute: string) => readonly string[] | undefined;
  readonly tensor: (attribute: string) => Constant | undefined;
  readonly type: (attribute: string) => Fact | undefined;
  /** A dimension nothing is known about, but that it is at most `most`; `why` goes into the message if it must be known later. */
  readonly unknownDim: (why: string, most?: number) => Symbolic;
  /**
   * A dimension of which nothing is known but that `most`, which may be open too, is its largest size: that is planned.
   * Unless it `follows` from what is said of other sizes, the user is told.
   */
  readonly boundedDim: (why: string, most: Dim, follows?: 'follows') => Symbolic;
  /** Says why the shape of an output has an unknown rank. */
  readonly unknownRank: (output: number, why: string) => void;
  /** For messages. */
  readonly nameOf: (tensor: number) => string;
  /** Two dimensions are equal, or the model fails when it runs: what is unknown may be found out from that. */
  readonly equate: (a: Dim, b: Dim) => void;
  /** Declared fact of an output: a last resort for rules that depend on data. */
  readonly declared: (output: number) => Fact | undefined;
  /** Infers a control-flow body for given input facts and returns the facts of its outputs. */
  readonly inferBody: (body: Body, inputs: readonly (Fact | undefined)[]) => readonly (Fact | undefined)[];
  /** The model contradicts the operator's definition. Adds the node's label. */
  readonly fail: (text: string, hint?: string) => never;
  /** Sources disagree or something deserves a word. Adds the node's label. */
  readonly note: (text: string) => void;
}

export type ShapeRule = (c: OpContext) => readonly (Fact | undefined)[];

/** Values of the outputs, where the inputs' values are known; undefined where they are not. */
export type FoldRule = (
  c: OpContext,
  outputs: readonly (Fact | undefined)[],
) => readonly (Value | undefined)[];

/**
 * Output `output` has elements of input `input` unchanged: all of them in the same order, or with `starts` the block
 * of its own shape that begins there along each axis.
 */
export interface View {
  readonly output: number;
  readonly input: number;
  readonly starts?: readonly number[];
}

export type ViewRule = (c: OpContext, outputs: readonly (Fact | undefined)[]) => readonly View[];

export type Arity = readonly [least: number, most: number];

export interface OpRow {
  readonly op: string;
  /** Default '' (ai.onnx). */
  readonly domain?: string;
  /** Opset versions at which the definition changed, ascending. */
  readonly since: readonly number[];
  /** Removed from the standard in this version. */
  readonly until?: number;
  readonly inputs: Arity;
  readonly outputs: Arity;
  readonly shape: ShapeRule;
  /** Constant evaluation, where values can decide shapes. */
  readonly fold?: FoldRule;
  /** Where the output can be a view, whatever the library (Reshape and the like, Slice). */
  readonly views?: ViewRule;
  /** Where the outputs are the parts of an input: copies that can be elided (Split). */
  readonly splits?: ViewRule;
  /** The axis along which the inputs stand side by side in output 0: copies that can be elided (Concat). */
  readonly joins?: (c: OpContext) => number | undefined;
  /** Operands whose bytes output 0 may take over, best first, where a kernel walks element by element. */
  readonly inPlace?: readonly number[];
  /**
   * False: never a constant, even if all inputs are (random values; DequantizeLinear, whose float copy of a
   * weight would be four times the weight).
   */
  readonly foldable?: false;
}

export type { Dim };
