/**
 * Concat: 1 (axis defaults to 1), 4 (axis is required), 11 (negative axis), 13.
 */
import { add, type Dim, formatShape, sameDim } from '../graph/dims.ts';
import type { Fact, Quant, Scalar, Value } from '../graph/types.ts';
import { countOf } from './elements.ts';
import { fact, normaliseAxis, reshaped, type Shape, staticShape, tensorQuant, unify } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';

function axisOf(c: OpContext, rank: number): number {
  return normaliseAxis(c, c.opset < 4 ? c.int('axis', 1) : c.int('axis'), rank);
}

function partsOf(c: OpContext): readonly Fact[] {
  return c.node.inputs.map((_, position) => c.input(position));
}

/** The shapes of parts joined along an axis: the sizes there add up, the others are equal. */
export function joined(c: OpContext, shapes: readonly Shape[], axis: number): Shape {
  const [first, ...rest] = shapes;
  return rest.reduce((whole, part) => {
    if (part.length !== whole.length) {
      c.fail(`parts ${shapes.map((shape) => formatShape(shape)).join(', ')} differ in rank.`);
    }
    return whole.map((size, i): Dim => {
      if (i === axis) return add(size, part[i]!);
      // The message below lists all parts, of which there may be thousands.
      if (sameDim(size, part[i]!)) return size;
      return unify(c, size, part[i]!, `axis ${i} of parts ${shapes.map((s) => formatShape(s)).join(', ')}`);
    });
  }, first!);
}

const concatShape: ShapeRule = (c) => {
  const parts = partsOf(c);
  const shapes = parts.map((part) => part.shape);
  const known = shapes.filter((shape) => shape !== undefined);
  if (known.length < shapes.length) return [reshaped(parts[0]!, undefined)];
  const axis = axisOf(c, known[0]!.length);
  const quant = commonQuant(parts);
  return [{ ...fact(parts[0]!.type, joined(c, known, axis)), ...(quant && { quant }) }];
};

/** The quantisation that all parts share. */
function commonQuant(parts: readonly Fact[]): Quant | undefined {
  const [first, ...rest] = parts.map(tensorQuant);
  const same = (other: Quant | undefined) =>
    other?.scale[0] === first?.scale[0] && other?.zeroPoint[0] === first?.zeroPoint[0];
  return rest.every(same) ? first : undefined;
}

/** Joins values along an axis, block by block. */
export function joinValues(
  values: readonly Value[],
  shapes: readonly (readonly number[])[],
  axis: number,
): Value {
  const outer = countOf(shapes[0]!.slice(0, axis));
  const blocks = shapes.map((shape) => countOf(shape.slice(axis)));
  const result: Scalar[] = [];
  for (let i = 0; i < outer; i++) {
    for (const [part, value] of values.entries()) {
      const block = blocks[part]!;
      for (let at = i * block; at < (i + 1) * block; at++) result.push(value[at]!);
    }
  }
  return result;
}

const concatFold: FoldRule = (c) => {
  const parts = partsOf(c);
  const values = parts.flatMap((part) => (part.value === undefined ? [] : [part.value]));
  const shapes = parts.flatMap((part) => {
    const sizes = staticShape(part.shape);
    return sizes === undefined ? [] : [sizes];
  });
  if (values.length < parts.length || shapes.length < parts.length) return [undefined];
  return [joinValues(values, shapes, axisOf(c, shapes[0]!.length))];
};

export const rows: readonly OpRow[] = [
  {
    op: 'Concat',
    since: [1, 4, 11, 13],
    inputs: [1, Infinity],
    outputs: [1, 1],
    shape: concatShape,
    fold: concatFold,
    joins: (c) => {
      const rank = c.input(0).shape?.length;
      return rank === undefined ? undefined : axisOf(c, rank);
    },
  },
];
