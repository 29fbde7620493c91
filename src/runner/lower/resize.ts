/**
 * Resize and Upsample. Which element of x each element of y shows is worked out here, as onnxruntime does it, and
 * stands in flash as a map of rows and one of columns.
 */
import {
  address,
  call,
  integer,
  list,
  numbers,
  realText,
  size,
  structure,
  suffix,
  widthOf,
} from '../arguments.ts';
import { positive, product } from '../grid.ts';
import type { Call, Lowerings, Operand, RunnerNode, Table } from '../types.ts';

const { fround, floor, ceil, min, max } = Math;

/** Where a position along one axis of y lies along that axis of x, in float32. */
type Coordinate = (out: number, scale: number, sizes: Sizes) => number;

interface Sizes {
  readonly from: number;
  readonly to: number;
}

const COORDINATES: Readonly<Record<string, Coordinate>> = {
  half_pixel: (i, scale) => fround(fround(fround(i + 0.5) / scale) - 0.5),
  half_pixel_symmetric: (i, scale, { from, to }) => {
    const adjustment = fround(to / fround(scale * from));
    const offset = fround(fround(from / 2) * fround(1 - adjustment));
    return fround(offset + fround(fround(fround(i + 0.5) / scale) - 0.5));
  },
  pytorch_half_pixel: (i, scale, { to }) => (to > 1 ? fround(fround(fround(i + 0.5) / scale) - 0.5) : 0),
  asymmetric: (i, scale) => fround(i / scale),
  align_corners: (i, _, { from, to }) => (to === 1 ? 0 : fround(fround(i * (from - 1)) / (to - 1))),
  tf_half_pixel_for_nn: (i, scale) => fround(fround(i + 0.5) / scale),
};

const ROUNDINGS: Readonly<Record<string, (x: number) => number>> = {
  round_prefer_floor: (x) => (x === floor(x) + 0.5 ? floor(x) : floor(x + 0.5)),
  round_prefer_ceil: (x) => floor(x + 0.5),
  floor,
  ceil,
};

interface Mode {
  readonly mode: string;
  readonly coordinate: Coordinate;
  readonly round: (x: number) => number;
}

function modeOf(n: RunnerNode): Mode {
  const mode = n.c.string('mode', 'nearest');
  const old = n.c.node.op === 'Upsample' || n.c.opset < 11;
  const transformation = old ? 'asymmetric' : n.c.string('coordinate_transformation_mode', 'half_pixel');
  const rounding = old ? 'floor' : n.c.string('nearest_mode', 'round_prefer_floor');
  if (n.c.has('antialias') && n.c.int('antialias') !== 0) n.refuse('for antialiasing');
  return {
    mode,
    coordinate: COORDINATES[transformation] ?? n.refuse(`for coordinates by ${transformation}`),
    round: ROUNDINGS[rounding] ?? n.refuse(`for rounding by ${rounding}`),
  };
}

/** The scale of every axis: as stated, or from the sizes. */
function scalesOf(n: RunnerNode, x: Operand, y: Operand): readonly number[] {
  const bySizes = x.shape.map((from, axis) => fround(y.shape[axis]! / from));
  const given = (position: number) => (n.optional(position)?.count ? n.constant(position) : undefined);
  const upsample = n.c.node.op === 'Upsample';
  if (upsample && n.c.has('scales')) return n.c.floats('scales')!.map(fround);
  if (upsample && n.c.opset < 7)
    return [1, 1, n.c.float('height_scale'), n.c.float('width_scale')].map(fround);
  if (upsample || n.c.opset < 11) return given(1)?.map(fround) ?? bySizes;
  const scales = given(3) === undefined ? given(2) : undefined;
  if (scales === undefined) return bySizes;
  const axes = n.c.ints('axes')?.map((axis) => positive(axis, x.shape.length)) ?? [...x.shape.keys()];
  return x.shape.map((_, axis) => (axes.includes(axis) ? fround(scales[axes.indexOf(axis)]!) : 1));
}

function nearestMap(sizes: Sizes, scale: number, { coordinate, round }: Mode): readonly number[] {
  return Array.from({ length: sizes.to }, (_, i) => {
    if (scale === 1) return min(i, sizes.from - 1);
    return min(max(round(coordinate(i, scale, sizes)), 0), sizes.from - 1);
  });
}

/** Braces of memplan_tap. */
function linearMap(sizes: Sizes, scale: number, { coordinate }: Mode): readonly string[] {
  return Array.from({ length: sizes.to }, (_, i) => {
    const at = scale === 1 ? i : coordinate(i, scale, sizes);
    const inside = min(max(at, 0), sizes.from - 1);
    const first = min(floor(inside), sizes.from - 1);
    const second = min(first + 1, sizes.from - 1);
    return `{${first}, ${second}, ${realText(fround(inside - first))}}`;
  });
}

/** `zero`: the zero point of bytes that stand for real numbers. */
export function resized(n: RunnerNode, zero?: number): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const mode = modeOf(n);
  const scales = scalesOf(n, x, y);
  const rank = x.shape.length;
  const lead = max(0, rank - 2);
  if (x.shape.slice(0, lead).some((dim, axis) => dim !== y.shape[axis]))
    n.refuse('for other axes than the last two');
  const sizes = [rank - 2, rank - 1].map((axis) => ({ from: x.shape[axis] ?? 1, to: y.shape[axis] ?? 1 }));
  const table = structure('resizing', [
    String(product(x.shape.slice(0, lead))),
    list(sizes.map(({ from }) => from)),
    list(sizes.map(({ to }) => to)),
  ]);
  const scaleOf = (i: number) => scales[rank - 2 + i] ?? 1;
  if (mode.mode === 'nearest') {
    const [rows, columns] = sizes.map((s, i) => numbers('int32_t', nearestMap(s, scaleOf(i), mode)));
    return [
      call('resize', 'resize_nearest', address(x), address(y), size(widthOf(n, x)), rows!, columns!, table),
    ];
  }
  if (mode.mode !== 'linear') n.refuse(`for the mode ${mode.mode}`);
  const ending = suffix(n, x, zero === undefined ? ['float32'] : ['uint8', 'int8']);
  const [rows, columns] = sizes.map((s, i): Table => {
    const taps = linearMap(s, scaleOf(i), mode);
    return { kind: 'table', type: 'memplan_tap', elements: taps.length, initialiser: taps };
  });
  const centre = zero === undefined ? [] : [integer(zero)];
  const name = `resize_linear_${ending}`;
  return [call('resize', name, address(x), address(y), rows!, columns!, table, ...centre)];
}

export const lowerings: Lowerings = {
  Resize: { lower: (n) => resized(n) },
  Upsample: { lower: (n) => resized(n) },
};
