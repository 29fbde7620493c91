/** Random nodes that compute: convolutions, pools, products, reductions, normalisations, recurrent layers, resampling. */
import {
  axesForm,
  type Chance,
  data,
  eitherWay,
  floats,
  list,
  type Made,
  type Maker,
  type Makers,
  range,
  type Sizes,
} from './chance.ts';

type Attributes = NonNullable<Made['attributes']>;
type Open = Record<string, Attributes[string]>;

/** strides, dilations and one way of padding for a window, besides `more`. */
function windowOf(g: Chance, kernel: Sizes, dilated: boolean, more: Attributes): Open {
  const rank = kernel.length;
  const attributes: Open = { ...more };
  if (g.one(2)) attributes.strides = g.ints(rank, 1, 3);
  const auto = g.pick('NOTSET', 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID');
  if (auto !== 'NOTSET') attributes.auto_pad = auto;
  else if (g.one(2)) attributes.pads = [...kernel, ...kernel].map((size) => g.int(0, size - 1));
  if (dilated && !auto.startsWith('SAME') && g.one(3)) attributes.dilations = g.ints(rank, 1, 2);
  return attributes;
}

function isImage(x: Sizes): boolean {
  return x.length >= 3 && x.length <= 4 && !x.includes(0);
}

const conv: Maker = (g, x) => {
  if (!isImage(x)) return undefined;
  const group = g.pick(1, x[1]!);
  const kernel = x.slice(2).map((size) => g.int(1, Math.min(3, size)));
  const weight = floats(group * g.int(1, 2), x[1]! / group, ...kernel);
  const fits = kernel.every((size, i) => 2 * size - 1 <= x[i + 2]!);
  return { op: 'Conv', operands: ['x', weight], attributes: windowOf(g, kernel, fits, { group }) };
};

const convTranspose: Maker = (g, x) => {
  if (!isImage(x)) return undefined;
  const group = g.pick(1, x[1]!);
  const kernel = x.slice(2).map(() => g.int(1, 3));
  const attributes = windowOf(g, kernel, true, { group });
  const strides = attributes.strides as number[] | undefined;
  if (strides !== undefined && g.one(2)) attributes.output_padding = strides.map((s) => g.int(0, s - 1));
  return { op: 'ConvTranspose', operands: ['x', floats(x[1]!, g.int(1, 2), ...kernel)], attributes };
};

const pool =
  (op: string, dilatedSince: number, upSince: number): Maker =>
  (g, x) => {
    if (!isImage(x)) return undefined;
    const kernel = x.slice(2).map(() => g.int(1, 3));
    const attributes = windowOf(g, kernel, g.opset >= dilatedSince, { kernel_shape: kernel });
    if (g.opset >= upSince && g.one(2)) attributes.ceil_mode = 1;
    return { op, operands: ['x'], attributes, outputs: op === 'MaxPool' ? g.int(1, 2) : 1 };
  };

const global =
  (op: string): Maker =>
  (_, x) =>
    isImage(x) ? { op, operands: ['x'] } : undefined;

/** Of an empty tensor onnxruntime 1.30 keeps the axes that are counted from the back, against the standard. */
const reduction =
  (op: string, inputSince: number): Maker =>
  (g, x) => {
    const chosen = g.shuffled(range(x.length)).slice(0, g.int(0, x.length));
    const positive = g.opset < 11 || x.includes(0);
    const axes = chosen.map((axis) => (positive ? axis : eitherWay(g, axis, x.length)));
    const form = axes.length === 0 ? { operands: ['x'] as const } : axesForm(g, axes, inputSince);
    return { op, ...form, attributes: { ...form.attributes, keepdims: g.int(0, 1) } };
  };

const alongAxis =
  (op: string): Maker =>
  (g, x) =>
    x.length === 0
      ? undefined
      : { op, operands: ['x'], attributes: { axis: g.int(g.opset < 11 ? 0 : -x.length, x.length - 1) } };

const recurrent =
  (op: string, gates: number): Maker =>
  (g, x) => {
    if (x.length !== 3 || x.includes(0)) return undefined;
    const hidden_size = g.int(1, 4);
    const direction = g.pick('forward', 'reverse', 'bidirectional');
    const count = direction === 'bidirectional' ? 2 : 1;
    const weights = [
      floats(count, gates * hidden_size, x[2]!),
      floats(count, gates * hidden_size, hidden_size),
    ];
    return {
      op,
      operands: ['x', ...weights],
      attributes: { hidden_size, direction },
      outputs: op === 'LSTM' ? 3 : 2,
    };
  };

const matmul: Maker = (g, x) => {
  if (x.length === 0) return undefined;
  const columns = g.int(1, 4);
  const batch = x.length > 2 ? x.slice(g.int(0, x.length - 2), -2).map((size) => g.pick(1, size)) : [];
  return {
    op: 'MatMul',
    operands: ['x', g.one(4) ? floats(x.at(-1)!) : floats(...batch, x.at(-1)!, columns)],
  };
};

const gemm: Maker = (g, x) => {
  if (x.length !== 2) return undefined;
  const [transA, transB] = [g.int(0, 1), g.int(0, 1)];
  const [rows, inner] = transA === 0 ? [x[0]!, x[1]!] : [x[1]!, x[0]!];
  const columns = g.int(1, 4);
  const bias = g.pick([rows, columns], [columns], [1, columns], [rows, 1], [1], []);
  const weight = transB === 0 ? floats(inner, columns) : floats(columns, inner);
  return { op: 'Gemm', operands: ['x', weight, floats(...bias)], attributes: { transA, transB } };
};

const resize: Maker = (g, x) => {
  if (x.length === 0 || x.length > 4 || x.includes(0)) return undefined;
  const none = { type: 'float32', shape: [0], values: [] } as const;
  const scales = x.map(() => Math.fround(g.int(20, 300) / g.pick(100, 128, 70)));
  const byScales = { type: 'float32', shape: [x.length], values: scales } as const;
  const attributes = { mode: 'nearest' };
  if (g.opset < 11) return { op: 'Resize', operands: ['x', byScales], attributes };
  const roi = g.opset < 13 ? none : undefined;
  if (g.one(2)) return { op: 'Resize', operands: ['x', roi, byScales], attributes };
  const sizes = list(...x.map(() => g.int(1, 8)));
  const policy =
    g.opset >= 18 && g.one(2) ? { keep_aspect_ratio_policy: g.pick('not_larger', 'not_smaller') } : {};
  return { op: 'Resize', operands: ['x', roi, roi, sizes], attributes: { ...attributes, ...policy } };
};

const layerNormalization: Maker = (g, x) => {
  if (x.length === 0) return undefined;
  const axis = g.int(0, x.length - 1);
  return {
    op: 'LayerNormalization',
    operands: ['x', floats(...x.slice(axis))],
    attributes: { axis: eitherWay(g, axis, x.length) },
    outputs: g.pick(1, 3),
  };
};

const perChannel =
  (op: string, statistics: number): Maker =>
  (_, x) =>
    x.length < 3 ? undefined : { op, operands: ['x', ...range(statistics).map(() => floats(x[1]!))] };

const einsum: Maker = (g, x) => {
  if (x.length !== 2) return undefined;
  const equation = g.pick('ij,jk->ik', 'ij,jk', 'ij,jk->ki', 'ij,jk->i', 'ij,jk->');
  return { op: 'Einsum', operands: ['x', floats(x[1]!, g.int(1, 3))], attributes: { equation } };
};

const gridSample: Maker = (g, x) =>
  x.length === 4 && !x.includes(0)
    ? { op: 'GridSample', operands: ['x', floats(x[0]!, g.int(1, 4), g.int(1, 4), 2)] }
    : undefined;

const roiAlign: Maker = (g, x) => {
  if (x.length !== 4 || x.includes(0)) return undefined;
  const rois = g.int(1, 3);
  const batches = { type: 'int64', shape: [rois], values: g.ints(rois, 0, x[0]! - 1) } as const;
  const attributes = { output_height: g.int(1, 3), output_width: g.int(1, 3) };
  return { op: 'RoiAlign', operands: ['x', floats(rois, 4), batches], attributes };
};

const losses: Maker = (g, x) => {
  if (x.length < 2 || x.includes(0)) return undefined;
  const target = data('int64', x[0]!, ...x.slice(2));
  const reduction = g.pick('none', 'sum', 'mean');
  return x[1]! >= 4
    ? { op: 'NegativeLogLikelihoodLoss', operands: ['x', target], attributes: { reduction } }
    : undefined;
};

const REDUCTIONS = ['L1', 'L2', 'LogSum', 'LogSumExp', 'Max', 'Mean', 'Min', 'Prod', 'SumSquare'] as const;

export const makers: Makers = {
  ...Object.fromEntries(
    REDUCTIONS.map((kind) => [`Reduce${kind}`, [9, reduction(`Reduce${kind}`, 18)] as const]),
  ),
  ReduceSum: [9, reduction('ReduceSum', 13)],
  ...Object.fromEntries(
    ['ArgMax', 'ArgMin', 'Softmax', 'LogSoftmax', 'Hardmax'].map((op) => [op, [9, alongAxis(op)] as const]),
  ),
  AveragePool: [9, pool('AveragePool', 19, 10)],
  BatchNormalization: [9, perChannel('BatchNormalization', 4)],
  Conv: [9, conv],
  ConvTranspose: [9, convTranspose],
  Det: [
    11,
    (_, x) =>
      x.length >= 2 && x.at(-1) === x.at(-2) && !x.includes(0) ? { op: 'Det', operands: ['x'] } : undefined,
  ],
  Einsum: [12, einsum],
  Gemm: [11, gemm],
  GlobalAveragePool: [9, global('GlobalAveragePool')],
  GlobalLpPool: [9, global('GlobalLpPool')],
  GlobalMaxPool: [9, global('GlobalMaxPool')],
  GridSample: [16, gridSample],
  GRU: [9, recurrent('GRU', 3)],
  InstanceNormalization: [9, perChannel('InstanceNormalization', 2)],
  LayerNormalization: [17, layerNormalization],
  LRN: [
    9,
    (_, x) =>
      x.length === 4 && !x.includes(0) ? { op: 'LRN', operands: ['x'], attributes: { size: 3 } } : undefined,
  ],
  LSTM: [9, recurrent('LSTM', 4)],
  LpNormalization: [9, alongAxis('LpNormalization')],
  LpPool: [11, pool('LpPool', 18, 18)],
  MatMul: [9, matmul],
  MaxPool: [9, pool('MaxPool', 10, 10)],
  MeanVarianceNormalization: [
    9,
    (_, x) => (x.length === 4 ? { op: 'MeanVarianceNormalization', operands: ['x'] } : undefined),
  ],
  NegativeLogLikelihoodLoss: [12, losses],
  Resize: [10, resize],
  RNN: [9, recurrent('RNN', 1)],
  RoiAlign: [10, roiAlign],
};
