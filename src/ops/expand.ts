/**
 * Operators that repeat elements.
 *
 * Expand: 8, 13. Tile: 1 (tiles and axis), 6 (one repeat per axis), 13.
 */
import { type Dim, formatShape, isKnown, mul } from '../graph/dims.ts';
import type { Value } from '../graph/types.ts';
import { broadcastOffsets, pick, range } from './elements.ts';
import {
  broadcast,
  knownDims,
  knownScalar,
  normaliseAxis,
  reshaped,
  type Shape,
  staticShape,
  unknownShape,
} from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';

const WHY = 'how often it is repeated is computed from data';

/** The input broadcast against the wanted shape in both directions: a 1 there keeps the input's size. */
const expandShape: ShapeRule = (c) => {
  const x = c.input(0);
  const target = knownDims(c.input(1));
  if (target !== undefined) {
    if (target.some((size) => isKnown(size) && size < 0))
      c.fail(`the new shape ${formatShape(target)} has a negative size.`);
    return [reshaped(x, broadcast(c, [x.shape, target]))];
  }
  const rank = c.input(1).shape?.[0];
  if (rank === undefined || !isKnown(rank) || x.shape === undefined) return [reshaped(x, undefined)];
  return [reshaped(x, unknownShape(c, Math.max(rank, x.shape.length), WHY))];
};

const expandFold: FoldRule = (c, [output]) => {
  const { shape, value } = c.input(0);
  const [from, to] = [staticShape(shape), staticShape(output?.shape)];
  if (from === undefined || to === undefined || value === undefined) return [undefined];
  return [broadcastOffsets(from, to).map((offset) => value[offset]!)];
};

/** How often each axis is repeated, or undefined while it is not known. */
function repeats(c: OpContext, shape: Shape): readonly Dim[] | undefined {
  if (c.opset >= 6) {
    const known = knownDims(c.input(1));
    if (known !== undefined && known.length !== shape.length) {
      c.fail(`${known.length} repeats do not fit ${formatShape(shape)}.`);
    }
    return known;
  }
  const tiles = knownDims(c.input(1))?.[0];
  const axis = knownScalar(c.input(2));
  if (tiles === undefined || axis === undefined) return undefined;
  return shape.map((_, i) => (i === normaliseAxis(c, axis, shape.length) ? tiles : 1));
}

const tileShape: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [reshaped(x, undefined)];
  const times = repeats(c, x.shape);
  if (times === undefined) return [reshaped(x, unknownShape(c, x.shape.length, WHY))];
  if (times.some((time) => isKnown(time) && time < 0))
    c.fail(`the repeats ${formatShape(times)} are negative.`);
  return [
    reshaped(
      x,
      x.shape.map((size, axis) => mul(size, times[axis]!)),
    ),
  ];
};

const tileFold: FoldRule = (c, [output]) => {
  const { shape, value } = c.input(0);
  const [from, to] = [staticShape(shape), staticShape(output?.shape)];
  return [from && to && value && tiled(value, from, to)];
};

function tiled(value: Value, from: readonly number[], to: readonly number[]): Value {
  return pick(
    value,
    from,
    to.map((size, axis) => range(size).map((i) => i % from[axis]!)),
  );
}

export const rows: readonly OpRow[] = [
  { op: 'Expand', since: [8, 13], inputs: [2, 2], outputs: [1, 1], shape: expandShape, fold: expandFold },
  { op: 'Tile', since: [1, 6, 13], inputs: [2, 3], outputs: [1, 1], shape: tileShape, fold: tileFold },
];
