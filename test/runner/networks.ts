/** Random networks of float32 tensors: branches that meet again, parts, views, outputs on the way, one tensor read twice. */
import type { onnx } from 'onnx-proto';
import { type Chance, count, createChance, type Sizes } from '../fuzz/chance.ts';
import { type AttributeSpec, model, node, type TensorSpec, tensor } from '../support/onnx.ts';

const OPSET = 17;
/** Larger tensors are made no larger. */
const MOST_ELEMENTS = 4000;

interface Value {
  readonly name: string;
  readonly shape: Sizes;
}

interface Draft {
  readonly g: Chance;
  readonly values: Value[];
  readonly nodes: onnx.INodeProto[];
  readonly initializers: [string, onnx.ITensorProto][];
  /** How many names there are, over all graphs. */
  readonly names: { tensors: number; nodes: number };
  readonly pieces: readonly Piece[];
}

/** Adds nodes that read `x`; false where it does not suit. */
type Piece = (draft: Draft, x: Value) => boolean;

/** The network of a seed, as a file; the same each time. */
export function randomNetwork(seed: number): Uint8Array {
  return network(seed, PIECES);
}

/** The same with If, Loop and Scan, whose bodies may have such nodes of their own. */
export function controlledNetwork(seed: number): Uint8Array {
  return network(seed, [...PIECES, ...CONTROLLED, ...CONTROLLED]);
}

function network(seed: number, pieces: readonly Piece[]): Uint8Array {
  const g = createChance(seed, OPSET);
  const names = { tensors: 0, nodes: 0 };
  const draft: Draft = { g, values: [], nodes: [], initializers: [], names, pieces };
  const inputs: [string, TensorSpec][] = [];
  for (let i = g.pick(1, 1, 2); i > 0; i--) {
    const value = { name: `x${inputs.length}`, shape: [1, g.pick(2, 3, 4, 6), g.int(3, 9), g.int(3, 9)] };
    draft.values.push(value);
    names.tensors++;
    inputs.push([value.name, ['float32', value.shape]]);
  }
  const wanted = g.int(4, 20);
  while (draft.nodes.length < wanted) addPiece(draft);
  const made = draft.values.slice(inputs.length);
  const read = new Set(draft.nodes.flatMap(({ input }) => input ?? []));
  // What nobody reads is an output, and now and then what somebody does.
  const outputs = made.filter(({ name }) => !read.has(name) || g.one(9)).map(({ name }) => name);
  return model({
    opset: OPSET,
    inputs,
    outputs,
    nodes: draft.nodes,
    initializers: Object.fromEntries(draft.initializers),
  });
}

function addPiece(draft: Draft): void {
  const { g, values } = draft;
  // Mostly what was made last, so that there are chains, and now and then what was made long ago.
  const back = g.one(3) ? values.length : Math.min(3, values.length);
  const x = values[values.length - g.int(1, back)]!;
  for (const piece of g.shuffled(draft.pieces)) if (piece(draft, x)) return;
}

/** Adds a node with one output of the given shape. */
function add(
  draft: Draft,
  op: string,
  inputs: readonly string[],
  shape: Sizes,
  attributes: Readonly<Record<string, AttributeSpec>> = {},
): true {
  const name = newName(draft);
  addNode(draft, op, inputs, [name], attributes);
  draft.values.push({ name, shape });
  return true;
}

function newName({ names }: Draft): string {
  return `t${names.tensors++}`;
}

function addNode(
  { nodes, names }: Draft,
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, AttributeSpec>> = {},
): void {
  nodes.push(node(op, inputs, outputs, attributes, { name: `n${names.nodes++}` }));
}

/** Random weights of about unit size; `least` where they must be positive. */
function weights(draft: Draft, shape: Sizes, least = -1): string {
  const scale = 1 / Math.max(1, Math.sqrt(count(shape.slice(1))));
  const values = Array.from({ length: count(shape) }, () => {
    const value = draft.g.int(-100, 100) / 100;
    return least > 0 ? least + Math.abs(value) : value * scale;
  });
  return constant(draft, tensor('float32', shape, values));
}

function constant({ initializers }: Draft, value: onnx.ITensorProto): string {
  const name = `c${initializers.length}`;
  initializers.push([name, value]);
  return name;
}

