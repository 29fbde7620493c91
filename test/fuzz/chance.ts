/** Dice for random graphs, and what a maker of nodes hands back. */
import type { ElementType } from '../../src/graph/element-type.ts';
import type { AttributeSpec } from '../support/onnx.ts';
import { createRandom } from '../support/random.ts';

export interface Chance {
  /** Opset version of the graph. */
  readonly opset: number;
  /** An integer in [low, high]. */
  readonly int: (low: number, high: number) => number;
  readonly pick: <T>(...choices: readonly [T, ...T[]]) => T;
  /** True with a chance of one in `outOf`. */
  readonly one: (outOf: number) => boolean;
  /** `count` integers in [low, high]. */
  readonly ints: (count: number, low: number, high: number) => number[];
  readonly shuffled: <T>(list: readonly T[]) => T[];
}

export function createChance(seed: number, opset: number): Chance {
  const below = createRandom(seed);
  const int = (low: number, high: number) => low + below(high - low + 1);
  return {
    opset,
    int,
    pick: (...choices) => choices[below(choices.length)]!,
    one: (outOf) => below(outOf) === 0,
    ints: (count, low, high) => Array.from({ length: count }, () => int(low, high)),
    shuffled: (list) => {
      const rest = [...list];
      return list.map(() => rest.splice(below(rest.length), 1)[0]!);
    },
  };
}

export type Sizes = readonly number[];

/** An operand of a node: the float tensor it was asked to work on, nothing, a graph input, or a constant. */
export type Operand =
  | 'x'
  | undefined
  | { readonly type: ElementType; readonly shape: Sizes; readonly values?: readonly number[] };

export interface Made {
  readonly op: string;
  readonly domain?: string;
  readonly operands: readonly Operand[];
  readonly attributes?: Readonly<Record<string, AttributeSpec>>;
  /** Default 1. */
  readonly outputs?: number;
}

/** Makes a node that works on a float32 tensor of shape `x`, or undefined when the shape does not suit. */
export type Maker = (g: Chance, x: Sizes) => Made | undefined;

/** Makers by operator, with the opset from which on they work. */
export type Makers = Readonly<Record<string, readonly [since: number, maker: Maker]>>;

/** A graph input. */
export function data(type: ElementType, ...shape: number[]): Operand {
  return { type, shape };
}

export function floats(...shape: number[]): Operand {
  return data('float32', ...shape);
}

/** A constant vector of int64. */
export function list(...values: number[]): Operand {
  return { type: 'int64', shape: [values.length], values };
}

/** A constant scalar. */
export function scalar(type: ElementType, value: number): Operand {
  return { type, shape: [], values: [value] };
}

export function count(shape: Sizes): number {
  return shape.reduce((product, size) => product * size, 1);
}

export function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

/** An axis counted from the front or the back. */
export function eitherWay(g: Chance, axis: number, rank: number): number {
  return g.one(2) ? axis : axis - rank;
}

/** Axes as an attribute before opset `since`, as input 1 from then on. */
export function axesForm(g: Chance, axes: Sizes, since: number): Pick<Made, 'operands' | 'attributes'> {
  return g.opset < since ? { operands: ['x'], attributes: { axes } } : { operands: ['x', list(...axes)] };
}

/** The sizes with some replaced by 1, and leading ones perhaps left out: something that broadcasts to them. */
export function broadcastable(g: Chance, x: Sizes): number[] {
  return x.slice(g.int(0, x.length)).map((size) => (g.one(4) ? 1 : size));
}
