/** Random nodes that move elements: reshape, join, cut, pick, pad, repeat. */
import {
  axesForm,
  type Chance,
  count,
  data,
  eitherWay,
  floats,
  list,
  type Makers,
  range,
  type Sizes,
  scalar,
} from './chance.ts';

/** Sizes whose product is `total`. */
function factors(g: Chance, total: number): number[] {
  const sizes: number[] = [];
  let rest = total;
  while (rest > 1 && sizes.length < 4) {
    const divisors = range(rest)
      .map((i) => i + 1)
      .filter((d) => rest % d === 0);
    const size = g.pick(divisors[0]!, ...divisors.slice(1));
    sizes.push(size);
    rest /= size;
  }
  return rest > 1 || sizes.length === 0 ? [...sizes, rest] : sizes;
}

const reshape: Makers['Reshape'] = [
  5,
  (g, x) => {
    const shape = factors(g, count(x));
    const open = g.int(0, shape.length - 1);
    if (g.one(2) && count(shape) > 0) shape[open] = -1;
    else if (open < x.length && shape[open] === x[open] && g.opset < 14) shape[open] = 0;
    return { op: 'Reshape', operands: ['x', list(...shape)] };
  },
];

const slice: Makers['Slice'] = [
  9,
  (g, x) => {
    if (x.length === 0) return undefined;
    const axes = g.shuffled(range(x.length)).slice(0, g.int(1, x.length));
    const starts = axes.map((axis) => g.int(-x[axis]! - 1, x[axis]!));
    const ends = axes.map((axis) => g.pick(g.int(-x[axis]! - 1, x[axis]! + 1), 2 ** 31 - 1));
    if (g.opset < 10) return { op: 'Slice', operands: ['x'], attributes: { axes, starts, ends } };
    const steps = axes.map(() => g.pick(1, 1, 2, -1, -2));
    return { op: 'Slice', operands: ['x', list(...starts), list(...ends), list(...axes), list(...steps)] };
  },
];

const pad: Makers['Pad'] = [
  9,
  (g, x) => {
    if (x.length === 0) return undefined;
    const pads = [...x, ...x].map((size) => g.int(size > 2 ? -1 : 0, 2));
    if (g.opset < 11)
      return { op: 'Pad', operands: ['x'], attributes: { pads: pads.map((p) => Math.max(0, p)) } };
    if (g.opset < 18 || g.one(2)) return { op: 'Pad', operands: ['x', list(...pads)] };
    const axis = g.int(0, x.length - 1);
    const operands = [
      'x',
      list(g.int(0, 2), g.int(0, 2)),
      undefined,
      list(eitherWay(g, axis, x.length)),
    ] as const;
    return { op: 'Pad', operands };
  },
];

/** Parts of an axis; from opset 18 on also by number, the last part smaller. */
const split: Makers['Split'] = [
  9,
  (g, x) => {
    const axis = x.findIndex((size) => size >= 2);
    if (axis < 0) return undefined;
    const size = x[axis]!;
    const first = g.int(1, size - 1);
    const attributes = { axis: eitherWay(g, axis, x.length) };
    if (g.opset >= 18 && g.one(2)) {
      return { op: 'Split', operands: ['x'], attributes: { ...attributes, num_outputs: 2 }, outputs: 2 };
    }
    const parts = [first, size - first];
    return g.opset < 13
      ? { op: 'Split', operands: ['x'], attributes: { ...attributes, split: parts }, outputs: 2 }
      : { op: 'Split', operands: ['x', list(...parts)], attributes, outputs: 2 };
  },
];

/** An axis of at least one element, and an index tensor into it. */
function indices(g: Chance, size: number, shape: Sizes): ReturnType<typeof list> {
  return { type: 'int64', shape, values: g.ints(count(shape), 0, size - 1) };
}