const list = (draft: Draft, values: readonly number[]) =>
  constant(draft, tensor('int64', [values.length], values));

/** Another value of the same shape, or the value itself. */
function twin({ g, values }: Draft, { name, shape }: Value): string {
  const same = values.filter((other) => String(other.shape) === String(shape));
  return same.length > 0 ? same[g.int(0, same.length - 1)]!.name : name;
}

const pooled = (size: number, kernel: number, stride: number, pads: number) =>
  Math.floor((size + pads - kernel) / stride) + 1;

const conv: Piece = (draft, x) => {
  const { g } = draft;
  const [, channels, height, width] = x.shape;
  if (x.shape.length !== 4 || count(x.shape) > MOST_ELEMENTS) return false;
  const kernel = g.pick(1, 1, 3, 2);
  const [stride, dilation, pad] = [g.pick(1, 1, 2), kernel > 1 && g.one(4) ? 2 : 1, g.int(0, kernel - 1)];
  const reach = dilation * (kernel - 1) + 1;
  const sizes = [height!, width!].map((size) => pooled(size, reach, stride, 2 * pad));
  if (sizes.some((size) => size < 1)) return false;
  const group = g.one(3) ? channels! : 1;
  const out = group > 1 ? channels! * g.pick(1, 1, 2) : g.pick(2, 4, 5, 8);
  const inputs = [x.name, weights(draft, [out, channels! / group, kernel, kernel])];
  if (!g.one(3)) inputs.push(weights(draft, [out]));
  return add(draft, 'Conv', inputs, [x.shape[0]!, out, ...sizes], {
    ...{ group, kernel_shape: [kernel, kernel], strides: [stride, stride] },
    ...{ dilations: [dilation, dilation], pads: [pad, pad, pad, pad] },
  });
};

const pool: Piece = (draft, x) => {
  const { g } = draft;
  if (x.shape.length !== 4) return false;
  const [batch, channels, height, width] = x.shape as [number, number, number, number];
  if (g.one(4))
    return add(draft, g.pick('GlobalAveragePool', 'GlobalMaxPool'), [x.name], [batch, channels, 1, 1]);
  const [kernel, stride, pad] = [g.pick(2, 3), g.pick(1, 2), g.pick(0, 1)];
  const sizes = [height, width].map((size) => pooled(size, kernel, stride, 2 * pad));
  if (sizes.some((size) => size < 1)) return false;
  return add(draft, g.pick('MaxPool', 'AveragePool'), [x.name], [batch, channels, ...sizes], {
    ...{ kernel_shape: [kernel, kernel], strides: [stride, stride], pads: [pad, pad, pad, pad] },
  });
};

const unary: Piece = (draft, x) => {
  const op = draft.g.pick(
    'Relu',
    'Relu',
    'Sigmoid',
    'Tanh',
    'Neg',
    'Abs',
    'LeakyRelu',
    'HardSwish',
    'Identity',
    'Elu',
  );
  return add(draft, op, [x.name], x.shape);
};

const clip: Piece = (draft, x) => {
  const [low, high] = [-1, 0.75].map((value) => constant(draft, tensor('float32', [], [value])));
  return add(draft, 'Clip', [x.name, low!, high!], x.shape);
};

const binary: Piece = (draft, x) => {
  const { g } = draft;
  const op = g.pick('Add', 'Sub', 'Mul', 'Max', 'Min', 'Add');
  const own = g.one(2);
  const small = x.shape.map((size) => (g.one(2) ? size : 1));
  const other = own ? twin(draft, x) : weights(draft, small);
  return add(draft, op, g.one(2) ? [x.name, other] : [other, x.name], x.shape);
};

const sum: Piece = (draft, x) => {
  return add(draft, 'Sum', [x.name, twin(draft, x), twin(draft, x)].slice(0, draft.g.int(1, 3)), x.shape);
};

const norm: Piece = (draft, x) => {
  const channels = x.shape[1];
  if (x.shape.length !== 4) return false;
  const vectors = [0.5, -1, -1, 0.5].map((least) => weights(draft, [channels!], least));
  return add(draft, 'BatchNormalization', [x.name, ...vectors], x.shape);
};

