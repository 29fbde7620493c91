/** Turns a graph into the bare problem of ordering its steps, with the sharing that the lifetime part allows. */
import type { Node, TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import { aliasChoices, type Candidate, type Choice } from '../lifetime/candidates.ts';
import { type Scene, sceneOf } from '../lifetime/scene.ts';
import { carriedRound, roundUp } from '../lifetime/sharing.ts';
import type { LifetimeOptions, Schedule, Step } from '../lifetime/types.ts';
import { type Content, contentsOf, type Segment, segmentsOf } from './contents.ts';
import type { OrderProblem, OrderStep, Overwrite, Value } from './types.ts';

export interface OrderModel {
  readonly problem: OrderProblem;
  /** The node of each step of the problem. */
  readonly nodes: readonly Node[];
}

/** A node of the graph with the steps of its bodies, which move with it: steps [first, end) of the schedule. */
interface Block {
  readonly own: Step;
  readonly end: number;
  /** Tensors of the graph itself that its steps read. */
  readonly reads: readonly number[];
}

/**
 * What it says of the bytes needed is never too much, whatever the sharing: every view is taken and costs nothing,
 * bytes of a tensor that only some views show are needed as long as those, and an output is written in place
 * wherever its operand dies. With views of whole tensors that is also what the best sharing really needs.
 * Throws the faults of `tensorSizes`.
 */
export function orderModel(
  graph: TypedGraph,
  schedule: Schedule,
  options: LifetimeOptions,
  kernels: KernelLibrary,
): OrderModel {
  const scene = sceneOf(graph, schedule, options);
  const outer = outerTensors(scene);
  const blocks = blocksOf(scene, outer);
  const choices = choicesInAnyOrder(scene, outer, kernels);
  const contents = contentsOf(scene, choices, outer);
  const found = valuesIn(scene, blocks, contents);
  const inside = bytesInside(scene, blocks, outer, choices, found);
  const writer = new Map(blocks.flatMap(({ own }, block) => own.writes.map((t) => [t, block] as const)));
  const overwrites = overwritesIn(scene, blocks, choices, contents, found);
  const steps = blocks.map(
    ({ reads }, block): OrderStep => ({
      after: [...new Set(reads.flatMap((tensor) => writer.get(tensor) ?? []))],
      extraBytes: inside[block]!,
      overwrites: overwrites[block]!,
    }),
  );
  return {
    problem: { steps, values: found.values, baseBytes: 0, startBytes: found.startBytes },
    nodes: blocks.map(({ own }) => own.node),
  };
}

/** Tensors in memory that do not belong to a control-flow body, in the order in which they are first there. */
function outerTensors({ graph, schedule, lives }: Scene): ReadonlySet<number> {
  const outputs = schedule.steps.flatMap(({ node, span }) => (span === undefined ? node.outputs : []));
  const all = [...graph.inputs, ...outputs];
  return new Set(all.filter((t): t is number => t !== undefined && lives.ranges[t] !== undefined));
}

function blocksOf({ schedule }: Scene, outer: ReadonlySet<number>): readonly Block[] {
  const blocks: { own: Step; end: number; reads: Set<number> }[] = [];
  for (const step of schedule.steps) {
    if (step.span === undefined) blocks.push({ own: step, end: step.step, reads: new Set() });
    const block = blocks.at(-1)!;
    block.end = step.step + 1;
    for (const tensor of step.reads) if (outer.has(tensor)) block.reads.add(tensor);
  }
  return blocks.map(({ own, end, reads }) => ({ own, end, reads: [...reads] }));
}

/** The choices of sharing if every tensor of the graph itself could be past its last reader. */
function choicesInAnyOrder(
  scene: Scene,
  outer: ReadonlySet<number>,
  kernels: KernelLibrary,
): readonly Choice[] {
  const ranges = scene.lives.ranges.map((range, tensor) =>
    range !== undefined && outer.has(tensor) ? { ...range, end: 0 } : range,
  );
  return aliasChoices({ ...scene, lives: { ...scene.lives, ranges } }, kernels);
}

interface Values {
  readonly values: readonly Value[];
  /** Values by root, with the bytes of it that they stand for. */
  readonly valuesOf: ReadonlyMap<number, readonly (Segment & { readonly value: number })[]>;
  readonly startBytes: number;
}

function valuesIn(scene: Scene, blocks: readonly Block[], contents: ReadonlyMap<number, Content>): Values {
  const { lives, external, options, outputs } = scene;
  const readers = new Map<number, number[]>();
  blocks.forEach(({ reads }, block) => {
    for (const tensor of reads) {
      const known = readers.get(tensor);
      if (known === undefined) readers.set(tensor, [block]);
      else known.push(block);
    }
  });
  const blockAt = new Map(blocks.map(({ own }, block) => [own.step, block]));
  const values: Value[] = [];
  const valuesOf = new Map<number, (Segment & { readonly value: number })[]>();
  let startBytes = 0;
  for (const segment of segmentsOf(contents)) {
    const { root, from, to, tensors } = segment;
    if (external.has(root)) continue;
    const { bytes: size } = contents.get(root)!;
    const bytes = to === size ? roundUp(size, options.sizeRound) - from : to - from;
    const always = options.asyncIo && outputs.has(root);
    const value: Value = {
      bytes,
      producer: always ? -1 : (blockAt.get(lives.definedAt[root]!) ?? -1),
      readers: [...new Set(tensors.flatMap((tensor) => readers.get(tensor) ?? []))],
      survives: tensors.some((tensor) => lives.survives.has(tensor)),
    };
    if (value.producer < 0 && value.readers.length === 0 && !value.survives) {
      startBytes += bytes;
      continue;
    }
    const known = valuesOf.get(root) ?? [];
    valuesOf.set(root, [...known, { ...segment, value: values.length }]);
    values.push(value);
  }
  return { values, valuesOf, startBytes };
}

/** By block: the ways to write its first output over what it reads. */
function overwritesIn(
  scene: Scene,
  blocks: readonly Block[],
  choices: readonly Choice[],
  contents: ReadonlyMap<number, Content>,
  { values, valuesOf }: Values,
): readonly (readonly Overwrite[])[] {
  const { inputs, options, external } = scene;
  const candidates = new Map<number, Candidate[]>();
  for (const choice of choices) {
    if (contents.get(choice.output)?.root !== choice.output) continue;
    const inPlace = choice.candidates.filter(({ kind }) => kind === 'in-place');
    const [first] = inPlace;
    if (first !== undefined) candidates.set(first.step, inPlace);
  }
  return blocks.map(({ own, reads }) =>
    (candidates.get(own.step) ?? []).flatMap(({ source, output }): Overwrite[] => {
      const from = contents.get(source);
      if (from === undefined || external.has(from.root)) return [];
      if (inputs.has(from.root) && !options.inPlaceInputs) return [];
      const shows = (tensor: number): boolean => {
        const { root, offset, bytes } = contents.get(tensor)!;
        return root === from.root && offset < from.offset + from.bytes && from.offset < offset + bytes;
      };
      if (reads.filter(shows).length !== 1) return [];
      const over = valuesOf.get(from.root)!.filter(({ tensors }) => tensors.includes(source));
      const bytes = (valuesOf.get(output) ?? []).reduce((sum, { value }) => sum + values[value]!.bytes, 0);
      return [{ over: over.map(({ value }) => value), bytes }];
    }),
  );
}

/** By block: the most bytes that tensors of its bodies need at once, views and in-place writes granted. */
function bytesInside(
  scene: Scene,
  blocks: readonly Block[],
  outer: ReadonlySet<number>,
  choices: readonly Choice[],
  { values }: Values,
): readonly number[] {
  const { schedule, lives, sizes, options } = scene;
  const deltas = new Float64Array(schedule.steps.length + 2);
  if (schedule.spans.length === 0) return blocks.map(() => 0);
  const source = new Map<number, number>();
  const overwriting = new Set<number>();
  for (const { output, candidates } of choices) {
    const view = candidates.find(({ kind }) => kind === 'view');
    const root = view === undefined ? output : (source.get(view.source) ?? view.source);
    if (root !== output && !carriedRound(scene, root, output)) source.set(output, root);
    else if (candidates.length > 0) overwriting.add(output);
  }
  const spans = new Map<number, { first: number; end: number }>();
  lives.ranges.forEach((range, tensor) => {
    const root = source.get(tensor) ?? tensor;
    if (range === undefined || outer.has(root) || outer.has(tensor)) return;
    if (sizes.get(root)!.bytes !== sizes.get(tensor)!.bytes) return;
    const span = spans.get(root) ?? { first: range.first, end: range.end };
    spans.set(root, { first: Math.min(span.first, range.first), end: Math.max(span.end, range.end) });
  });
  for (const [root, { first, end }] of spans) {
    const bytes = roundUp(sizes.get(root)!.bytes, options.sizeRound);
    deltas[overwriting.has(root) ? first + 1 : first]! += bytes;
    deltas[end]! -= bytes;
  }
  let live = 0;
  const levels = deltas.map((delta) => {
    live += delta;
    return live;
  });
  /** Outputs of the node that nobody reads: they are gone when its bodies run. */
  const unread = blocks.map(() => 0);
  for (const { producer, readers, survives, bytes } of values) {
    if (producer >= 0 && readers.length === 0 && !survives) unread[producer]! += bytes;
  }
  return blocks.map(({ own, end }, block) => {
    const most = levels.slice(own.step + 1, end).reduce((a, b) => Math.max(a, b), 0);
    return Math.max(levels[own.step]!, most - unread[block]!);
  });
}
