/**
 * Sampling, regions, boxes and images.
 *
 * GridSample: 16, 20 (any rank), 22. AffineGrid: 20. RoiAlign: 10, 16, 22. MaxRoiPool: 1, 22.
 * NonMaxSuppression: 10, 11. ImageDecoder: 20. Col2Im: 18. CenterCropPad: 18.
 */
import { type Dim, floorDiv, formatDim, min, mul, product } from '../graph/dims.ts';
import {
  checkRank,
  fact,
  knownDims,
  normaliseAxes,
  reshaped,
  type Shape,
  staticShape,
  unknownShape,
} from './rules.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/** Batch and channels of the data, spatial sizes of the grid, whose last axis holds coordinates. */
const gridSample: ShapeRule = (c) => {
  const x = c.input(0);
  const grid = c.input(1);
  checkRank(c, x, 3, Infinity);
  if (x.shape !== undefined) checkRank(c, grid, x.shape.length, x.shape.length, 'the grid');
  const shape =
    x.shape === undefined || grid.shape === undefined
      ? undefined
      : [x.shape[0]!, x.shape[1]!, ...grid.shape.slice(1, -1)];
  return [fact(x.type, shape)];
};

/** size is [N, C, H, W] or [N, C, D, H, W]; the channels do not matter. */
const affineGrid: ShapeRule = (c) => {
  const theta = c.input(0);
  const size = knownDims(c.input(1));
  const rank = size?.length ?? staticShape(c.input(1).shape)?.[0];
  if (rank === undefined) return [fact(theta.type, undefined)];
  if (rank !== 4 && rank !== 5) c.fail(`size has ${rank} elements, not 4 or 5.`);
  const dims = size ?? unknownShape(c, rank, 'the size of an AffineGrid is not constant');
  return [fact(theta.type, [dims[0]!, ...dims.slice(2), rank - 2])];
};

const roiAlign: ShapeRule = (c) => regions(c, [c.int('output_height', 1), c.int('output_width', 1)]);

const maxRoiPool: ShapeRule = (c) => {
  const pooled = c.ints('pooled_shape') ?? c.fail('attribute pooled_shape is missing.');
  if (pooled.length !== 2) c.fail(`pooled_shape [${pooled.join(',')}] is no height and width.`);
  return regions(c, pooled);
};

/** One small image per region of interest. */
function regions(c: OpContext, pooled: Shape): ReturnType<ShapeRule> {
  const x = c.input(0);
  const regionsOfInterest = c.input(1);
  checkRank(c, x, 4);
  checkRank(c, regionsOfInterest, 2, 2, 'the list of regions');
  const count = regionsOfInterest.shape?.[0];
  const channels = x.shape?.[1];
  const known = count !== undefined && channels !== undefined;
  return [fact(x.type, known ? [count, channels, ...pooled] : undefined)];
}

/** How many boxes remain depends on the data; a bound other than 0 goes into the message. */
const nonMaxSuppression: ShapeRule = (c) => {
  const boxes = c.input(0);
  const scores = c.input(1);
  checkRank(c, boxes, 3, 3, 'boxes');
  checkRank(c, scores, 3, 3, 'scores');
  const most = mostBoxes(c, boxes.shape?.[1], scores.shape);
  if (most === 0) return [fact('int64', [0, 3])];
  const bound = most === undefined ? '' : ` (at most ${formatDim(most)})`;
  const why = `how many boxes NonMaxSuppression keeps is known only at run time${bound}`;
  return [fact('int64', [c.unknownDim(why), 3])];
};

/** Batches times classes times boxes per class; without the third input no box is kept. */
function mostBoxes(c: OpContext, boxes: Dim | undefined, scores: Shape | undefined): Dim | undefined {
  const perClass = c.node.inputs[2] === undefined ? 0 : knownDims(c.optional(2))?.[0];
  if (boxes === undefined || scores === undefined || perClass === undefined) return undefined;
  return mul(product(scores.slice(0, 2)), min(perClass, boxes));
}

const imageDecoder: ShapeRule = (c) => {
  const size = unknownShape(c, 2, 'the size of an encoded image is known only at run time');
  return [fact('uint8', [...size, c.string('pixel_format', 'RGB') === 'Grayscale' ? 1 : 3])];
};

/** [N, C * product of the block, L] becomes [N, C, ...image]. */
const col2Im: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 3);
  const rank = staticShape(c.input(1).shape)?.[0];
  if (x.shape === undefined || rank === undefined) return [fact(x.type, undefined)];
  const why = 'image and block of a Col2Im are not constant';
  const image = knownDims(c.input(1)) ?? unknownShape(c, rank, why);
  const block = knownDims(c.input(2));
  const channels = block === undefined ? c.unknownDim(why) : floorDiv(x.shape[1]!, product(block));
  return [fact(x.type, [x.shape[0]!, channels, ...image])];
};

const centerCropPad: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  const axes = normaliseAxes(c, c.ints('axes') ?? x.shape.map((_, i) => i), x.shape.length);
  const sizes =
    knownDims(c.input(1)) ?? unknownShape(c, axes.length, 'the shape of a CenterCropPad is not constant');
  if (sizes.length !== axes.length) c.fail(`shape has ${sizes.length} elements for ${axes.length} axes.`);
  return [
    reshaped(
      x,
      x.shape.map((dim, i) => (axes.includes(i) ? sizes[axes.indexOf(i)]! : dim)),
    ),
  ];
};

export const rows: readonly OpRow[] = [
  { op: 'GridSample', since: [16, 20, 22], inputs: [2, 2], outputs: [1, 1], shape: gridSample },
  { op: 'AffineGrid', since: [20], inputs: [2, 2], outputs: [1, 1], shape: affineGrid },
  { op: 'RoiAlign', since: [10, 16, 22], inputs: [3, 3], outputs: [1, 1], shape: roiAlign },
  { op: 'MaxRoiPool', since: [1, 22], inputs: [2, 2], outputs: [1, 1], shape: maxRoiPool },
  { op: 'NonMaxSuppression', since: [10, 11], inputs: [2, 5], outputs: [1, 1], shape: nonMaxSuppression },
  { op: 'ImageDecoder', since: [20], inputs: [1, 1], outputs: [1, 1], shape: imageDecoder },
  { op: 'Col2Im', since: [18], inputs: [3, 3], outputs: [1, 1], shape: col2Im },
  { op: 'CenterCropPad', since: [18], inputs: [2, 2], outputs: [1, 1], shape: centerCropPad },
];
