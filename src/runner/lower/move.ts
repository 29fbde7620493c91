/** Operators that only move elements. */
import { axesInMemory } from '../../graph/memory-order.ts';
import { borders, fillOf } from '../../ops/pad.ts';
import { address, call, list, numbers, size, structure, suffix, widthOf } from '../arguments.ts';
import {
  axisTable,
  axisText,
  denseStrides,
  type Grid,
  gridTable,
  MOST_AXES,
  positive,
  product,
  repeatedStrides,
} from '../grid.ts';
import type { Argument, Call, Lowerings, Operand, RunnerNode } from '../types.ts';

/** Copies what the grid walks through, as y lies in memory, from `fromOffset` and to `toOffset` elements on. */
export function moved(
  n: RunnerNode,
  x: Operand,
  y: Operand,
  grid: Grid,
  fromOffset = 0,
  toOffset = 0,
): readonly Call[] {
  if (product(grid.shape) === 0) return [];
  const axes = [...grid.shape.keys()].sort((a, b) => grid.strides[1]![b]! - grid.strides[1]![a]!);
  const walked = {
    shape: axes.map((axis) => grid.shape[axis]!),
    strides: grid.strides.map((strides) => axes.map((axis) => strides[axis]!)),
  };
  const width = widthOf(n, y);
  const from = address(x, fromOffset * width);
  return [call('copy', 'copy_grid', from, address(y, toOffset * width), size(width), gridTable(n, walked))];
}

function transpose(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  if (n.coincide(y, x)) return [];
  const rank = x.shape.length;
  const order = n.c.ints('perm') ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
  const strides = n.strides(x);
  return moved(n, x, y, { shape: y.shape, strides: [order.map((axis) => strides[axis]!), n.strides(y)] });
}

/** The same elements in the order of the model as another shape: both are walked by axes that each is made of. */
export function reshaped(n: RunnerNode, x: Operand, y: Operand): readonly Call[] {
  const shape: number[] = [];
  const strides: [number[], number[]] = [[], []];
  const sides = [x, y].map((operand) => ({ operand, steps: n.strides(operand), axis: 0, left: 0 }));
  for (let rest = y.count; rest > 1; ) {
    for (const side of sides) {
      while (side.left <= 1) side.left = side.operand.shape[side.axis++]!;
    }
    const size = Math.min(sides[0]!.left, sides[1]!.left);
    sides.forEach((side, i) => {
      if (side.left % size !== 0) n.refuse('for a shape that cuts across the channels');
      side.left /= size;
      strides[i]!.push(side.steps[side.axis - 1]! * side.left);
    });
    shape.push(size);
    rest /= size;
  }
  return moved(n, x, y, { shape, strides });
}

/** Strides of an axis that is shown as several: [6] as [2, 3] steps by 3 and by 1. */
function splitStrides(stride: number, sizes: readonly number[]): readonly number[] {
  return denseStrides(sizes).map((inner) => stride * inner);
}

/** Channels of x [b, b, depth] or [depth, b, b] become rows and columns of y. */
function depthToSpace(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const b = n.c.int('blocksize');
  const isDepthFirst = n.c.string('mode', 'DCR') === 'CRD';
  return blocks(n, x, y, b, isDepthFirst, 'small');
}

function spaceToDepth(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  return blocks(n, x, y, n.c.int('blocksize'), false, 'large');
}

/** Walks batch, depth, height, block rows, width, block columns; `from`: the side with the smaller image. */
function blocks(
  n: RunnerNode,
  x: Operand,
  y: Operand,
  b: number,
  isDepthFirst: boolean,
  from: 'small' | 'large',
): readonly Call[] {
  const [deep, wide] = from === 'small' ? [x, y] : [y, x];
  const [batch, depth, height, width] = [wide.shape[0]!, wide.shape[1]!, deep.shape[2]!, deep.shape[3]!];
  const [sn, sc, sh, sw] = n.strides(deep) as [number, number, number, number];
  const [channel, row, column] = isDepthFirst
    ? splitStrides(sc, [depth, b, b])
    : [2, 0, 1].map((part) => splitStrides(sc, [b, b, depth])[part]!);
  const [ln, lc, lh, lw] = n.strides(wide) as [number, number, number, number];
  const ofDeep = [sn, channel!, sh, row!, sw, column!];
  const ofWide = [ln, lc, lh * b, lh, lw * b, lw];
  return moved(n, x, y, {
    shape: [batch, depth, height, b, width, b],
    strides: from === 'small' ? [ofDeep, ofWide] : [ofWide, ofDeep],
  });
}

