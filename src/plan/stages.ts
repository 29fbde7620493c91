/** Weights that are brought to RAM for their steps: buffers that live from the step before the first to the last. */

import { elementWidth } from '../graph/element-type.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { LiveRange, Schedule, TensorBuffer } from '../lifetime/types.ts';
import { lcm } from '../planner/arithmetic.ts';
import { readFromMemory } from '../weights/numbers.ts';
import { planConstants } from './constants.ts';
import type { Plan, PlanStep } from './types.ts';

/** Weights are brought for their steps. There is one model then. */
export function isStaged({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.some(({ weights }) => weights !== undefined);
}

/** Which steps read a constant, by its name: indexes on the axis of the schedule. */
export function readersOf(graph: TypedGraph, { steps }: Schedule): ReadonlyMap<string, readonly number[]> {
  const readers = new Map<string, number[]>();
  for (const { step, node } of steps) {
    for (const tensor of new Set([...node.inputs, ...(node.group?.parameters ?? [])])) {
      if (tensor === undefined) continue;
      const { name } = graph.tensors[tensor]!;
      const known = readers.get(name);
      if (known === undefined) readers.set(name, [step]);
      else known.push(step);
    }
  }
  return readers;
}

/**
 * One buffer for each weight that a step reads from memory, called after it. While a step runs with its own, the weights of the next
 * one are brought: so each lives from the step before its first reader. A step inside a body may run again, or not at
 * all: its weights are there for the whole control-flow node around it, and none are brought while it runs, but while
 * that node does. `line`: whole lines of the cache, for what a DMA engine writes.
 */
export function stagedBuffers(
  graph: TypedGraph,
  schedule: Schedule,
  { align, line }: { readonly align: number; readonly line: number },
): readonly TensorBuffer[] {
  const readers = readersOf(graph, schedule);
  const inMemory = readFromMemory(graph, schedule);
  const whole = wholeNodes(schedule);
  return planConstants(graph, schedule, 0).flatMap(({ name, type, bytes }): TensorBuffer[] => {
    const steps = readers.get(name) ?? [];
    if (!inMemory.has(name) || bytes === 0) return [];
    const wholes = steps.map((step) => whole[step]!);
    const first = Math.min(...wholes.map((one) => one.first));
    return [
      {
        id: name,
        kind: 'copy',
        first: first === 0 ? 0 : whole[first - 1]!.first,
        end: Math.max(...wholes.map((one) => one.end)),
        bytes: Math.ceil(bytes / line) * line,
        alignment: lcm(lcm(align, elementWidth(type)), line),
        members: [],
        // Brought once, and read by each step that needs it.
        moves: bytes * (1 + steps.length),
      },
    ];
  });
}

/**
 * The first step that needs each weight that is brought, by its name: the one that reads it first, or the outermost
 * control-flow node around that, which runs whether its bodies do or not.
 */
export function neededFrom(steps: readonly PlanStep[]): ReadonlyMap<string, number> {
  const needed = new Map<string, number>();
  let outermost = 0;
  for (const { step, path, weights = [] } of steps) {
    if (path === '') outermost = step;
    for (const name of weights) if (!needed.has(name)) needed.set(name, outermost);
  }
  return needed;
}

/** By step: itself, or all steps of the outermost control-flow node that it is or stands in. */
function wholeNodes({ steps, spans }: Schedule): readonly LiveRange[] {
  const wholes: LiveRange[] = steps.map(({ step }) => ({ first: step, end: step + 1 }));
  for (const { step, end, parent } of spans) {
    if (parent === undefined) wholes.fill({ first: step, end }, step, end);
  }
  return wholes;
}
