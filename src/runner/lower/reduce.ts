/** Reductions, Softmax and normalisation: float32, and bytes where nothing but comparing is asked. */
import type { ElementType } from '../../graph/element-type.ts';
import { address, call, onlyFloat, real, realText, structure, suffix } from '../arguments.ts';
import { axisTable, axisText, denseStrides, gridText, positive } from '../grid.ts';
import type { Call, Lowerings, Operand, RunnerNode, Table } from '../types.ts';

/** Axes are an attribute or, in younger versions, an input. None: all, unless the node says that none is meant. */
function reducedAxes(n: RunnerNode, rank: number, position: number): readonly number[] {
  const given = n.c.ints('axes') ?? n.constant(position) ?? [];
  if (given.length > 0) return given.map((axis) => positive(axis, rank));
  return n.c.int('noop_with_empty_axes', 0) !== 0 ? [] : Array.from({ length: rank }, (_, i) => i);
}

/** A memplan_reduction; `position`: the input that may name the axes. */
export function reductionTable(n: RunnerNode, x: Operand, position: number): Table {
  const gone = new Set(reducedAxes(n, x.shape.length, position));
  const strides = denseStrides(x.shape);
  const part = (goes: boolean) => {
    const axes = [...x.shape.keys()].filter((axis) => gone.has(axis) === goes);
    return gridText(n, { shape: axes.map((a) => x.shape[a]!), strides: [axes.map((a) => strides[a]!)] });
  };
  return structure('reduction', [part(false), part(true)]);
}

/** The kernels of floats; what only compares knows bytes as well. */
function reduction(kernel: string) {
  const types: readonly ElementType[] =
    kernel === 'max' || kernel === 'min' ? ['float32', 'uint8', 'int8'] : ['float32'];
  return (n: RunnerNode): readonly Call[] => {
    const [x, y] = [n.input(0), n.output(0)];
    const name = `reduce_${kernel}_${suffix(n, x, types)}`;
    const family = x.type === 'float32' ? 'reduce' : 'qreduce';
    return [call(family, name, address(x), address(y), reductionTable(n, x, 1))];
  };
}

/** The axis of a Softmax. Before opset 13 everything from the axis on was one. */
export function softmaxAxis(n: RunnerNode, x: Operand, opset: number): Table {
  const rank = x.shape.length;
  const axis = positive(n.c.int('axis', opset < 13 ? 1 : -1), rank);
  return axisTable(n, x, axis, opset < 13 ? rank : axis + 1);
}

function softmax(kernel: string) {
  return (n: RunnerNode): readonly Call[] => {
    const [x, y] = [n.input(0), n.output(0)];
    onlyFloat(n, x);
    return [call('softmax', kernel, address(x), address(y), softmaxAxis(n, x, n.c.opset))];
  };
}

function batchNorm(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const parameters = [1, 2, 3, 4].map((position) => n.input(position));
  onlyFloat(n, x, ...parameters);
  if (n.c.int('training_mode', 0) !== 0) n.refuse('for training');
  if (n.c.opset < 9 && n.c.int('spatial', 1) === 0) n.refuse('for a mean of each pixel (spatial 0)');
  const axis = axisTable(n, x, Math.min(1, x.shape.length - 1));
  const epsilon = real(n.c.float('epsilon', 1e-5));
  return [
    call(
      'norm',
      'batch_norm_f32',
      address(x),
      ...parameters.map((p) => address(p)),
      address(y),
      axis,
      epsilon,
    ),
  ];
}

function instanceNorm(n: RunnerNode): readonly Call[] {
  const [x, scale, bias, y] = [n.input(0), n.input(1), n.input(2), n.output(0)];
  onlyFloat(n, x, scale, bias);
  const epsilon = real(n.c.float('epsilon', 1e-5));
  const axis = axisTable(n, x, 1);
  return [
    call('norm', 'instance_norm_f32', address(x), address(scale), address(bias), address(y), axis, epsilon),
  ];
}

function layerNorm(n: RunnerNode): readonly Call[] {
  const [x, scale, bias, y] = [n.input(0), n.input(1), n.optional(2), n.output(0)];
  onlyFloat(n, x, scale, bias);
  if (n.optionalOutput(1) ?? n.optionalOutput(2)) n.refuse('for mean and deviation (outputs 1 and 2)');
  const axis = positive(n.c.int('axis', -1), x.shape.length);
  const table = axisTable(n, x, axis, x.shape.length);
  if (scale.count !== x.shape.slice(axis).reduce((a, b) => a * b, 1))
    n.refuse('for a scale that is broadcast');
  const epsilon = real(n.c.float('epsilon', 1e-5));
  return [
    call('norm', 'layer_norm_f32', address(x), address(scale), address(bias), address(y), table, epsilon),
  ];
}

function lrn(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  onlyFloat(n, x);
  const factors = [n.c.float('alpha', 1e-4), n.c.float('beta', 0.75), n.c.float('bias', 1)].map(realText);
  const table = structure('lrn', [axisText(x.shape, 1), String(n.c.int('size')), ...factors]);
  return [call('norm', 'lrn_f32', address(x), address(y), table)];
}

const KERNELS: Readonly<Record<string, string>> = {
  ReduceSum: 'sum',
  ReduceMean: 'mean',
  ReduceMax: 'max',
  ReduceMin: 'min',
  ReduceProd: 'prod',
  ReduceL1: 'l1',
  ReduceL2: 'l2',
  ReduceSumSquare: 'sum_square',
  ReduceLogSum: 'log_sum',
  ReduceLogSumExp: 'log_sum_exp',
};

export const lowerings: Lowerings = {
  ...Object.fromEntries(Object.entries(KERNELS).map(([op, kernel]) => [op, { lower: reduction(kernel) }])),
  Softmax: { lower: softmax('softmax_f32') },
  LogSoftmax: { lower: softmax('log_softmax_f32') },
  BatchNormalization: { lower: batchNorm, inPlace: [0] },
  InstanceNormalization: { lower: instanceNorm },
  LayerNormalization: { lower: layerNorm },
  LRN: { lower: lrn },
};