const softmax: Piece = (draft, x) => {
  if (x.shape.length === 0) return false;
  return add(draft, 'Softmax', [x.name], x.shape, { axis: draft.g.int(0, x.shape.length - 1) });
};

const concat: Piece = (draft, x) => {
  const { g } = draft;
  if (x.shape.length === 0 || count(x.shape) > MOST_ELEMENTS) return false;
  const axis = g.one(2) ? Math.min(1, x.shape.length - 1) : g.int(0, x.shape.length - 1);
  const parts = [x.name, twin(draft, x), twin(draft, x)].slice(0, g.int(1, 3));
  const shape = x.shape.map((size, i) => (i === axis ? size * parts.length : size));
  return add(draft, 'Concat', g.shuffled(parts), shape, { axis });
};

const split: Piece = (draft, x) => {
  const { g, values } = draft;
  const axis = x.shape.findIndex((size) => size >= 2);
  if (axis < 0) return false;
  const first = g.int(1, x.shape[axis]! - 1);
  const sizes = [first, x.shape[axis]! - first];
  const names = sizes.map(() => newName(draft));
  addNode(draft, 'Split', [x.name, list(draft, sizes)], names, { axis });
  for (const [i, size] of sizes.entries())
    values.push({ name: names[i]!, shape: x.shape.map((old, k) => (k === axis ? size : old)) });
  return true;
};

const slice: Piece = (draft, x) => {
  const { g } = draft;
  const axes = x.shape.flatMap((size, axis) => (size >= 2 ? [axis] : []));
  if (axes.length === 0) return false;
  const axis = axes[g.int(0, axes.length - 1)]!;
  const size = x.shape[axis]!;
  const start = g.int(0, size - 1);
  const end = g.int(start + 1, size);
  const step = g.pick(1, 1, 1, 2);
  const shape = x.shape.map((old, i) => (i === axis ? Math.ceil((end - start) / step) : old));
  return add(
    draft,
    'Slice',
    [x.name, ...[start, end, axis, step].map((value) => list(draft, [value]))],
    shape,
  );
};

const reshape: Piece = (draft, x) => {
  const { g } = draft;
  const all = count(x.shape);
  const divisors = Array.from({ length: all }, (_, i) => i + 1).filter((i) => all % i === 0);
  const one = divisors[g.int(0, divisors.length - 1)]!;
  const shape = g.pick<Sizes>([1, all], [one, all / one], [1, one, all / one, 1], [1, 1, one, all / one]);
  return add(draft, 'Reshape', [x.name, list(draft, shape)], shape);
};

const transpose: Piece = (draft, x) => {
  const perm = draft.g.shuffled(x.shape.map((_, axis) => axis));
  return add(
    draft,
    'Transpose',
    [x.name],
    perm.map((axis) => x.shape[axis]!),
    { perm },
  );
};

const squeeze: Piece = (draft, x) => {
  const axis = x.shape.indexOf(1);
  if (axis < 0 || x.shape.length < 3) return false;
  return add(
    draft,
    'Squeeze',
    [x.name, list(draft, [axis])],
    x.shape.filter((_, i) => i !== axis),
  );
};

const unsqueeze: Piece = (draft, x) => {
  if (x.shape.length > 3) return false;
  const axis = draft.g.int(0, x.shape.length);
  return add(draft, 'Unsqueeze', [x.name, list(draft, [axis])], x.shape.toSpliced(axis, 0, 1));
};

const gemm: Piece = (draft, x) => {
  if (x.shape.length !== 2 || count(x.shape) > MOST_ELEMENTS) return false;
  const [rows, inner] = x.shape as [number, number];
  const out = draft.g.int(2, 9);
  const inputs = [x.name, weights(draft, [out, inner]), weights(draft, [out])];
  return add(draft, 'Gemm', inputs, [rows, out], { transB: 1 });
};

const matmul: Piece = (draft, x) => {
  if (x.shape.length < 2 || count(x.shape) > MOST_ELEMENTS) return false;
  const out = draft.g.int(1, 6);
  return add(
    draft,
    'MatMul',
    [x.name, weights(draft, [x.shape.at(-1)!, out])],
    [...x.shape.slice(0, -1), out],
  );
};