/** A part that the plan already has in its place (an elided copy) is not moved. */
function concat(n: RunnerNode): readonly Call[] {
  const y = n.output(0);
  const parts = Array.from({ length: n.inputCount }, (_, i) => n.input(i));
  return alongAxis(n, y, parts, positive(n.c.int('axis', 1), y.shape.length)).flatMap(({ part, offset }) => {
    if (isWhole(n, y, part) && n.coincide(part, y, offset * widthOf(n, y))) return [];
    return moved(n, part, y, { shape: part.shape, strides: [n.strides(part), n.strides(y)] }, 0, offset);
  });
}

function split(n: RunnerNode): readonly Call[] {
  const x = n.input(0);
  const parts = Array.from({ length: n.outputCount }, (_, i) => n.output(i));
  return alongAxis(n, x, parts, positive(n.c.int('axis', 0), x.shape.length)).flatMap(({ part, offset }) => {
    if (n.coincide(part, x, offset * widthOf(n, x))) return [];
    return moved(n, x, part, { shape: part.shape, strides: [n.strides(x), n.strides(part)] }, offset);
  });
}

/** Where the parts of a tensor begin in it, in elements. */
export function alongAxis(
  n: RunnerNode,
  whole: Operand,
  parts: readonly Operand[],
  axis: number,
): readonly { readonly part: Operand; readonly offset: number }[] {
  const stride = n.strides(whole)[axis] ?? 1;
  let start = 0;
  return parts.map((part) => {
    const offset = start * stride;
    start += part.shape[axis] ?? 1;
    return { part, offset };
  });
}

/** The part lies in one piece in the whole. */
function isWhole(n: RunnerNode, whole: Operand, part: Operand): boolean {
  const [strides, outer] = [n.strides(part), n.strides(whole)];
  return part.shape.every((dim, axis) => dim === 1 || strides[axis] === outer[axis]);
}

function slice(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const byInput = n.c.opset >= 10;
  const starts = (byInput ? n.constant(1) : n.c.ints('starts')) ?? n.refuse('without starts');
  const axes = (byInput ? n.constant(3) : n.c.ints('axes')) ?? starts.map((_, i) => i);
  const steps = (byInput ? n.constant(4) : undefined) ?? starts.map(() => 1);
  const strides = [...n.strides(x)];
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
  return moved(n, x, y, { shape: y.shape, strides: [strides, n.strides(y)] }, offset);
}

function expand(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  if (n.coincide(y, x)) return [];
  return moved(n, x, y, {
    shape: y.shape,
    strides: [repeatedStrides(n, x, y.shape), n.strides(y)],
  });
}

/** Each axis becomes two: the repeats, which do not move in x, and the axis itself. */
function tile(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const [from, to] = [n.strides(x), n.strides(y)];
  const shape = x.shape.flatMap((dim, axis) => [y.shape[axis]! / dim, dim]);
  const strides = [
    from.flatMap((stride) => [0, stride]),
    to.flatMap((stride, axis) => [stride * x.shape[axis]!, stride]),
  ];
  return moved(n, x, y, { shape, strides });
}

/** `filling`: the bytes of one element, where they are not what the node says. */
export function padded(n: RunnerNode, filling?: Argument): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const heads = (borders(n.c, x.shape.length) ?? n.refuse('for borders that are computed')).map(({ head }) =>
    Number(head),
  );
  const mode = n.c.string('mode', 'constant');
  if (mode !== 'constant') return padOwn(n, x, y, heads, mode);
  const from = heads.map((head) => Math.max(0, -head));
  const to = heads.map((head) => Math.max(0, head));
  const kept = x.shape.map((dim, i) => Math.min(dim - from[i]!, y.shape[i]! - to[i]!));
  const offset = (at: readonly number[], strides: readonly number[]) =>
    at.reduce((sum, place, axis) => sum + place * strides[axis]!, 0);
  const [xStrides, yStrides] = [n.strides(x), n.strides(y)];
  const grid = { shape: kept.map((dim) => Math.max(0, dim)), strides: [xStrides, yStrides] };
  const fill = call(
    'copy',
    'fill',
    address(y),
    filling ?? fillArgument(n, y),
    size(widthOf(n, y)),
    size(y.count),
  );
  return [fill, ...moved(n, x, y, grid, offset(from, xStrides), offset(to, yStrides))];
}

function fillArgument(n: RunnerNode, y: Operand): Argument {
  const given = n.c.opset < 11 ? undefined : n.optional(2);
  if (given !== undefined) return address(given);
  const value = Number(fillOf(n.c) ?? 0);
  if (y.type === 'float32') return numbers('float', [value]);
  return numbers('uint8_t', new Array<number>(widthOf(n, y)).fill(0));
}

/** An element of a byte. */
export function fillBytes(value: number): Argument {
  return numbers('uint8_t', [value & 0xff]);
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
  for (const i of axesInMemory(heads.length, n.order)) {
    const head = heads[i]!;
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
      axisTable(n, y, axis),
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
  Pad: { lower: (n) => padded(n) },
  Gather: { lower: gather },
  OneHot: { lower: oneHot },
  ScatterND: { lower: scatterND },
};
