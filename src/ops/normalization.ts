/**
 * Normalisations; the shape of the data stays.
 *
 * BatchNormalization: 1, 6, 7, 9 (training outputs mean, var, saved_mean, saved_var), 14 (training_mode; outputs
 * running_mean, running_var), 15.
 * InstanceNormalization: 1, 6, 22. GroupNormalization: 18, 21. RMSNormalization: 23.
 * LayerNormalization: 17; files of onnxruntime's optimiser have it, and SimplifiedLayerNormalization, from 1 on.
 * LRN: 1, 13. LpNormalization: 1, 22. MeanVarianceNormalization: 9, 13.
 */
import { formatDim, isKnown } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import { checkRank, fact, normaliseAxis, type Shape } from './rules.ts';
import { typeAttribute } from './type-attribute.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/** Every statistic has the shape and type of the mean that comes in: one number per channel. */
const batchNormalization: ShapeRule = (c) => {
  const x = c.input(0);
  checkChannels(c, x, c.optional(1));
  const mean = c.optional(3);
  const statistic = mean === undefined ? undefined : fact(mean.type, mean.shape ?? channels(x.shape));
  return [fact(x.type, x.shape), ...new Array<Fact | undefined>(c.outputCount - 1).fill(statistic)];
};

function channels(shape: Shape | undefined): Shape | undefined {
  return shape === undefined ? undefined : [shape[1] ?? 1];
}

/** Throws E_SHAPE where the scale does not have one number per channel. */
function checkChannels(c: OpContext, x: Fact, scale: Fact | undefined): void {
  const count = x.shape?.[1];
  const given = scale?.shape?.length === 1 ? scale.shape[0] : undefined;
  if (count === undefined || given === undefined || !isKnown(count) || !isKnown(given)) return;
  if (count !== given) c.fail(`there are ${formatDim(given)} scales for ${formatDim(count)} channels.`);
}

const perChannel: ShapeRule = (c) => {
  const x = c.input(0);
  checkChannels(c, x, c.optional(1));
  return [fact(x.type, x.shape)];
};

/** Group normalisation of opset 18 scales groups, that of 21 channels. */
const sameShape: ShapeRule = (c) => [fact(c.input(0).type, c.input(0).shape)];

/** The shape of the statistics of a layer normalisation: 1 from `axis` on. */
export function stashedShape(c: OpContext, shape: Shape | undefined, standard = -1): Shape | undefined {
  if (shape === undefined) return undefined;
  const axis = normaliseAxis(c, c.int('axis', standard), shape.length);
  return shape.map((dim, i) => (i < axis ? dim : 1));
}

const layerNormalization: ShapeRule = (c) => {
  const x = c.input(0);
  const statistic = fact(typeAttribute(c, 'stash_type', 'float32'), stashedShape(c, x.shape));
  return [fact(x.type, x.shape), statistic, statistic].slice(0, c.outputCount);
};

/** The output has the type of the scale, which may be wider than that of the data. */
const rmsNormalization: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape !== undefined) normaliseAxis(c, c.int('axis', -1), x.shape.length);
  return [fact(c.input(1).type, x.shape)];
};

const lpNormalization: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape !== undefined) normaliseAxis(c, c.int('axis', -1), x.shape.length);
  return [fact(x.type, x.shape)];
};

const lrn: ShapeRule = (c) => {
  checkRank(c, c.input(0), 3, Infinity);
  return sameShape(c);
};

export const rows: readonly OpRow[] = [
  {
    op: 'BatchNormalization',
    since: [1, 6, 7, 9, 14, 15],
    inputs: [5, 5],
    outputs: [1, 5],
    shape: batchNormalization,
    inPlace: [0],
  },
  { op: 'InstanceNormalization', since: [1, 6, 22], inputs: [3, 3], outputs: [1, 1], shape: perChannel },
  { op: 'LayerNormalization', since: [1, 17], inputs: [2, 3], outputs: [1, 3], shape: layerNormalization },
  {
    op: 'SimplifiedLayerNormalization',
    since: [1],
    inputs: [2, 2],
    outputs: [1, 2],
    shape: layerNormalization,
  },
  { op: 'GroupNormalization', since: [18, 21], inputs: [3, 3], outputs: [1, 1], shape: sameShape },
  { op: 'RMSNormalization', since: [23], inputs: [2, 2], outputs: [1, 1], shape: rmsNormalization },
  { op: 'LRN', since: [1, 13], inputs: [1, 1], outputs: [1, 1], shape: lrn },
  { op: 'LpNormalization', since: [1, 22], inputs: [1, 1], outputs: [1, 1], shape: lpNormalization },
  { op: 'MeanVarianceNormalization', since: [9, 13], inputs: [1, 1], outputs: [1, 1], shape: sameShape },
];
