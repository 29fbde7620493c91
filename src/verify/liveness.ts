/** Checks live ranges against the reads and writes of the steps: exactly as long as the contract says. */
import type { Diagnostic } from '../errors.ts';
import type { PlanStep, PlanTensor } from '../plan/types.ts';
import { fault } from './fault.ts';
import { bodiesEnd, type Index, isDeeper, repeats } from './index-plan.ts';

/** A control-flow node's own step and one past the last step of its bodies. */
interface Extent {
  readonly step: number;
  readonly end: number;
}

/**
 * A range that is too short lets others overwrite the tensor; one that is too long means that a read is missing from
 * the steps, or that memory is wasted. A missing read that is not the last one changes no range and harms nothing.
 */
export function livenessFaults(index: Index): readonly Diagnostic[] {
  const { steps, tensors } = index.plan;
  const extents = enclosing(steps);
  const reads = new Map<PlanTensor, number[]>();
  for (const { step, model, reads: names } of steps) {
    for (const name of names) {
      const tensor = index.tensor(model, name)!;
      const known = reads.get(tensor);
      if (known === undefined) reads.set(tensor, [step]);
      else known.push(step);
    }
  }
  return tensors.flatMap((tensor) => {
    const writer = index.writer(tensor);
    if (writer === undefined)
      return [fault(`Nothing writes tensor ${tensor.name}.`, { tensor: tensor.name })];
    return rangeFaults(index, extents, tensor, writer, reads.get(tensor) ?? []);
  });
}

function rangeFaults(
  index: Index,
  extents: readonly (readonly Extent[])[],
  tensor: PlanTensor,
  writer: number,
  reads: readonly number[],
): readonly Diagnostic[] {
  const { steps } = index.plan;
  const { name, first, end } = tensor;
  const faults: Diagnostic[] = [];
  const say = (text: string): void => void faults.push(fault(text, { tensor: name }));
  for (const step of reads) {
    if (step <= writer) say(`Step ${step} reads ${name}, which is written only at step ${writer}.`);
    if (step < first || step >= end) {
      say(`Tensor ${name} is read at step ${step}, but its live range is [${first},${end}).`);
    }
  }
  const body = writer < 0 ? undefined : bodyOf(steps, extents[writer]!.at(-1), writer);
  const starts = startsOf(index, tensor, writer, body);
  if (!starts.includes(first)) {
    say(`Tensor ${name} is written at step ${writer}, but its live range begins at ${first}.`);
  }
  const lastUse = reads.reduce(
    (last, step) => Math.max(last, throughStep(steps, extents[step]!, step, writer)),
    writer,
  );
  const shortest = Math.max(first + 1, Math.min(lastUse + 1, index.end));
  const ends = endsOf(index, tensor, writer, body).map((most) => Math.max(shortest, most));
  if (end < shortest)
    say(`Tensor ${name} is used until step ${lastUse}, but its live range ends before ${end}.`);
  else if (!ends.includes(end)) {
    say(
      `Tensor ${name} lives until before step ${end}, but nothing is known to use it after step ${lastUse}: ` +
        'a read is missing, or the range is too long.',
    );
  }
  return faults;
}

function startsOf(
  index: Index,
  tensor: PlanTensor,
  writer: number,
  body: Body | undefined,
): readonly number[] {
  if (writer < 0) return [0];
  if (index.plan.assumptions.asyncIo && index.isOutput(tensor)) return [0];
  return body?.repeats === true ? [writer, body.first] : [writer];
}

/** Where the range may end, unless the reads make it longer. */
function endsOf(index: Index, tensor: PlanTensor, writer: number, body: Body | undefined): readonly number[] {
  const { steps } = index.plan;
  if (index.survives(tensor) || tensor.role === 'state') return [index.end];
  const result = body === undefined ? [] : [body.end];
  // What a loop's own step writes may be what its body receives.
  const received = writer >= 0 && repeats(steps[writer]!) ? [bodiesEnd(steps, writer)] : [];
  return [0, ...result, ...received];
}

/** The steps [first, end) of a control-flow body. */
interface Body {
  readonly first: number;
  readonly end: number;
  readonly repeats: boolean;
}

/** The innermost body around a step. */
function bodyOf(steps: readonly PlanStep[], extent: Extent | undefined, step: number): Body | undefined {
  if (extent === undefined) return undefined;
  const { path } = steps[step]!;
  const inside = (at: number): boolean => steps[at]!.path === path || isDeeper(steps[at]!.path, path);
  let [first, end] = [step, step + 1];
  while (first - 1 > extent.step && inside(first - 1)) first--;
  while (end < extent.end && inside(end)) end++;
  return { first, end, repeats: repeats(steps[extent.step]!) };
}

/** The last step at which a read at `step` may happen: bodies that the tensor came into from outside run to their end. */
function throughStep(
  steps: readonly PlanStep[],
  around: readonly Extent[],
  step: number,
  writer: number,
): number {
  const outside = around.filter((extent) => writer <= extent.step).map(({ end }) => end - 1);
  return Math.max(bodiesEnd(steps, step) - 1, ...outside);
}

/** For each step the control-flow nodes in whose bodies it stands, outer first. */
function enclosing(steps: readonly PlanStep[]): readonly (readonly Extent[])[] {
  const around: Extent[][] = steps.map(() => []);
  for (let step = 0; step < steps.length; step++) {
    const end = bodiesEnd(steps, step);
    for (let inside = step + 1; inside < end; inside++) around[inside]!.push({ step, end });
  }
  return around;
}
