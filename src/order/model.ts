/** Turns a graph into the bare problem of ordering its steps, with the sharing that the lifetime part allows. */
import type { Node, TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import { aliasChoices } from '../lifetime/candidates.ts';
import { bufferBytes } from '../lifetime/cost.ts';
import { type Scene, sceneOf } from '../lifetime/scene.ts';
import type { Candidate, Choice, LifetimeOptions, Schedule } from '../lifetime/types.ts';
import { type Block, blocksOf, bytesInside } from './bodies.ts';
import {
  type Content,
  contains,
  contentsOf,
  meet,
  overwrites,
  rootOf,
  type Segment,
  segmentsOf,
} from './contents.ts';
import type { OrderProblem, OrderStep, Overwrite, Value } from './types.ts';

export interface OrderModel {
  readonly problem: OrderProblem;
  /** The node of each step of the problem. */
  readonly nodes: readonly Node[];
}

/**
 * How sharing counts. Every view is taken and costs nothing, and an output is written in place wherever its operand
 * dies. With views of whole tensors, that is what the best sharing needs. Beyond that, `ideal` never counts too much:
 * bytes of a tensor that only some views show are needed as long as those, the parts of a Concat are bytes of the
 * whole, and what shows an input that must not be written over, or a part that is still needed, may have been copied
 * from it; where tensors are joined, sizes are not rounded up. `plain` counts what is sure: views keep the whole tensor,
 * a Concat copies, and nothing is written over a part, or over what shows such an input. Inside control-flow bodies both
 * count ideally.
 */
export type SharingModel = 'ideal' | 'plain';

/** Throws the faults of `tensorSizes`. */
export function orderModel(
  graph: TypedGraph,
  schedule: Schedule,
  options: LifetimeOptions,
  kernels: KernelLibrary,
  sharing: SharingModel,
): OrderModel {
  const given = sceneOf(graph, schedule, options);
  const outer = outerTensors(given);
  const blocks = blocksOf(given, outer);
  const choices = choicesInAnyOrder(given, outer, kernels);
  const scene = sharing === 'ideal' && choices.some(isJoined) ? withBareSizes(given) : given;
  const contents = contentsOf(scene, choices, outer, sharing === 'ideal');
  const segments = segmentsOf(scene, contents, sharing === 'ideal');
  const found = valuesIn(scene, blocks, segments, { contents, choices });
  const inside = bytesInside(scene, blocks, outer, choices, unreadBytes(blocks, found.values));
  const writer = new Map(blocks.flatMap(({ own }, block) => own.writes.map((t) => [t, block] as const)));
  const ways = overwritesIn(scene, blocks, { contents, choices }, found, sharing);
  const steps = blocks.map(
    ({ reads }, block): OrderStep => ({
      after: [...new Set(reads.flatMap((tensor) => writer.get(tensor) ?? []))],
      extraBytes: inside[block]!,
      overwrites: ways[block]!,
    }),
  );
  // Inputs that nobody reads are gone when the bodies of the first node run.
  const bodiesFirst = blocks.some(
    ({ own, end }, block) => end > own.step + 1 && steps[block]!.after.length === 0,
  );
  const startBytes = sharing === 'ideal' && bodiesFirst ? 0 : found.startBytes;
  const problem = { steps, values: found.values, baseBytes: 0, startBytes };
  return { problem, nodes: blocks.map(({ own }) => own.node) };
}

function isJoined({ candidates }: Choice): boolean {
  return candidates.some(contains);
}

/** Where tensors are joined, what is rounded up, or stays unused behind a tensor, may come to lie inside another. */
function withBareSizes(scene: Scene): Scene {
  return { ...scene, options: { ...scene.options, sizeRound: 1, slack: 0 } };
}

/** Tensors in memory that belong to no control-flow body, in the order in which they are first there. */
function outerTensors({ graph, schedule, lives }: Scene): ReadonlySet<number> {
  const outputs = schedule.steps.flatMap(({ node, span }) => (span === undefined ? node.outputs : []));
  const all = [...graph.inputs, ...outputs];
  return new Set(all.filter((t): t is number => t !== undefined && lives.ranges[t] !== undefined));
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

interface Sharing {
  readonly contents: ReadonlyMap<number, Content>;
  readonly choices: readonly Choice[];
}

interface Values {
  readonly values: readonly Value[];
  /** Values by root, with the bytes of it that they stand for. */
  readonly valuesOf: ReadonlyMap<number, readonly (Segment & { readonly value: number })[]>;
  readonly startBytes: number;
}

function valuesIn(
  scene: Scene,
  blocks: readonly Block[],
  segments: readonly Segment[],
  { contents, choices }: Sharing,
): Values {
  const { lives, external, options, outputs } = scene;
  const readers = readersOf(blocks);
  const insideOthers = outputsInsideOthers(scene, choices, contents);
  const blockAt = new Map(blocks.map(({ own }, block) => [own.step, block]));
  const values: Value[] = [];
  const valuesOf = new Map<number, (Segment & { readonly value: number })[]>();
  let startBytes = 0;
  for (const segment of segments) {
    const { root, from, to, tensors } = segment;
    if (external.has(root)) continue;
    const size = scene.sizes[root]!.bytes;
    // The end of a tensor may have been copied from it, and needs less behind it then.
    const padded = from === 0 && to === size && !insideOthers.has(root);
    const always = options.asyncIo && outputs.has(root);
    const value: Value = {
      bytes: (padded ? bufferBytes(scene, root) : to) - from,
      producer: always ? -1 : (blockAt.get(lives.definedAt[root]!) ?? -1),
      readers: [...new Set(tensors.flatMap((tensor) => readers.get(tensor) ?? []))],
      survives: tensors.some((tensor) => lives.survives.has(tensor)),
    };
    if (value.producer < 0 && value.readers.length === 0 && !value.survives) {
      startBytes += value.bytes;
      continue;
    }
    const known = valuesOf.get(root) ?? [];
    known.push({ ...segment, value: values.length });
    valuesOf.set(root, known);
    values.push(value);
  }
  return { values, valuesOf, startBytes };
}

function readersOf(blocks: readonly Block[]): ReadonlyMap<number, readonly number[]> {
  const readers = new Map<number, number[]>();
  blocks.forEach(({ reads }, block) => {
    for (const tensor of reads) {
      const known = readers.get(tensor);
      if (known === undefined) readers.set(tensor, [block]);
      else known.push(block);
    }
  });
  return readers;
}

/**
 * Outputs that may be written over a part of a tensor, and tensors that may be a part of a whole, with all they are
 * written over: nothing needs to stay unused behind them.
 */
function outputsInsideOthers(
  scene: Scene,
  choices: readonly Choice[],
  contents: ReadonlyMap<number, Content>,
): ReadonlySet<number> {
  const inside = new Set<number>();
  const add = (tensor: number): void => {
    for (const { root } of contents.get(tensor) ?? []) inside.add(root);
    inside.add(tensor);
  };
  const isInside = (tensor: number): boolean =>
    isPartOf(scene, contents.get(tensor)) ||
    (contents.get(tensor) ?? []).some(({ root }) => inside.has(root));
  for (const { output, candidates } of choices) {
    for (const candidate of candidates) {
      if (contains(candidate) || (overwrites(candidate) && isInside(candidate.source))) add(output);
    }
  }
  for (const { output, candidates } of choices.toReversed()) {
    for (const candidate of candidates) {
      if (overwrites(candidate) && inside.has(output)) add(candidate.source);
    }
  }
  return inside;
}

/** The bytes are not all of those of a tensor, or come from several. */
function isPartOf({ sizes }: Scene, content: Content | undefined): boolean {
  const root = rootOf(content);
  return content !== undefined && (root === undefined || content[0]!.bytes < sizes[root]!.bytes);
}

/** By block: bytes of outputs that nobody reads. */
function unreadBytes(blocks: readonly Block[], values: readonly Value[]): readonly number[] {
  const unread = blocks.map(() => 0);
  for (const { producer, readers, survives, bytes } of values) {
    if (producer >= 0 && readers.length === 0 && !survives) unread[producer]! += bytes;
  }
  return unread;
}

/** By block: the ways to write its first output over what it reads. */
function overwritesIn(
  scene: Scene,
  blocks: readonly Block[],
  { contents, choices }: Sharing,
  { values, valuesOf }: Values,
  sharing: SharingModel,
): readonly (readonly Overwrite[])[] {
  const { inputs, options, external } = scene;
  const candidates = new Map<number, readonly Candidate[]>();
  for (const choice of choices) {
    if (rootOf(contents.get(choice.output)) !== choice.output) continue;
    const inPlace = choice.candidates.filter(overwrites);
    const [first] = inPlace;
    if (first !== undefined) candidates.set(first.step, inPlace);
  }
  return blocks.map(({ own, reads }) =>
    (candidates.get(own.step) ?? []).flatMap(({ source, output }): readonly Overwrite[] => {
      const from = contents.get(source);
      if (from === undefined) return [];
      const ideal = sharing === 'ideal';
      const owners = ideal ? [source] : from.map(({ root }) => root);
      if (owners.some((owner) => inputs.has(owner)) && !options.inPlaceInputs) return [];
      const roots = [...new Set(from.map(({ root }) => root))];
      const all = roots
        .flatMap((root) => valuesOf.get(root) ?? [])
        .filter(({ tensors }) => tensors.includes(source));
      const bytes = (valuesOf.get(output) ?? []).reduce((sum, { value }) => sum + values[value]!.bytes, 0);
      const isOwn = (tensor: number): boolean => tensor === source || !reads.includes(tensor);
      if (ideal) {
        const free = all.filter(({ tensors }) => tensors.every(isOwn)).map(({ value }) => value);
        return piecewise(values, free, free.length === all.length, {
          bytes,
          padding: bytes - scene.sizes[output]!.bytes,
        });
      }
      if (from.some(({ root }) => external.has(root)) || isPartOf(scene, from)) return [];
      if (reads.filter((tensor) => meet(contents.get(tensor)!, from)).length !== 1) return [];
      return [{ over: all.map(({ value }) => value), bytes }];
    }),
  );
}

/** Of so many pieces every set is told apart. */
const MOST_PIECES = 4;

/**
 * The operand may have been copied from its pieces, and the copy written over while some of them are still needed: of
 * the bytes that the output takes, those of the pieces that are not needed are spared. Of many pieces one that is not
 * needed counts as all: that is too little, and never too much.
 */
function piecewise(
  values: readonly Value[],
  pieces: readonly number[],
  isWhole: boolean,
  { bytes, padding }: { readonly bytes: number; readonly padding: number },
): readonly Overwrite[] {
  if (pieces.length > MOST_PIECES) return pieces.map((piece) => ({ over: [piece], bytes }));
  const sets: number[][] = [[]];
  for (const piece of pieces) sets.push(...sets.map((set) => [...set, piece]));
  return sets.slice(1).map((over): Overwrite => {
    if (isWhole && over.length === pieces.length) return { over, bytes };
    const spared = over.reduce((sum, value) => sum + values[value]!.bytes, padding);
    return { over, bytes: Math.min(bytes, spared) };
  });
}
