/** Checks live ranges against the reads and writes of the steps: exactly as long as the contract says. */
import type { Diagnostic } from '../errors.ts';
import type { PlanTensor } from '../plan/types.ts';
import type { Bodies } from './bodies.ts';
import { fault } from './fault.ts';
import type { Index } from './index-plan.ts';

/**
 * A range that is too short lets others overwrite the tensor; one that is too long means that a read is missing from
 * the steps, or that memory is wasted. A missing read that is not the last one changes no range and harms nothing.
 */
export function livenessFaults(index: Index, bodies: Bodies): readonly Diagnostic[] {
  const reads = new Map<PlanTensor, number[]>();
  for (const { step } of index.plan.steps) {
    for (const tensor of index.uses(step).reads) {
      const known = reads.get(tensor);
      if (known === undefined) reads.set(tensor, [step]);
      else known.push(step);
    }
  }
  return index.plan.tensors.flatMap((tensor) => {
    const writer = index.writer(tensor);
    if (writer === undefined)
      return [fault(`Nothing writes tensor ${tensor.name}.`, { tensor: tensor.name })];
    return rangeFaults(index, bodies, tensor, writer, reads.get(tensor) ?? NEVER);
  });
}

const NEVER: readonly number[] = [];

function rangeFaults(
  index: Index,
  bodies: Bodies,
  tensor: PlanTensor,
  writer: number,
  reads: readonly number[],
): readonly Diagnostic[] {
  const { name, first, end } = tensor;
  const faults: Diagnostic[] = [];
  const say = (text: string): void => void faults.push(fault(text, { tensor: name }));
  for (const step of reads) {
    if (step <= writer) say(`Step ${step} reads ${name}, which is written only at step ${writer}.`);
    if (step < first || step >= end) {
      say(`Tensor ${name} is read at step ${step}, but its live range is [${first},${end}).`);
    }
  }
  if (first !== startOf(index, bodies, tensor, writer)) {
    say(`Tensor ${name} is written at step ${writer}, but its live range begins at ${first}.`);
  }
  const lastUse = lastUseOf(index, bodies, tensor, writer, reads);
  const needed = Math.max(first + 1, Math.min(lastUse + 1, limitOf(index, tensor)));
  if (end < needed) {
    const until = lastUse >= limitOf(index, tensor) ? 'to the end' : `until step ${lastUse}`;
    say(`Tensor ${name} is needed ${until}, but its live range ends before step ${end}.`);
  }
  if (end > needed) {
    say(
      `Tensor ${name} lives until before step ${end}, but nothing is known to use it after step ${lastUse}: ` +
        'a read is missing, or the range is too long.',
    );
  }
  return faults;
}

function startOf(index: Index, { results }: Bodies, tensor: PlanTensor, writer: number): number {
  const { first } = index.stretch(tensor.model);
  const part = index.part(tensor.model);
  const state = index.state(tensor);
  if (state === 'kept' || state === 'copied') return 0;
  if (state !== undefined) return Math.max(writer, first);
  if (isFilled(index, tensor)) return part.first;
  // What is held is there before its own model runs, where models before it on the axis may run after it.
  if (index.stays(tensor) && part.order === 'any' && first > part.first) return part.first;
  const body = results.get(tensor);
  // The next turn of a loop receives what this one made: the value is there from the first step on.
  return body?.repeats === true ? body.first : Math.max(writer, first);
}

/** Filled or drained while the models run. */
function isFilled(index: Index, tensor: PlanTensor): boolean {
  return index.assumptions(tensor.model).asyncIo && (index.isInput(tensor) || index.isOutput(tensor));
}

/** No live range goes beyond it. */
function limitOf(index: Index, tensor: PlanTensor): number {
  const state = index.state(tensor);
  if (state === 'kept' || state === 'copied') return index.end;
  if (state !== undefined) return index.stretch(tensor.model).end;
  return index.stays(tensor) ? index.part(tensor.model).end : beyond(index, tensor);
}

/** The end of its model, or the start of the model that is handed the tensor. */
function beyond(index: Index, tensor: PlanTensor): number {
  return Math.max(index.stretch(tensor.model).end, index.handedAt(tensor) ?? 0);
}

/** The last step at which somebody may look at the tensor. */
function lastUseOf(
  index: Index,
  { around, results, received }: Bodies,
  tensor: PlanTensor,
  writer: number,
  reads: readonly number[],
): number {
  if (index.stays(tensor)) return limitOf(index, tensor);
  if (index.survives(tensor)) return beyond(index, tensor);
  let last = Math.max(writer, (results.get(tensor)?.end ?? 0) - 1, (received.get(tensor)?.allEnd ?? 0) - 1);
  for (const step of reads) {
    last = Math.max(last, index.bodiesEnd(step) - 1);
    // What came into a body from outside is needed until all bodies of that node are done.
    for (const extent of around[step]!) if (writer <= extent.step) last = Math.max(last, extent.allEnd - 1);
  }
  return last;
}
