/** Random cells of irregular networks, after the families of the literature, as sketches of typed graphs. */
import type { GraphSketch, NodeSketch, TensorSketch } from './graphs.ts';
import { createRandom } from './random.ts';

type Random = (below: number) => number;

export interface Cell {
  readonly family: string;
  /** `randwire-ws 105, seed 3`: for about 105 steps. */
  readonly name: string;
  readonly sketch: GraphSketch;
}

/** Collects the nodes of a sketch, in the order in which an exporter would write them. */
interface Builder {
  readonly random: Random;
  /** Adds a node and its output; shapes are [channels, height, width] in front of a batch of 1. */
  readonly add: (op: string, inputs: readonly string[], shape: readonly number[]) => string;
  readonly shape: (tensor: string) => readonly number[];
  readonly input: (shape: readonly number[]) => string;
  readonly finish: (outputs: readonly string[]) => GraphSketch;
}

function createBuilder(random: Random): Builder {
  const tensors: Record<string, TensorSketch> = {};
  const shapes = new Map<string, readonly number[]>();
  const nodes: (string | NodeSketch)[] = [];
  const inputs: string[] = [];
  const declare = (name: string, shape: readonly number[]): string => {
    tensors[name] = { type: 'int8', shape: [1, ...shape] };
    shapes.set(name, shape);
    return name;
  };
  return {
    random,
    add: (op, from, shape) => {
      const output = declare(`t${nodes.length}`, shape);
      const run = `${op} ${from.join(' ')} -> ${output}`;
      nodes.push(op === 'Concat' ? { run, axis: 1 } : run);
      return output;
    },
    shape: (tensor) => shapes.get(tensor)!,
    input: (shape) => {
      const name = declare(`x${inputs.length}`, shape);
      inputs.push(name);
      return name;
    },
    finish: (outputs) => ({ inputs, outputs, tensors, nodes }),
  };
}

const channelsTimes = (shape: readonly number[], channels: number): readonly number[] => [
  channels,
  shape[1]!,
  shape[2]!,
];

/** Edges u -> v with u < v: an undirected random graph oriented by its numbering. */
type Edges = readonly (readonly [number, number])[];

/** Each pair with the probability given in percent. */
function erdosRenyi(nodes: number, percent: number, random: Random): Edges {
  const edges: [number, number][] = [];
  for (let v = 1; v < nodes; v++) for (let u = 0; u < v; u++) if (random(100) < percent) edges.push([u, v]);
  return edges;
}

/** Each new node is joined to `links` nodes before it, drawn by their degree. */
function barabasiAlbert(nodes: number, links: number, random: Random): Edges {
  const edges: [number, number][] = [];
  const ends: number[] = [];
  for (let v = links; v < nodes; v++) {
    const chosen = new Set<number>();
    while (chosen.size < links) {
      chosen.add(v === links ? chosen.size : ends[random(ends.length)]!);
    }
    for (const u of chosen) {
      edges.push([u, v]);
      ends.push(u, v);
    }
  }
  return edges;
}

/** A ring in which each node is joined to its nearest `degree` ones, each link moved with the probability given. */
function wattsStrogatz(nodes: number, degree: number, percent: number, random: Random): Edges {
  const known = new Set<number>();
  const key = (a: number, b: number): number => Math.min(a, b) * nodes + Math.max(a, b);
  for (let v = 0; v < nodes; v++) for (let d = 1; d <= degree / 2; d++) known.add(key(v, (v + d) % nodes));
  for (let d = 1; d <= degree / 2; d++) {
    for (let v = 0; v < nodes; v++) {
      const old = key(v, (v + d) % nodes);
      if (random(100) >= percent || !known.has(old)) continue;
      const to = random(nodes);
      if (to === v || known.has(key(v, to))) continue;
      known.delete(old);
      known.add(key(v, to));
    }
  }
  return [...known].sort((a, b) => a - b).map((k) => [Math.floor(k / nodes), k % nodes] as const);
}

/** RandWire (Xie et al. 2019): a node sums its inputs, then Relu, depthwise and pointwise convolution. */
function randWire(builder: Builder, nodes: number, edges: Edges): GraphSketch {
  const { add } = builder;
  const shape = [24, 14, 14];
  const x = builder.input(shape);
  const made: string[] = [];
  const used = new Set(edges.map(([u]) => u));
  const sum = (from: readonly string[]): string => (from.length === 1 ? from[0]! : add('Sum', from, shape));
  for (let v = 0; v < nodes; v++) {
    const from = edges.filter(([, to]) => to === v).map(([u]) => made[u]!);
    const relu = add('Relu', [sum(from.length === 0 ? [x] : from)], shape);
    made.push(add('Conv', [relu], shape));
  }
  const ends = made.filter((_, v) => !used.has(v));
  return builder.finish([sum(ends)]);
}