const reduce: Piece = (draft, x) => {
  const { g } = draft;
  if (x.shape.length < 2) return false;
  const axis = g.int(0, x.shape.length - 1);
  return add(
    draft,
    g.pick('ReduceMean', 'ReduceMax'),
    [x.name],
    x.shape.map((size, i) => (i === axis ? 1 : size)),
    {
      axes: [axis],
    },
  );
};

const resize: Piece = (draft, x) => {
  if (x.shape.length !== 4 || 4 * count(x.shape) > MOST_ELEMENTS) return false;
  const [batch, channels, height, width] = x.shape as [number, number, number, number];
  const scales = constant(draft, tensor('float32', [4], [1, 1, 2, 2]));
  return add(draft, 'Resize', [x.name, '', scales], [batch, channels, 2 * height, 2 * width], {
    ...{ mode: 'nearest', nearest_mode: 'floor', coordinate_transformation_mode: 'asymmetric' },
  });
};

const pad: Piece = (draft, x) => {
  if (x.shape.length !== 4 || count(x.shape) > MOST_ELEMENTS) return false;
  const [batch, channels, height, width] = x.shape as [number, number, number, number];
  const value = constant(draft, tensor('float32', [], [draft.g.pick(0, 0, 1)]));
  return add(
    draft,
    'Pad',
    [x.name, list(draft, [0, 0, 1, 0, 0, 0, 0, 2]), value],
    [batch, channels, height + 1, width + 2],
  );
};

/** An If on the mean of what it reads. Its branches hand out what they made, a weight, or what they found. */
const choice: Piece = (draft, x) => {
  const { g } = draft;
  if (x.shape.length === 0 || count(x.shape) > MOST_ELEMENTS) return false;
  const [mean, isLarge] = [newName(draft), newName(draft)];
  addNode(draft, 'ReduceMean', [x.name], [mean], { keepdims: 0 });
  addNode(draft, 'Greater', [mean, constant(draft, tensor('float32', [], [0.0517]))], [isLarge]);
  const outputs = g.one(3) ? 2 : 1;
  const branches = ['then_branch', 'else_branch'].map((name) => [name, branch(draft, x, outputs)] as const);
  const names = Array.from({ length: outputs }, () => newName(draft));
  addNode(draft, 'If', [isLarge], names, Object.fromEntries(branches));
  for (const name of names) draft.values.push({ name, shape: x.shape });
  return true;
};

/** All that it hands out has the shape of `x`. */
function branch(draft: Draft, x: Value, outputs: number): AttributeSpec {
  const inner = inside(draft, []);
  const last = chain(inner, x);
  const handed = Array.from({ length: outputs }, (_, i) => {
    if (i === 0 && last !== x && !draft.g.one(6)) return last.name;
    // onnxruntime wants what comes from outside to pass a node.
    return passed(inner, draft.g.one(3) ? weights(inner, x.shape) : twin(inner, x), x.shape);
  });
  return { graph: { outputs: handed, nodes: inner.nodes } };
}

/** Up to three pieces; the last thing they made that has the shape of `x`. */
function chain(draft: Draft, x: Value): Value {
  const outside = draft.values.length;
  let last = x;
  for (let i = draft.g.int(0, 3); i > 0; i--) {
    for (const piece of draft.g.shuffled(draft.pieces)) if (piece(draft, last)) break;
    last = draft.values.slice(outside).findLast(({ shape }) => String(shape) === String(x.shape)) ?? x;
  }
  return last;
}

function passed(draft: Draft, name: string, shape: Sizes): string {
  add(draft, 'Identity', [name], shape);
  return draft.values.at(-1)!.name;
}

/** The draft of a body, which sees what is outside. */
function inside(draft: Draft, inputs: readonly Value[]): Draft {
  const nested = CONTROLLED.some((piece) => draft.pieces.includes(piece)) && draft.g.one(2);
  return {
    ...draft,
    values: [...draft.values, ...inputs],
    nodes: [],
    pieces: nested ? [...KEEPING, ...CONTROLLED] : KEEPING,
  };
}

