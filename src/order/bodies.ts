/** What a step needs for itself alone: scratch, and the tensors inside control-flow bodies. */
import { bufferBytes } from '../lifetime/cost.ts';
import type { Scene } from '../lifetime/scene.ts';
import { carriedRound } from '../lifetime/sharing.ts';
import type { Choice, Step } from '../lifetime/types.ts';
import { contains, overwrites, shows } from './contents.ts';

/** A node of the graph with the steps of its bodies, which move with it: steps [first, end) of the schedule. */
export interface Block {
  readonly own: Step;
  readonly end: number;
  /** Tensors of the graph itself that its steps read. */
  readonly reads: readonly number[];
}

/** The graph's own nodes in the order of the schedule. `outer`: tensors that belong to no body and are no scratch. */
export function blocksOf({ schedule }: Scene, outer: ReadonlySet<number>): readonly Block[] {
  const blocks: { own: Step; end: number; reads: Set<number> }[] = [];
  for (const step of schedule.steps) {
    if (step.span === undefined) blocks.push({ own: step, end: step.step, reads: new Set() });
    const block = blocks.at(-1)!;
    block.end = step.step + 1;
    for (const tensor of step.reads) if (outer.has(tensor)) block.reads.add(tensor);
  }
  return blocks.map(({ own, end, reads }) => ({ own, end, reads: [...reads] }));
}

/**
 * By block: the most bytes that its other tensors need at once, views and in-place writes granted. `unread`: bytes
 * of outputs of the node that nobody reads, which are gone when its bodies run.
 */
export function bytesInside(
  scene: Scene,
  blocks: readonly Block[],
  outer: ReadonlySet<number>,
  choices: readonly Choice[],
  unread: readonly number[],
): readonly number[] {
  const live = innerBytes(scene, outer, choices);
  return blocks.map(({ own, end }, block) => {
    const later = live.slice(own.step + 1, end).reduce((most, bytes) => Math.max(most, bytes), 0);
    return Math.max(live[own.step]!, later - unread[block]!);
  });
}

/** By step of the schedule: bytes of live tensors that are not of the graph itself. */
function innerBytes(scene: Scene, outer: ReadonlySet<number>, choices: readonly Choice[]): Float64Array {
  const { schedule, lives, sizes } = scene;
  const source = new Map<number, number>();
  const overwriting = new Set<number>();
  const joined = new Set<number>();
  for (const { output, candidates } of choices) {
    if (candidates.some(contains)) joined.add(source.get(output) ?? output);
    const view = candidates.find(shows);
    const root = view === undefined ? output : (source.get(view.source) ?? view.source);
    if (root !== output && !carriedRound(scene, root, output)) source.set(output, root);
    else if (candidates.some(overwrites)) overwriting.add(output);
  }
  const spans = new Map<number, { first: number; end: number }>();
  lives.ranges.forEach((range, tensor) => {
    const root = source.get(tensor) ?? tensor;
    if (range === undefined || outer.has(root) || outer.has(tensor)) return;
    // Of a part alone the rest may be gone, and a part of a Concat may lie in the whole.
    if (joined.has(root)) return;
    if (sizes[root]!.bytes !== sizes[tensor]!.bytes) return;
    const span = spans.get(root) ?? { first: range.first, end: range.end };
    spans.set(root, { first: Math.min(span.first, range.first), end: Math.max(span.end, range.end) });
  });
  const deltas = new Float64Array(schedule.steps.length + 2);
  for (const [root, { first, end }] of spans) {
    // Until it is written, what may be written over another tensor needs no bytes of its own: neither during its
    // step, nor before it where a loop keeps its place from turn to turn.
    const start = overwriting.has(root) ? lives.definedAt[root]! + 1 : first;
    if (start >= end) continue;
    const bytes = bufferBytes(scene, root);
    deltas[start]! += bytes;
    deltas[end]! -= bytes;
  }
  let live = 0;
  return deltas.map((delta) => {
    live += delta;
    return live;
  });
}