/** Relu, depthwise and pointwise convolution, twice, as in NASNet and DARTS. */
function separable({ add }: Builder, from: string, shape: readonly number[]): string {
  const first = add('Conv', [add('Conv', [add('Relu', [from], shape)], shape)], shape);
  return add('Conv', [add('Conv', [add('Relu', [first], shape)], shape)], shape);
}

function operation(builder: Builder, from: string, shape: readonly number[]): string {
  const kind = builder.random(5);
  if (kind < 2) return separable(builder, from, shape);
  if (kind === 2) return builder.add('AveragePool', [from], shape);
  if (kind === 3) return builder.add('MaxPool', [from], shape);
  return from;
}

/**
 * Cells with two inputs, the outputs of the two cells before (Zoph et al. 2018; Liu et al. 2019). `blocks` pairs of
 * random operations on random states are added up; `all` joins every block (DARTS), else the unused ones (NASNet).
 */
function nasCells(builder: Builder, cells: number, blocks: number, all: boolean): GraphSketch {
  const { add, random } = builder;
  const shape = [16, 16, 16];
  const x = builder.input([3, 16, 16]);
  let [older, old] = [add('Conv', [x], shape), ''];
  old = add('Conv', [older], shape);
  for (let cell = 0; cell < cells; cell++) {
    const states = [older, old].map((from) => add('Conv', [add('Relu', [from], builder.shape(from))], shape));
    const used = new Set<number>();
    for (let block = 0; block < blocks; block++) {
      const a = random(states.length);
      const b = (a + 1 + random(states.length - 1)) % states.length;
      used.add(a).add(b);
      states.push(
        add('Add', [operation(builder, states[a]!, shape), operation(builder, states[b]!, shape)], shape),
      );
    }
    const joined = states.filter((_, at) => at >= 2 && (all || !used.has(at)));
    older = old;
    old = add('Concat', joined, channelsTimes(shape, 16 * joined.length));
  }
  return builder.finish([old]);
}

/** SwiftNet-like (Cheng et al. 2019): convolutions of unlike widths over joined earlier tensors. */
function swiftNet(builder: Builder, nodes: number): GraphSketch {
  const { add, random } = builder;
  const side = 16;
  const x = builder.input([3, side, side]);
  const made = [add('Conv', [x], [16, side, side])];
  const used = new Set<number>();
  for (let node = 1; node < nodes; node++) {
    const count = 1 + random(Math.min(4, made.length));
    const from = new Set([made.length - 1 - random(Math.min(made.length, 3))]);
    while (from.size < count) from.add(random(made.length));
    for (const at of from) used.add(at);
    const inputs = [...from].map((at) => made[at]!);
    const channels = inputs.reduce((sum, tensor) => sum + builder.shape(tensor)[0]!, 0);
    const joined = inputs.length === 1 ? inputs[0]! : add('Concat', inputs, [channels, side, side]);
    made.push(add('Conv', [joined], [4 * (1 + random(8)), side, side]));
  }
  const ends = made.filter((_, at) => !used.has(at));
  const channels = ends.reduce((sum, tensor) => sum + builder.shape(tensor)[0]!, 0);
  const joined = ends.length === 1 ? ends[0]! : add('Concat', ends, [channels, side, side]);
  return builder.finish([add('Conv', [joined], [16, side, side])]);
}

/** Families by name: `size` is the count of steps wished for. */
const FAMILIES: Readonly<Record<string, (builder: Builder, size: number) => GraphSketch>> = {
  nasnet: (b, size) => nasCells(b, Math.max(1, Math.round(size / 33)), 5, false),
  darts: (b, size) => nasCells(b, Math.max(1, Math.round(size / 27)), 4, true),
  'randwire-er': (b, size) => {
    const nodes = Math.round(size / 3);
    return randWire(b, nodes, erdosRenyi(nodes, 20, b.random));
  },
  'randwire-ba': (b, size) => {
    const nodes = Math.round(size / 3);
    return randWire(b, nodes, barabasiAlbert(nodes, Math.min(5, nodes - 2), b.random));
  },
  'randwire-ws': (b, size) => {
    const nodes = Math.round(size / 3);
    return randWire(b, nodes, wattsStrogatz(nodes, 4, 75, b.random));
  },
  swiftnet: (b, size) => swiftNet(b, Math.round(size / 1.7)),
};

/** One cell of each family for each size (steps, about) and seed. */
export function randomCells(sizes: readonly number[], seeds: readonly number[]): readonly Cell[] {
  return Object.entries(FAMILIES).flatMap(([family, make]) =>
    sizes.flatMap((size) =>
      seeds.map((seed): Cell => {
        const sketch = make(createBuilder(createRandom(seed * 1009 + size)), size);
        return { family, name: `${family} ${size}, seed ${seed}`, sketch };
      }),
    ),
  );
}
