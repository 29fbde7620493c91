/**
 * Operators that move every element to another place.
 *
 * Transpose: 1, 13, 21, 23, 24, 25.
 * DepthToSpace: 1, 11 (mode), 13, 28. SpaceToDepth: 1, 13, 28 (mode).
 */
import { type Dim, floorDiv, formatDim, isKnown, mul } from '../graph/dims.ts';
import type { Fact, Quant } from '../graph/types.ts';
import { permute } from './elements.ts';
import { checkRank, normaliseAxes, reshaped, type Shape, staticShape, unknownShape } from './rules.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule, ViewRule } from './types.ts';

/** Where each output axis comes from; without perm the axes are reversed. Undefined while the rank is unknown. */
export function permutationOf(c: OpContext): readonly number[] | undefined {
  const rank = c.input(0).shape?.length;
  const given = c.ints('perm');
  if (rank === undefined) return undefined;
  if (given === undefined) return Array.from({ length: rank }, (_, axis) => rank - 1 - axis);
  const permutation = normaliseAxes(c, given, rank, 'perm');
  if (permutation.length !== rank) c.fail(`perm [${given.join(',')}] does not fit rank ${rank}.`);
  return permutation;
}

const transposeShape: ShapeRule = (c) => {
  const x = c.input(0);
  const permutation = permutationOf(c);
  if (permutation !== undefined) {
    return [
      reshaped(
        x,
        permutation.map((axis) => x.shape![axis]!),
        movedQuant(x, permutation),
      ),
    ];
  }
  const rank = c.ints('perm')?.length;
  return [reshaped(x, rank === undefined ? undefined : unknownShape(c, rank, 'the input is not known'))];
};

/** A per-channel quantisation follows its axis. */
function movedQuant(x: Fact, permutation: readonly number[]): Quant | undefined {
  if (x.quant === undefined || x.quant.axis === null) return x.quant;
  return { ...x.quant, axis: permutation.indexOf(x.quant.axis) };
}

const transposeFold: FoldRule = (c) => {
  const x = c.input(0);
  const sizes = staticShape(x.shape);
  const permutation = permutationOf(c);
  if (sizes === undefined || permutation === undefined || x.value === undefined) return [undefined];
  return [permute(x.value, sizes, permutation)];
};

/** Nothing moves when the axes longer than 1 keep their order. */
const transposeViews: ViewRule = (c) => {
  const shape = c.input(0).shape;
  const moving = permutationOf(c)?.filter((axis) => shape?.[axis] !== 1);
  const still = moving?.every((axis, i) => i === 0 || moving[i - 1]! < axis);
  return still === true ? [{ output: 0, input: 0 }] : [];
};

function blockSize(c: OpContext): number {
  const size = c.int('blocksize');
  return size > 0 ? size : c.fail(`blocksize is ${size}.`);
}

/** a / b where it must leave no rest. */
function exactly(c: OpContext, a: Dim, b: number, what: string): Dim {
  if (isKnown(a) && a % b !== 0) c.fail(`${what} ${formatDim(a)} is no multiple of ${b}.`);
  return floorDiv(a, b);
}

function imageRule(resize: (c: OpContext, image: Shape) => Shape): ShapeRule {
  return (c) => {
    const x = c.input(0);
    checkRank(c, x, 4);
    return [reshaped(x, resize(c, x.shape ?? unknownShape(c, 4, 'the rank of the input is not known')))];
  };
}

const depthToSpace = imageRule((c, [n, channels, height, width]) => {
  const size = blockSize(c);
  return [
    n!,
    exactly(c, channels!, size * size, 'the number of channels'),
    mul(height!, size),
    mul(width!, size),
  ];
});

const spaceToDepth = imageRule((c, [n, channels, height, width]) => {
  const size = blockSize(c);
  return [
    n!,
    mul(channels!, size * size),
    exactly(c, height!, size, 'the height'),
    exactly(c, width!, size, 'the width'),
  ];
});

export const rows: readonly OpRow[] = [
  {
    op: 'Transpose',
    since: [1, 13, 21, 23, 24, 25],
    inputs: [1, 1],
    outputs: [1, 1],
    shape: transposeShape,
    fold: transposeFold,
    views: transposeViews,
  },
  { op: 'DepthToSpace', since: [1, 11, 13, 28], inputs: [1, 1], outputs: [1, 1], shape: depthToSpace },
  { op: 'SpaceToDepth', since: [1, 13, 28], inputs: [1, 1], outputs: [1, 1], shape: spaceToDepth },
];
