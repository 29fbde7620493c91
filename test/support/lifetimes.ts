/** Runs the stages of the lifetime part on a sketch and answers by name. */
import { none } from '../../src/kernels/none.ts';
import { buildBuffers } from '../../src/lifetime/buffers.ts';
import { liveRanges } from '../../src/lifetime/ranges.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import type { LifetimeOptions, TensorBuffer } from '../../src/lifetime/types.ts';
import { type GraphSketch, graphOf } from './graphs.ts';

export interface OptionSketch extends Partial<Omit<LifetimeOptions, 'keep'>> {
  readonly keep?: readonly string[];
}

export const NO_SHARING: OptionSketch = { views: false, inPlace: false };

export function optionsOf(
  sketch: GraphSketch,
  { keep = [], ...options }: OptionSketch = {},
): LifetimeOptions {
  const names = Object.keys(sketch.tensors);
  return {
    align: 1,
    alignExactly: true,
    sizeRound: 1,
    io: 'arena',
    asyncIo: false,
    preserveInputs: false,
    views: true,
    inPlace: true,
    inPlaceInputs: true,
    elide: true,
    ...options,
    keep: new Set(keep.map((name) => names.indexOf(name))),
  };
}

/** `step: Op reads -> writes` */
export function stepsOf(sketch: GraphSketch): readonly string[] {
  const graph = graphOf(sketch);
  const names = (tensors: readonly number[]): string => tensors.map((t) => graph.tensors[t]!.name).join(' ');
  return scheduleSteps(graph).steps.map(
    ({ step, node, path, reads, writes }) =>
      `${step}: ${path === '' ? '' : `${path}: `}${node.op} ${names(reads)} -> ${names(writes)}`,
  );
}

/** Tensors that live, with their half-open ranges. */
export function rangesOf(
  sketch: GraphSketch,
  options?: OptionSketch,
): Record<string, readonly [number, number]> {
  const graph = graphOf(sketch);
  const { ranges } = liveRanges(graph, scheduleSteps(graph), optionsOf(sketch, options));
  return Object.fromEntries(
    ranges.flatMap((range, tensor) =>
      range === undefined ? [] : [[graph.tensors[tensor]!.name, [range.first, range.end] as const]],
    ),
  );
}

/** The buffers, and what lies outside. */
export function buffersOf(sketch: GraphSketch, options?: OptionSketch): ReturnType<typeof buildBuffers> {
  const graph = graphOf(sketch);
  return buildBuffers(graph, scheduleSteps(graph), optionsOf(sketch, options), none);
}

/** Which tensors share: `x a y` for one buffer, in the order in which they are first alive. */
export function groupsOf(sketch: GraphSketch, options?: OptionSketch): readonly string[] {
  const names = Object.keys(sketch.tensors);
  return buffersOf(sketch, options).buffers.map(({ members }) =>
    members.map(({ tensor }) => names[tensor]).join(' '),
  );
}

/** Largest sum of live bytes: what the choice of aliases is for. */
export function peakOf(buffers: readonly TensorBuffer[]): number {
  const steps = Math.max(...buffers.map(({ end }) => end));
  const live = Array.from({ length: steps }, (_, step) =>
    buffers.reduce((sum, { first, end, bytes, gaps = [] }) => {
      const free = gaps.filter((gap) => gap.first <= step && step < gap.end);
      const held = bytes - free.reduce((most, { from, to }) => most + to - from, 0);
      return sum + (first <= step && step < end ? held : 0);
    }, 0),
  );
  return Math.max(...live);
}
