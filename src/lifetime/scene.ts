/** Gathers what the rules of sharing look at: live ranges, sizes, and who owns what. */

import { elementWidth } from '../graph/element-type.ts';
import type { Body, Fact, TypedGraph } from '../graph/types.ts';
import { lcm } from '../planner/arithmetic.ts';
import { type Lives, liveRanges } from './ranges.ts';
import { type Sizes, tensorSizes } from './sizes.ts';
import type { LifetimeOptions, Schedule } from './types.ts';

/** Tensors by index in `Graph.tensors`. */
export interface Scene {
  readonly graph: TypedGraph;
  readonly schedule: Schedule;
  readonly lives: Lives;
  readonly sizes: Sizes;
  readonly options: LifetimeOptions;
  readonly inputs: ReadonlySet<number>;
  readonly outputs: ReadonlySet<number>;
  /** Owned by the caller: never written over, never placed inside another tensor. */
  readonly external: ReadonlySet<number>;
  /** The body of the Loop or Scan that a body input belongs to. */
  readonly loops: ReadonlyMap<number, Body>;
  /** Inputs and outputs of bodies. */
  readonly handed: ReadonlySet<number>;
}

/** Throws the faults of `tensorSizes`. */
export function sceneOf(graph: TypedGraph, schedule: Schedule, options: LifetimeOptions): Scene {
  const lives = liveRanges(graph, schedule, options);
  const alive = [...lives.ranges.keys()].filter((tensor) => lives.ranges[tensor] !== undefined);
  const inputs = new Set(graph.inputs);
  const outputs = new Set(graph.outputs);
  const outside = options.io === 'external' ? [...inputs, ...outputs] : [];
  const loops = new Map<number, Body>();
  for (const { repeats, bodies } of schedule.spans) {
    if (repeats) for (const { body } of bodies) for (const input of body.inputs) loops.set(input, body);
  }
  const bodies = schedule.spans.flatMap((span) => span.bodies.map(({ body }) => body));
  return {
    graph,
    schedule,
    lives,
    sizes: tensorSizes(graph, alive),
    options,
    inputs,
    outputs,
    external: new Set(outside),
    loops,
    handed: new Set(bodies.flatMap((body) => [...body.inputs, ...body.outputs])),
  };
}

/** Nothing may be written into the place of a graph input that the caller owns or wants untouched. */
export function isLocked({ inputs, options, external }: Scene, root: number): boolean {
  return external.has(root) || (inputs.has(root) && !options.inPlaceInputs);
}

/** Offset alignment of a tensor in bytes. */
export function alignmentOf(fact: Fact, options: LifetimeOptions): number {
  return options.alignExactly ? options.align : lcm(options.align, elementWidth(fact.type));
}

/** Offset alignment of scratch in bytes: kernels put numbers of several widths there. */
export function scratchAlignment({ align, alignExactly, scratchAlign = 1 }: LifetimeOptions): number {
  return alignExactly ? align : lcm(align, scratchAlign);
}