/** A Loop of a few turns, as a number says, or for as long as what it carries is small. One result is stacked. */
const loop: Piece = (draft, x) => {
  const { g } = draft;
  if (x.shape.length === 0 || count(x.shape) > MOST_ELEMENTS) return false;
  const turns = g.int(1, 3);
  const counted = g.one(2);
  const [turn, on, first, second] = [newName(draft), newName(draft), newName(draft), newName(draft)];
  const [a, b] = [first, second].map((name): Value => ({ name, shape: x.shape })) as [Value, Value];
  const inner = inside(draft, [a, b]);
  // The mean of two, so that nothing grows.
  const made = chain(inner, a);
  const half = constant(inner, tensor('float32', [], [0.5]));
  add(inner, 'Add', [made.name, twin(inner, x)], x.shape);
  add(inner, 'Mul', [inner.values.at(-1)!.name, half], x.shape);
  const next = inner.values.at(-1)!.name;
  const again = newName(draft);
  if (counted) addNode(inner, 'Identity', [on], [again]);
  else {
    const mean = newName(draft);
    addNode(inner, 'ReduceMean', [next], [mean], { keepdims: 0 });
    addNode(inner, 'Less', [mean, constant(draft, tensor('float32', [], [0.2517]))], [again]);
  }
  const stacked = counted && g.one(2);
  const body = {
    inputs: {
      ...{ [turn]: ['int64', []] as const, [on]: ['bool', []] as const },
      ...{ [first]: ['float32', x.shape] as const, [second]: ['float32', x.shape] as const },
    },
    outputs: [
      again,
      next,
      g.one(2) ? first : made.name,
      ...(stacked ? [passed(inner, made.name, x.shape)] : []),
    ],
    nodes: inner.nodes,
  };
  const most = constant(draft, tensor('int64', [], [turns]));
  const always = counted ? '' : constant(draft, tensor('bool', [], [1]));
  const names = [newName(draft), newName(draft), ...(stacked ? [newName(draft)] : [])];
  addNode(draft, 'Loop', [most, always, x.name, twin(draft, x)], names, { body: { graph: body } });
  if (stacked) draft.values.push({ name: names[2]!, shape: [turns, ...x.shape] });
  for (const name of names.slice(0, 2)) draft.values.push({ name, shape: x.shape });
  return true;
};

/** Walks along an axis, forwards or backwards, with a sum of all slices. */
const scan: Piece = (draft, x) => {
  const { g } = draft;
  if (x.shape.length < 2 || count(x.shape) > MOST_ELEMENTS) return false;
  const axis = g.int(0, x.shape.length - 1);
  const shape = x.shape.filter((_, i) => i !== axis);
  const [state, slice] = [newName(draft), newName(draft)].map((name): Value => ({ name, shape })) as [
    Value,
    Value,
  ];
  const inner = inside(draft, [slice, state]);
  const made = chain(inner, slice);
  add(inner, 'Max', [made.name, state.name], shape);
  const next = inner.values.at(-1)!.name;
  const row = passed(inner, made.name, shape);
  const body = {
    inputs: { [state.name]: ['float32', shape] as const, [slice.name]: ['float32', shape] as const },
    outputs: { [next]: ['float32', shape] as const, [row]: ['float32', shape] as const },
    nodes: inner.nodes,
  };
  const put = g.int(0, shape.length);
  const names = [newName(draft), newName(draft)];
  addNode(draft, 'Scan', [weights(draft, shape), x.name], names, {
    ...{ num_scan_inputs: 1, scan_input_axes: [axis], scan_output_axes: [put], body: { graph: body } },
    ...{ scan_input_directions: [g.int(0, 1)], scan_output_directions: [g.int(0, 1)] },
  });
  draft.values.push({ name: names[1]!, shape: shape.toSpliced(put, 0, x.shape[axis]!) });
  draft.values.push({ name: names[0]!, shape });
  return true;
};

const CONTROLLED: readonly Piece[] = [choice, loop, scan];

/** What keeps the shape. */
const KEEPING: readonly Piece[] = [unary, clip, binary, sum, norm, softmax];

const PIECES: readonly Piece[] = [
  ...[conv, conv, pool, unary, unary, clip, binary, binary, sum, norm, softmax, concat, concat, split, slice],
  ...[reshape, transpose, squeeze, unsqueeze, gemm, matmul, reduce, resize, pad],
];
