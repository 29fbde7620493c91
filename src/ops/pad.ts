/**
 * Pad: 1 (paddings), 2 (pads), 11 (pads and value are inputs), 13, 18 (axes), 19 (wrap), 21, 23, 24, 25.
 */
import { add, type Dim, formatShape, isKnown, mod } from '../graph/dims.ts';
import type { Scalar } from '../graph/types.ts';
import { pick, range } from './elements.ts';
import { knownDims, knownNumbers, normaliseAxes, reshaped, staticShape, unknownShape } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';

export interface Border {
  readonly head: Dim;
  readonly tail: Dim;
}

/** The border of each axis, or undefined while it is not known. A negative one cuts. */
export function borders(c: OpContext, rank: number): readonly Border[] | undefined {
  const pads =
    c.opset < 11
      ? (c.ints(c.opset < 2 ? 'paddings' : 'pads') ?? c.fail('pads are missing.'))
      : knownDims(c.input(1));
  const axes = c.node.inputs[3] === undefined ? range(rank) : knownNumbers(c.optional(3));
  if (pads === undefined || axes === undefined) return undefined;
  if (pads.length !== 2 * axes.length) {
    c.fail(`${pads.length} pads do not fit ${axes.length} axes; there must be two for each.`);
  }
  const result = range(rank).map((): Border => ({ head: 0, tail: 0 }));
  for (const [i, axis] of normaliseAxes(c, axes, rank).entries()) {
    result[axis] = { head: pads[i]!, tail: pads[i + axes.length]! };
  }
  return result;
}

const padShape: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [reshaped(x, undefined)];
  const known = borders(c, x.shape.length);
  if (known === undefined) {
    return [reshaped(x, unknownShape(c, x.shape.length, 'how far it is padded is computed from data'))];
  }
  const padded = x.shape.map((size, axis) => add(add(size, known[axis]!.head), known[axis]!.tail));
  if (padded.some((size) => isKnown(size) && size < 0)) {
    c.fail(`its pads cut more than there is: ${formatShape(x.shape)} would become ${formatShape(padded)}.`);
  }
  return [reshaped(x, padded)];
};

/** Wrapped borders are not evaluated: what wraps where others cut is not agreed on. */
const padFold: FoldRule = (c, [output]) => {
  const { shape, value } = c.input(0);
  const sizes = staticShape(shape);
  const target = staticShape(output?.shape);
  const known = sizes && borders(c, sizes.length);
  if (!sizes || !target || !value || !known) return [undefined];
  const mode = c.string('mode', 'constant');
  if (mode === 'wrap') return [undefined];
  const lists: number[][] = [];
  for (const [axis, { head }] of known.entries()) {
    if (!isKnown(head)) return [undefined];
    lists.push(range(target[axis]!).map((i) => sourceIndex(mode, i - head, sizes[axis]!)));
  }
  const fill = fillOf(c);
  return [fill === undefined ? undefined : pick(value, sizes, lists, fill)];
};

/** Where the element at position `i` of a padded axis comes from; -1: from nowhere, it is the pad value. */
function sourceIndex(mode: string, i: number, size: number): number {
  if (mode === 'edge') return Math.min(Math.max(i, 0), size - 1);
  if (mode === 'reflect') {
    const period = Math.max(1, 2 * (size - 1));
    const at = mod(i, period) as number;
    return at < size ? at : period - at;
  }
  return i >= 0 && i < size ? i : -1;
}

/** The pad value; undefined while it is not known. */
export function fillOf(c: OpContext): Scalar | undefined {
  if (c.opset < 11) return c.float('value', 0);
  return c.node.inputs[2] === undefined ? 0 : c.optional(2)?.value?.[0];
}

export const rows: readonly OpRow[] = [
  {
    op: 'Pad',
    since: [1, 2, 11, 13, 18, 19, 21, 23, 24, 25],
    inputs: [1, 4],
    outputs: [1, 1],
    shape: padShape,
    fold: padFold,
  },
];
