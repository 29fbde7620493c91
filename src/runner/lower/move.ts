/** Operators that only move elements. */
import { borders, fillOf } from '../../ops/pad.ts';
import { address, call, list, numbers, size, structure, suffix, widthOf } from '../arguments.ts';
import {
  axisTable,
  axisText,
  broadcastStrides,
  denseStrides,
  type Grid,
  gridTable,
  MOST_AXES,
  positive,
  product,
} from '../grid.ts';
import type { Argument, Call, Lowerings, Operand, RunnerNode } from '../types.ts';

/** Copies what the grid walks through, from `fromOffset` and to `toOffset` elements on. */
function moved(
  n: RunnerNode,
  x: Operand,
  y: Operand,
  grid: Grid,
  fromOffset = 0,
  toOffset = 0,
): readonly Call[] {
  if (product(grid.shape) === 0) return [];
  const width = widthOf(n, y);
  const from = address(x, fromOffset * width);
  return [call('copy', 'copy_grid', from, address(y, toOffset * width), size(width), gridTable(n, grid))];
}

function transpose(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  if (n.coincide(y, x)) return [];
  const rank = x.shape.length;
  const order = n.c.ints('perm') ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
  return reordered(n, x, y, x.shape, order);
}

/** Shows x as [...shape] and walks its axes in another order. */
function reordered(
  n: RunnerNode,
  x: Operand,
  y: Operand,
  shape: readonly number[],
  order: readonly number[],
): readonly Call[] {
  const strides = denseStrides(shape);
  const target = order.map((axis) => shape[axis]!);
  return moved(n, x, y, {
    shape: target,
    strides: [order.map((axis) => strides[axis]!), denseStrides(target)],
  });
}

function depthToSpace(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const b = n.c.int('blocksize');
  const [batch, channels, height, width] = x.shape as [number, number, number, number];
  const depth = channels / (b * b);
  return n.c.string('mode', 'DCR') === 'CRD'
    ? reordered(n, x, y, [batch, depth, b, b, height, width], [0, 1, 4, 2, 5, 3])
    : reordered(n, x, y, [batch, b, b, depth, height, width], [0, 3, 4, 1, 5, 2]);
}

function spaceToDepth(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const b = n.c.int('blocksize');
  const [batch, channels, height, width] = x.shape as [number, number, number, number];
  return reordered(n, x, y, [batch, channels, height / b, b, width / b, b], [0, 3, 5, 1, 2, 4]);
}

/** Rows of `inner` elements, one part of each. */
function rows(outer: number, inner: number, from: number, to: number): Grid {
  return {
    shape: [outer, inner],
    strides: [
      [from, 1],
      [to, 1],
    ],
  };
}

/** A part that the plan already has in its place (an elided copy) is not moved. */
function concat(n: RunnerNode): readonly Call[] {
  const y = n.output(0);
  const axis = positive(n.c.int('axis', 1), y.shape.length);
  const outer = product(y.shape.slice(0, axis));
  const whole = product(y.shape.slice(axis));
  let offset = 0;
  return Array.from({ length: n.inputCount }, (_, i) => n.input(i)).flatMap((x) => {
    const start = offset;
    const inner = product(x.shape.slice(axis));
    offset += inner;
    if (outer === 1 && n.coincide(x, y, start * widthOf(n, y))) return [];
    return moved(n, x, y, rows(outer, inner, inner, whole), 0, start);
  });
}

function split(n: RunnerNode): readonly Call[] {
  const x = n.input(0);
  const axis = positive(n.c.int('axis', 0), x.shape.length);
  const outer = product(x.shape.slice(0, axis));
  const whole = product(x.shape.slice(axis));
  let offset = 0;
  return Array.from({ length: n.outputCount }, (_, i) => n.output(i)).flatMap((y) => {
    const start = offset;
    const inner = product(y.shape.slice(axis));
    offset += inner;
    if (n.coincide(y, x, start * widthOf(n, x))) return [];
    return moved(n, x, y, rows(outer, inner, whole, inner), start);
  });
}

function slice(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const byInput = n.c.opset >= 10;
  const starts = (byInput ? n.constant(1) : n.c.ints('starts')) ?? n.refuse('without starts');
  const axes = (byInput ? n.constant(3) : n.c.ints('axes')) ?? starts.map((_, i) => i);
  const steps = (byInput ? n.constant(4) : undefined) ?? starts.map(() => 1);
  const strides = [...denseStrides(x.shape)];
  let offset = 0;
  for (const [i, listed] of axes.entries()) {
    const axis = positive(listed, x.shape.length);
    const dim = x.shape[axis]!;
    const step = steps[i]!;
    const counted = starts[i]! < 0 ? starts[i]! + dim : starts[i]!;
    const start = Math.min(Math.max(counted, 0), step < 0 ? dim - 1 : dim);
    offset += start * strides[axis]!;
    strides[axis] = strides[axis]! * step;
  }
  if (n.coincide(y, x, offset * widthOf(n, x))) return [];
  return moved(n, x, y, { shape: y.shape, strides: [strides, denseStrides(y.shape)] }, offset);
}

function expand(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  if (n.coincide(y, x)) return [];
  return moved(n, x, y, {
    shape: y.shape,
    strides: [broadcastStrides(x.shape, y.shape), denseStrides(y.shape)],
  });
}

/** Each axis becomes two: the repeats, which do not move in x, and the axis itself. */
function tile(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const strides = denseStrides(x.shape);
  const shape = x.shape.flatMap((dim, axis) => [y.shape[axis]! / dim, dim]);
  return moved(n, x, y, { shape, strides: [strides.flatMap((stride) => [0, stride]), denseStrides(shape)] });
}

