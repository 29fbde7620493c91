/** Computes when each tensor is alive: from the step that writes it to the last step that may read it. */
import type { TypedGraph } from '../graph/types.ts';
import { constantTensors } from './constants.ts';
import type { LifetimeOptions, LiveRange, Schedule } from './types.ts';

/** All three by tensor index; a constant, or a tensor that no step touches, has no range. */
export interface Lives {
  readonly ranges: readonly (LiveRange | undefined)[];
  /** The step that writes the tensor; -1 for graph inputs. */
  readonly definedAt: readonly number[];
  /** Bytes that must still be there after the last step: outputs, kept tensors, preserved inputs. */
  readonly survives: ReadonlySet<number>;
}

type RangeOptions = Pick<LifetimeOptions, 'asyncIo' | 'preserveInputs' | 'keep'>;

/**
 * Half-open live ranges. A graph input lives from step 0, a graph output to the end, an output that nobody reads
 * during its own step, as does scratch, an unread input during step 0. What a control-flow node reads, and what its bodies read
 * from outside, lives through all its body steps; the result of a branch to the end of that branch; what a Loop or
 * Scan carries round, in both directions, through all its body steps.
 */
export function liveRanges(graph: TypedGraph, schedule: Schedule, options: RangeOptions): Lives {
  const { steps, spans } = schedule;
  const constants = constantTensors(graph);
  const inputs = graph.inputs.filter((tensor) => !constants.has(tensor));
  const outputs = graph.outputs.filter((tensor) => !constants.has(tensor));
  const definedAt = new Array<number>(graph.tensors.length).fill(-1);
  const first = new Array<number | undefined>(graph.tensors.length).fill(undefined);
  const last = new Array<number>(graph.tensors.length).fill(-1);
  const until = (tensor: number, step: number): void => {
    last[tensor] = Math.max(last[tensor]!, step);
  };

  for (const tensor of inputs) first[tensor] = 0;
  for (const { step, writes, scratch } of steps) {
    for (const tensors of [writes, scratch]) {
      for (const tensor of tensors) {
        definedAt[tensor] = step;
        first[tensor] = step;
        until(tensor, step);
      }
    }
  }

  const ownSpan = new Map(spans.map((span) => [span.step, span]));
  for (const { step, reads, span } of steps) {
    for (const tensor of reads) {
      until(tensor, (ownSpan.get(step)?.end ?? step + 1) - 1);
      for (let at = span; at !== undefined; at = spans[at]!.parent) {
        if (definedAt[tensor]! <= spans[at]!.step) until(tensor, spans[at]!.end - 1);
      }
    }
  }
  for (const span of spans) {
    for (const { body, end } of span.bodies) {
      for (const tensor of body.outputs) {
        if (definedAt[tensor]! <= span.step) continue;
        until(tensor, end - 1);
        if (span.repeats) first[tensor] = span.step + 1;
      }
      for (const tensor of span.repeats ? body.inputs : []) until(tensor, span.end - 1);
    }
  }

  const survives = new Set([
    ...outputs,
    ...[...options.keep].filter((tensor) => first[tensor] !== undefined),
  ]);
  if (options.preserveInputs || options.asyncIo) for (const tensor of inputs) survives.add(tensor);
  for (const tensor of survives) until(tensor, steps.length);
  if (options.asyncIo) for (const tensor of outputs) first[tensor] = 0;

  const ranges = first.map((start, tensor) => {
    if (start === undefined) return undefined;
    return { first: start, end: Math.max(start + 1, Math.min(last[tensor]! + 1, steps.length)) };
  });
  return { ranges, definedAt, survives };
}