export const makers: Makers = {
  Reshape: reshape,
  Slice: slice,
  Pad: pad,
  Split: split,
  Concat: [
    9,
    (g, x) => {
      if (x.length === 0) return undefined;
      const axis = g.int(0, x.length - 1);
      const other = x.map((size, i) => (i === axis ? g.int(1, 3) : size));
      return {
        op: 'Concat',
        operands: ['x', floats(...other)],
        attributes: { axis: g.opset < 11 ? axis : eitherWay(g, axis, x.length) },
      };
    },
  ],
  Transpose: [
    7,
    (g, x) => ({
      op: 'Transpose',
      operands: ['x'],
      attributes: g.one(4) ? {} : { perm: g.shuffled(range(x.length)) },
    }),
  ],
  Flatten: [
    11,
    (g, x) => ({ op: 'Flatten', operands: ['x'], attributes: { axis: g.int(-x.length, x.length) } }),
  ],
  Squeeze: [
    7,
    (g, x) => {
      const ones = range(x.length).filter((i) => x[i] === 1);
      if (g.one(3)) return { op: 'Squeeze', operands: ['x'] };
      return ones.length === 0
        ? undefined
        : { op: 'Squeeze', ...axesForm(g, [g.pick(ones[0]!, ...ones.slice(1))], 13) };
    },
  ],
  Unsqueeze: [
    7,
    (g, x) => (x.length > 4 ? undefined : { op: 'Unsqueeze', ...axesForm(g, [g.int(0, x.length)], 13) }),
  ],
  Expand: [
    8,
    (g, x) => ({
      op: 'Expand',
      operands: ['x', list(...x.map((size) => (size === 1 ? g.int(1, 3) : g.pick(1, size))))],
    }),
  ],
  Tile: [
    7,
    (g, x) =>
      x.length === 0 ? undefined : { op: 'Tile', operands: ['x', list(...x.map(() => g.int(1, 2)))] },
  ],
  Gather: [
    7,
    (g, x) => {
      const axis = g.int(0, x.length - 1);
      if (x.length === 0 || x[axis] === 0) return undefined;
      return {
        op: 'Gather',
        operands: ['x', indices(g, x[axis]!, g.ints(g.int(0, 2), 1, 3))],
        attributes: { axis },
      };
    },
  ],
  GatherElements: [
    11,
    (g, x) => {
      const axis = g.int(0, x.length - 1);
      if (x.length === 0 || x.includes(0)) return undefined;
      const shape = x.map((size, i) => (i === axis ? g.int(1, 4) : g.int(1, size)));
      return { op: 'GatherElements', operands: ['x', indices(g, x[axis]!, shape)], attributes: { axis } };
    },
  ],
  GatherND: [
    11,
    (g, x) => {
      if (x.length === 0 || x.includes(0)) return undefined;
      const depth = g.int(1, x.length);
      const shape = [g.int(1, 3), depth];
      const least = Math.min(...x.slice(0, depth));
      return { op: 'GatherND', operands: ['x', indices(g, least, shape)] };
    },
  ],
  ScatterElements: [
    11,
    (g, x) => {
      if (x.length === 0 || x.includes(0)) return undefined;
      const shape = x.map((size) => g.int(1, size));
      return { op: 'ScatterElements', operands: ['x', indices(g, Math.min(...x), shape), floats(...shape)] };
    },
  ],
  ScatterND: [
    11,
    (g, x) => {
      if (x.length === 0 || x.includes(0)) return undefined;
      const rows = g.int(1, 2);
      return { op: 'ScatterND', operands: ['x', indices(g, x[0]!, [rows, 1]), floats(rows, ...x.slice(1))] };
    },
  ],
  TopK: [
    11,
    (g, x) => {
      const axis = g.int(0, x.length - 1);
      if (x.length === 0) return undefined;
      return { op: 'TopK', operands: ['x', list(g.int(0, x[axis]!))], attributes: { axis }, outputs: 2 };
    },
  ],
  DepthToSpace: [
    11,
    (g, x) =>
      x.length === 4 && x[1]! % 4 === 0
        ? { op: 'DepthToSpace', operands: ['x'], attributes: { blocksize: 2, mode: g.pick('DCR', 'CRD') } }
        : undefined,
  ],
  SpaceToDepth: [
    7,
    (_, x) =>
      x.length === 4 && x[2]! % 2 === 0 && x[3]! % 2 === 0
        ? { op: 'SpaceToDepth', operands: ['x'], attributes: { blocksize: 2 } }
        : undefined,
  ],
  CumSum: [
    11,
    (g, x) =>
      x.length === 0
        ? undefined
        : { op: 'CumSum', operands: ['x', scalar('int64', g.int(-x.length, x.length - 1))] },
  ],
  Trilu: [
    14,
    (g, x) =>
      x.length < 2
        ? undefined
        : { op: 'Trilu', operands: ['x', scalar('int64', g.int(-2, 2))], attributes: { upper: g.int(0, 1) } },
  ],
  Shape: [
    7,
    (g, x) =>
      g.opset < 15
        ? { op: 'Shape', operands: ['x'] }
        : {
            op: 'Shape',
            operands: ['x'],
            attributes: { start: g.int(-x.length, x.length), end: g.int(-x.length, x.length) },
          },
  ],
  Size: [7, () => ({ op: 'Size', operands: ['x'] })],
  ConstantOfShape: [9, (g) => ({ op: 'ConstantOfShape', operands: [list(...g.ints(g.int(0, 4), 0, 4))] })],
  EyeLike: [
    9,
    (g) => ({ op: 'EyeLike', operands: [floats(...g.ints(2, 1, 4))], attributes: { k: g.int(-1, 1) } }),
  ],
  Range: [
    11,
    (g) => ({
      op: 'Range',
      operands: [
        scalar('float32', g.int(-3, 3)),
        scalar('float32', g.int(-3, 9)),
        scalar('float32', g.pick(0.5, 0.3, -0.7, 2)),
      ],
    }),
  ],
  OneHot: [
    9,
    (g) => {
      const shape = g.ints(g.int(1, 3), 1, 3);
      const values = { type: 'float32', shape: [2], values: [0, 1] } as const;
      return {
        op: 'OneHot',
        operands: [data('int64', ...shape), scalar('int64', g.int(1, 5)), values],
        attributes: { axis: g.int(-shape.length - 1, shape.length) },
      };
    },
  ],
  NonZero: [
    9,
    (g) => ({ op: 'NonZero', operands: [{ type: 'int64', shape: [2, 3], values: g.ints(6, 0, 1) }] }),
  ],
  Compress: [
    9,
    (g, x) =>
      x.length === 0
        ? undefined
        : {
            op: 'Compress',
            operands: ['x', { type: 'bool', shape: [x[0]!], values: g.ints(x[0]!, 0, 1) }],
            attributes: { axis: 0 },
          },
  ],
  ReverseSequence: [
    10,
    (g, x) =>
      x.length < 2 || x[0] === 0 || x[1] === 0
        ? undefined
        : { op: 'ReverseSequence', operands: ['x', list(...g.ints(x[1]!, 1, x[0]!))] },
  ],
  CenterCropPad: [
    18,
    (g, x) =>
      x.length === 0
        ? undefined
        : { op: 'CenterCropPad', operands: ['x', list(...x.map(() => g.int(1, 6)))] },
  ],
};
