/** A plan prepared for drawing: one box per buffer and region, with its look, its name and what it rests on. */
import type { Plan, PlanBuffer, PlanRegion, PlanTensor } from '../../plan/types.ts';
import { bufferName, largest, membersOf } from '../buffer-name.ts';
import { usageOf } from '../usage.ts';
import { type Look, lookOf } from './families.ts';
import { heldBytes, type Piece, piecesOf } from './shape.ts';
import { supports } from './support.ts';
import { type Turn, turnsOf } from './turns.ts';

/** Beyond so many boxes in a region the ones with the least bytes times steps are not drawn. */
export const MOST_BOXES = 5000;

export interface Box {
  readonly buffer: PlanBuffer;
  readonly look: Look;
  /** As `bufferName` says; a buffer without tensors is named after its node. */
  readonly name: string;
  readonly pieces: readonly Piece[];
  /** In the order of their first steps. */
  readonly tensors: readonly PlanTensor[];
  /** Ids of the buffers that it rests on. */
  readonly restsOn: readonly number[];
}

export interface RegionScene {
  readonly region: PlanRegion;
  /** What the network may use of it: capacity less what is reserved; null: not known. */
  readonly available: number | null;
  /** Bytes that the address axis spans. */
  readonly span: number;
  /** In the order of their first steps, then of their offsets. */
  readonly boxes: readonly Box[];
  /** Buffers too small to be drawn. */
  readonly omitted: number;
  /** Live bytes by step. */
  readonly live: readonly number[];
}

export interface Scene {
  /** Steps that the time axis spans; at least one. */
  readonly steps: number;
  readonly regions: readonly RegionScene[];
  /** Whose steps they are; none for a single model. */
  readonly turns: readonly Turn[];
  /** Every buffer of the plan by its id, drawn or not. */
  readonly boxes: ReadonlyMap<number, Box>;
}

/** Linear in buffers and tensors but for sorting. */
export function sceneOf(plan: Plan, most = MOST_BOXES): Scene {
  const steps = Math.max(1, plan.steps.length);
  const members = membersOf(plan);
  const usage = usageOf(plan);
  const boxes = new Map<number, Box>();
  const regions = plan.regions.map((region): RegionScene => {
    const buffers = plan.buffers.filter((buffer) => buffer.region === region.name);
    const under = supports(buffers);
    const all = buffers.map((buffer) =>
      boxOf(plan, buffer, members.get(buffer.id)!, usage, under.get(buffer.id)!),
    );
    for (const box of all) boxes.set(box.buffer.id, box);
    const seen = all.filter(({ pieces }) => pieces.length > 0);
    const drawn = seen.length <= most ? seen : [...seen].sort((a, b) => area(b) - area(a)).slice(0, most);
    const available = region.capacity === null ? null : Math.max(0, region.capacity - region.reserved);
    return {
      region,
      available,
      span: spanOf(region.used, available),
      boxes: [...drawn].sort(
        (a, b) =>
          a.buffer.first - b.buffer.first || a.buffer.offset - b.buffer.offset || a.buffer.id - b.buffer.id,
      ),
      omitted: seen.length - drawn.length,
      live: liveBytes(buffers, steps),
    };
  });
  return { steps, regions, turns: turnsOf(plan), boxes };
}

/** Ids of the buffers that have a box in the picture. */
export function drawnIds({ regions }: Scene): ReadonlySet<number> {
  return new Set(regions.flatMap(({ boxes }) => boxes.map(({ buffer }) => buffer.id)));
}

function boxOf(
  plan: Plan,
  buffer: PlanBuffer,
  members: readonly PlanTensor[],
  usage: ReturnType<typeof usageOf>,
  restsOn: readonly number[],
): Box {
  const tensors = [...members].sort((a, b) => a.first - b.first || b.bytes - a.bytes);
  const main = largest(tensors);
  const writer = main === undefined ? undefined : usage(main).writer;
  const step = writer ?? plan.steps[buffer.first];
  const name =
    bufferName(plan, buffer, tensors) ??
    (step === undefined ? buffer.kind : `${buffer.kind} of ${step.node}`);
  const look = lookOf(buffer.kind, writer?.op);
  return { buffer, look, name, pieces: piecesOf(buffer), tensors, restsOn };
}

function area({ buffer }: Box): number {
  return buffer.bytes * (buffer.end - buffer.first);
}

const HEADROOM = 1.35;

/** The limit belongs to the picture unless that would squash the plan. */
function spanOf(used: number, available: number | null): number {
  const limit = available !== null && available <= used * HEADROOM ? available : 0;
  return Math.max(1, used, limit);
}

function liveBytes(buffers: readonly PlanBuffer[], steps: number): readonly number[] {
  const changes = new Array<number>(steps + 1).fill(0);
  for (const buffer of buffers) {
    for (const { first, end, bytes } of heldBytes(buffer)) {
      changes[first]! += bytes;
      changes[Math.min(end, steps)]! -= bytes;
    }
  }
  let sum = 0;
  return changes.slice(0, steps).map((change) => (sum += change));
}
