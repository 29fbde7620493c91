/** Chooses the order of the steps: the one of the file, or the one with the smallest peak. */
import type { Diagnostic } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import type { Buffers, LifetimeOptions, Schedule } from '../lifetime/types.ts';
import { lowerBound } from '../planner/bound.ts';
import type { Solution } from '../planner/types.ts';
import { type OrderModel, orderModel } from './model.ts';
import { betterOrderNote, type Outcome, onlyOrderNote, outcomeNote } from './notes.ts';
import { hasOneOrder } from './one-order.ts';
import { orderSteps } from './solve.ts';

/** A graph in one order, with a place for each of its tensors. */
export interface Laid {
  readonly graph: TypedGraph;
  readonly schedule: Schedule;
  readonly buffers: Buffers;
  readonly solution: Solution;
}

export interface OrderSettings {
  readonly schedule: 'model' | 'min-peak';
  /** With `model`: say when another order would save bytes. */
  readonly mention: boolean;
  /** Steps that the search may try; undefined: as many as take a few seconds. */
  readonly effort: number | undefined;
  readonly lifetime: LifetimeOptions;
  readonly kernels: KernelLibrary;
  /** Asked now and then during a search: true ends it with the best order so far. */
  readonly interrupted?: () => boolean;
}

export interface Chosen<T extends Laid> {
  readonly laid: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Without the flag a better order is looked for in graphs of up to so many steps, and by so many tries. */
const MENTION_STEPS = 3000;
const MENTION_MOVES = 10_000;
/** Savings below this share of the arena are not mentioned. */
const MENTION_SHARE = 0.01;

/**
 * Lays the graph out in the order of the file, and with `min-peak` in the one that the search finds as well; the
 * smaller arena is taken, the file's order among equals. The note says what was gained; with `model` that there is
 * something to gain.
 */
export function chooseOrder<T extends Laid>(
  graph: TypedGraph,
  layOut: (graph: TypedGraph) => T,
  settings: OrderSettings,
): Chosen<T> {
  if (settings.schedule === 'min-peak') return best(graph, layOut, settings);
  const laid = layOut(graph);
  return { laid, diagnostics: settings.mention ? mention(graph, laid, layOut, settings) : [] };
}

/** A note if a short search finds a better order. */
function mention<T extends Laid>(
  graph: TypedGraph,
  given: T,
  layOut: (graph: TypedGraph) => T,
  { lifetime, kernels, interrupted }: OrderSettings,
): readonly Diagnostic[] {
  const { schedule, solution } = given;
  if (schedule.steps.length > MENTION_STEPS || hasOneOrder(schedule)) return [];
  const model = orderModel(given.graph, schedule, lifetime, kernels, 'ideal');
  const share = 1 - MENTION_SHARE;
  const options = { moves: MENTION_MOVES, worth: share, interrupted };
  const { order, peak, givenPeak } = orderSteps(model.problem, options);
  if (peak >= givenPeak * share) return [];
  const after = layOut(reordered(graph, model, order)).solution.bytes;
  return after < solution.bytes * share ? [betterOrderNote(solution.bytes, after)] : [];
}

function best<T extends Laid>(
  graph: TypedGraph,
  layOut: (graph: TypedGraph) => T,
  { lifetime, kernels, effort, interrupted }: OrderSettings,
): Chosen<T> {
  const given = layOut(graph);
  if (hasOneOrder(given.schedule)) return { laid: given, diagnostics: [onlyOrderNote()] };
  let laid = given;
  let least = 0;
  for (const sharing of ['ideal', 'plain'] as const) {
    const model = orderModel(given.graph, given.schedule, lifetime, kernels, sharing);
    const found = orderSteps(model.problem, { moves: effort, interrupted });
    if (sharing === 'ideal') least = found.lowerBound;
    if (found.peak < found.givenPeak) {
      const other = layOut(reordered(graph, model, found.order));
      if (other.solution.bytes < laid.solution.bytes) laid = other;
    }
    // The model asks for no more than the buffers do: another model would change nothing.
    if (livePeak(laid) <= found.peak) break;
  }
  const outcome: Outcome = {
    before: given.solution.bytes,
    after: laid.solution.bytes,
    peak: livePeak(laid),
    least,
  };
  return { laid, diagnostics: [outcomeNote(outcome)] };
}

/** The graph with its nodes in another order; those that are no steps stand first. */
function reordered(graph: TypedGraph, { nodes }: OrderModel, order: readonly number[]): TypedGraph {
  const steps = new Set(nodes);
  const others = graph.nodes.filter((node) => !steps.has(node));
  return { ...graph, nodes: [...others, ...order.map((step) => nodes[step]!)] };
}

/** The most bytes live at once, whatever the alignment. */
function livePeak({ buffers }: Laid): number {
  return lowerBound({ buffers: buffers.buffers.map((buffer) => ({ ...buffer, alignment: 1 })) }).bytes;
}