function pad(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const heads = (borders(n.c, x.shape.length) ?? n.refuse('for borders that are computed')).map(({ head }) =>
    Number(head),
  );
  const mode = n.c.string('mode', 'constant');
  if (mode !== 'constant') return padOwn(n, x, y, heads, mode);
  const from = heads.map((head) => Math.max(0, -head));
  const to = heads.map((head) => Math.max(0, head));
  const kept = x.shape.map((dim, i) => Math.min(dim - from[i]!, y.shape[i]! - to[i]!));
  const offset = (at: readonly number[], shape: readonly number[]) => {
    const strides = denseStrides(shape);
    return at.reduce((sum, place, axis) => sum + place * strides[axis]!, 0);
  };
  const grid = {
    shape: kept.map((dim) => Math.max(0, dim)),
    strides: [denseStrides(x.shape), denseStrides(y.shape)],
  };
  const fill = call('copy', 'fill', address(y), fillArgument(n, y), size(widthOf(n, y)), size(y.count));
  return [fill, ...moved(n, x, y, grid, offset(from, x.shape), offset(to, y.shape))];
}

function fillArgument(n: RunnerNode, y: Operand): Argument {
  const given = n.c.opset < 11 ? undefined : n.optional(2);
  if (given !== undefined) return address(given);
  const value = Number(fillOf(n.c) ?? 0);
  if (y.type === 'float32') return numbers('float', [value]);
  return numbers('uint8_t', new Array<number>(widthOf(n, y)).fill(0));
}

/** Edges, reflections and repeats. Axes without a border are joined with the one before. */
function padOwn(
  n: RunnerNode,
  x: Operand,
  y: Operand,
  heads: readonly number[],
  mode: string,
): readonly Call[] {
  const modes: Readonly<Record<string, string>> = {
    edge: 'MEMPLAN_PAD_EDGE',
    reflect: 'MEMPLAN_PAD_REFLECT',
    wrap: 'MEMPLAN_PAD_WRAP',
  };
  const axes: { from: number; to: number; head: number }[] = [];
  for (const [i, head] of heads.entries()) {
    const [from, to] = [x.shape[i]!, y.shape[i]!];
    const last = axes.at(-1);
    if (from === to && head === 0 && last !== undefined && last.from === last.to && last.head === 0) {
      last.from *= from;
      last.to *= to;
    } else axes.push({ from, to, head });
  }
  if (axes.length > MOST_AXES) n.refuse(`for ${axes.length} dimensions`);
  const name = modes[mode] ?? n.refuse(`for the mode ${mode}`);
  const lists = [axes.map((a) => a.from), axes.map((a) => a.to), axes.map((a) => a.head)].map(list);
  const table = structure('padding', [name, String(axes.length), ...lists]);
  return [call('pad', 'pad', address(x), address(y), size(widthOf(n, y)), table)];
}

function gather(n: RunnerNode): readonly Call[] {
  const [x, indexes, y] = [n.input(0), n.input(1), n.output(0)];
  const axis = positive(n.c.int('axis', 0), x.shape.length);
  const kernel = `gather_${suffix(n, indexes, ['int32', 'int64'])}`;
  const table = structure('gathering', [axisText(x.shape, axis).slice(1, -1), String(indexes.count)]);
  return [call('gather', kernel, address(x), address(indexes), address(y), size(widthOf(n, x)), table)];
}

function scatterND(n: RunnerNode): readonly Call[] {
  const [x, indexes, updates, y] = [n.input(0), n.input(1), n.input(2), n.output(0)];
  if (n.c.string('reduction', 'none') !== 'none') n.refuse('for a reduction');
  suffix(n, indexes, ['int64']);
  const depth = indexes.shape.at(-1)!;
  const inner = product(x.shape.slice(depth));
  if (depth > MOST_AXES) n.refuse(`for ${depth} dimensions`);
  const counts = [indexes.count / depth, depth, inner].map(String);
  const table = structure('scattering', [...counts, list(x.shape.slice(0, depth))]);
  const width = widthOf(n, x);
  const copy = n.coincide(y, x) ? [] : [call('copy', 'copy', address(x), address(y), size(x.count * width))];
  return [
    ...copy,
    call('gather', 'scatter_nd_i64', address(indexes), address(updates), address(y), size(width), table),
  ];
}

/** Depth is a constant; the two values stand in one tensor, off before on. */
function oneHot(n: RunnerNode): readonly Call[] {
  const [indexes, values, y] = [n.input(0), n.input(2), n.output(0)];
  const kernel = `one_hot_${suffix(n, indexes, ['int32', 'int64'])}`;
  const axis = positive(n.c.int('axis', -1), y.shape.length);
  return [
    call(
      'gather',
      kernel,
      address(indexes),
      address(values),
      address(y),
      size(widthOf(n, y)),
      axisTable(y.shape, axis),
    ),
  ];
}

export const lowerings: Lowerings = {
  Transpose: { lower: transpose },
  DepthToSpace: { lower: depthToSpace },
  SpaceToDepth: { lower: spaceToDepth },
  Concat: { lower: concat },
  Split: { lower: split },
  Slice: { lower: slice },
  Expand: { lower: expand },
  Tile: { lower: tile },
  Pad: { lower: pad },
  Gather: { lower: gather },
  OneHot: { lower: oneHot },
  ScatterND: { lower: scatterND },
};
