/** Why a tensor lies where it lies: who writes it, who keeps it alive, what it shares, and why not more. */
import { fail } from '../errors.ts';
import { elementWidth } from '../graph/element-type.ts';
import { allRows, findRow } from '../ops/registry.ts';
import type { OpRow } from '../ops/types.ts';
import { keptInPlaces } from '../plan/kept.ts';
import { qualified } from '../plan/qualified.ts';
import type { How, Plan, PlanBuffer, PlanStep, PlanTensor } from '../plan/types.ts';
import { nearestNames } from '../target/nearest.ts';
import { whyDeclined } from './declined.ts';
import { whyCopied } from './explain-parts.ts';
import { type MemoryReason, memoryReason } from './memory.ts';

/** A step as explanations name it. */
export interface StepName {
  readonly step: number;
  readonly node: string;
  readonly op: string;
}

export interface TensorExplanation {
  readonly schema: 1;
  readonly tensor: PlanTensor;
  /** null: a graph input. */
  readonly writtenBy: StepName | null;
  readonly readBy: readonly StepName[];
  /** What decides the end of its live range. */
  readonly aliveBecause: string;
  /** Why it lies in its memory; null: only one was planned, or the caller owns it. */
  readonly memory: MemoryReason | null;
  /** Other tensors in the same buffer. */
  readonly shares: readonly { readonly name: string; readonly how: How }[];
  /** What the writing step reads, or a Concat makes of the tensor, and the tensor does not share, and why. */
  readonly sharesNot: readonly { readonly name: string; readonly why: string }[];
  /** The fullest step of its life; null in a plan without steps. */
  readonly fullest: (StepName & { readonly liveBytes: number }) | null;
  readonly atPeak: boolean;
  /** The largest part of the arena that is free during its whole life; null: none, or the caller owns its memory. */
  readonly beside: Hole | null;
}

/** Bytes [offset, offset + bytes) of the arena of a region. */
export interface Hole {
  readonly region: string;
  readonly offset: number;
  readonly bytes: number;
}

/** Throws E_USAGE for a tensor that the plan does not have. */
export function explainTensor(given: Plan, asked: string): TensorExplanation {
  const plan = qualified(given);
  const name = fullName(
    plan,
    asked,
    plan.tensors.map((tensor) => tensor.name),
  );
  const tensor = plan.tensors.find((t) => t.name === name) ?? unknownTensor(plan, name);
  const writer = plan.steps.find(({ writes, scratch = [] }) => [...writes, ...scratch].includes(name));
  const readers = plan.steps.filter(({ reads }) => reads.includes(name));
  const life = plan.steps.slice(tensor.first, tensor.end);
  const [fullest] = [...life].sort((a, b) => b.liveBytes - a.liveBytes || a.step - b.step);
  return {
    schema: 1,
    tensor,
    writtenBy: writer === undefined ? null : nameOf(writer),
    readBy: readers.map(nameOf),
    aliveBecause: aliveBecause(plan, tensor, readers),
    memory: memoryReason(plan, tensor),
    shares: plan.tensors
      .filter((t) => t !== tensor && t.buffer !== null && t.buffer === tensor.buffer)
      .map((t) => ({ name: t.name, how: t.how })),
    sharesNot: [
      ...(writer === undefined || tensor.role === 'scratch' ? [] : sharesNot(plan, tensor, writer)),
      ...readers.flatMap((reader) => notJoined(plan, tensor, reader)),
    ],
    fullest: fullest === undefined ? null : { ...nameOf(fullest), liveBytes: fullest.liveBytes },
    atPeak: tensor.first <= plan.peak.step && plan.peak.step < tensor.end,
    beside: largestHole(plan, tensor),
  };
}

/** Of equal holes the lowest one. A buffer counts whole, whatever its gaps. */
export function largestHole(
  { buffers, regions }: Plan,
  { region, first, end }: Pick<PlanTensor, 'region' | 'first' | 'end'>,
): Hole | null {
  const used = regions.find(({ name }) => name === region)?.used;
  if (region === null || used === undefined) return null;
  const taken = buffers
    .filter((buffer) => buffer.region === region && buffer.first < end && first < buffer.end)
    .map(({ offset, bytes }) => ({ from: offset, to: offset + bytes }))
    .sort((a, b) => a.from - b.from);
  let largest: Hole | null = null;
  let reached = 0;
  for (const { from, to } of [...taken, { from: used, to: used }]) {
    const bytes = from - reached;
    if (bytes > (largest?.bytes ?? 0)) largest = { region, offset: reached, bytes };
    reached = Math.max(reached, to);
  }
  return largest;
}

/** Of several models: what a name alone means, where it is the only one. Throws E_USAGE where it is not. */
export function fullName({ models }: Plan, asked: string, names: readonly string[]): string {
  if (models.length < 2 || names.includes(asked)) return asked;
  const found = names.filter((name) => name.endsWith(`:${asked}`));
  if (found.length < 2) return found[0] ?? asked;
  return fail('E_USAGE', `several models have "${asked}"`, { hint: `say ${found.join(' or ')}` });
}

export function nameOf({ step, node, op }: PlanStep): StepName {
  return { step, node, op };
}

function unknownTensor(plan: Plan, name: string): never {
  const near = nearestNames(
    name,
    plan.tensors.map((t) => t.name),
  );
  const hint =
    near.length > 0
      ? `did you mean ${near.join(', ')}?`
      : plan.fusion !== undefined
        ? 'it may pass between nodes of one step: --fuse none keeps them apart'
        : 'memplan shapes MODEL lists the tensors';
  return fail('E_USAGE', `the plan has no tensor "${name}"`, { hint });
}

/** Why the bytes of a tensor outlive its last read, or undefined when they do not. */
export function staysBecause(plan: Plan, { name, role }: PlanTensor): string | undefined {
  const { models, assumptions, run } = qualified(plan);
  const isInput = models.some(({ inputs }) => inputs.includes(name));
  const isOutput = models.some(({ outputs }) => outputs.includes(name));
  const ring = keptInPlaces(qualified(plan)).find(({ tensor }) => tensor === name);
  if (ring !== undefined)
    return `--buffers: it has ${ring.places} places, one of which may be filled while a run reads another`;
  if (role === 'state') return 'it is state: alive across runs';
  if (assumptions.asyncIo && (isInput || isOutput)) {
    return 'it may be filled or drained during a run (--async-io)';
  }
  if (run?.holds.some(({ tensor }) => tensor === name)) {
    return '--hold: its bytes stay while other models run';
  }
  const handed = run?.links.findLast(({ from }) => from.tensor === name);
  if (handed !== undefined) return `it is handed over as ${handed.to.tensor}`;
  if (isOutput) return 'it is a graph output: its bytes stay to the end';
  if (assumptions.keep.includes(name)) return '--keep: its bytes stay to the end';
  return isInput && assumptions.preserveInputs ? '--preserve-inputs: its bytes stay to the end' : undefined;
}

function aliveBecause(plan: Plan, tensor: PlanTensor, readers: readonly PlanStep[]): string {
  const stays = staysBecause(plan, tensor);
  const last = readers.at(-1);
  if (stays !== undefined) return stays;
  if (tensor.role === 'scratch') return 'it is scratch: it lives for the step of its kernel only';
  if (last === undefined) return 'nothing reads it: it lives for its own step only';
  if (last.step + 1 < tensor.end) return `a control-flow body around step ${last.step} may read it again`;
  return `its last read is step ${last.step}, ${last.node} (${last.op})`;
}

function sharesNot(plan: Plan, tensor: PlanTensor, writer: PlanStep): TensorExplanation['sharesNot'] {
  const byName = new Map(plan.tensors.map((t) => [t.name, t]));
  const row = rowOf(writer);
  return writer.reads.flatMap((name) => {
    const operand = byName.get(name);
    if (operand === undefined || (operand.buffer !== null && operand.buffer === tensor.buffer)) return [];
    const known = declinedOf(plan, tensor, operand);
    return [{ name, why: known ?? whyNot(plan, tensor, operand, writer, row) }];
  });
}

/** What a way to share would have cost that was declined for the sake of the peak. */
function declinedOf(plan: Plan, tensor: PlanTensor, operand: PlanTensor): string | undefined {
  const { declined = [], peak } = plan;
  const known = declined.find((one) => one.tensor === tensor.name && one.source === operand.name);
  return known === undefined || known.peakBytes === null ? undefined : whyDeclined(known, peak.bytes);
}

/** A Concat copies the tensor into its output. */
function notJoined(plan: Plan, tensor: PlanTensor, reader: PlanStep): TensorExplanation['sharesNot'] {
  if (rowOf(reader)?.joins === undefined) return [];
  return reader.writes.flatMap((name) => {
    const whole = plan.tensors.find((t) => t.name === name && t.model === reader.model);
    if (whole === undefined || (whole.buffer !== null && whole.buffer === tensor.buffer)) return [];
    return [{ name, why: declinedOf(plan, tensor, whole) ?? whyCopied(plan, reader, whole, tensor) }];
  });
}

function rowOf({ op }: PlanStep): OpRow | undefined {
  return findRow('', op) ?? allRows().find((row) => row.op === op);
}

/** The first rule that forbids it; where none does, the choice was made for the sake of the peak. */
function whyNot(
  plan: Plan,
  tensor: PlanTensor,
  operand: PlanTensor,
  writer: PlanStep,
  row: OpRow | undefined,
): string {
  const { assumptions, steps } = plan;
  if (tensor.how === 'external') return 'the caller owns the memory of this tensor';
  if (operand.how === 'external') return 'the caller owns its memory';
  if (row?.joins !== undefined || row?.splits !== undefined || writer.op === 'Slice') {
    const [whole, part] = row?.joins === undefined ? [operand, tensor] : [tensor, operand];
    return whyCopied(plan, writer, whole, part);
  }
  if (row?.views !== undefined) {
    if (!assumptions.views) return '--no-views forbids it';
    return assumptions.layout === 'nhwc'
      ? 'its bytes would have to move with the channels last, or a view would have kept them alive for longer'
      : 'a view would have kept its bytes alive for longer';
  }
  if ((row?.inPlace ?? []).length === 0) return `${writer.op} may not write over what it reads`;
  if (!assumptions.inPlace) return '--no-in-place forbids it';
  if (!sameForm(tensor, operand)) return 'its shape or element width differs';
  if (operand.role === 'input' && !assumptions.inPlaceInputs) return '--no-in-place-inputs forbids it';
  const reader = steps.findLast(({ reads }) => reads.includes(operand.name))!;
  if (reader.step > writer.step)
    return `it is read again at step ${reader.step}, ${reader.node} (${reader.op})`;
  const stays = staysBecause(plan, operand);
  if (stays !== undefined) return stays;
  if (operand.end > writer.step + 1) return 'a control-flow body may read it again';
  for (const tenant of plan.tensors.filter((t) => t.buffer === operand.buffer && t !== operand)) {
    const also = `its bytes are also those of ${tenant.name}`;
    if (tenant.first > writer.step) continue;
    if (tenant.end > writer.step + 1) return `${also}, which is read until step ${tenant.end - 1}`;
    if (staysBecause(plan, tenant) !== undefined) return `${also}, which must stay`;
  }
  const { kernels, trustUnproved } = assumptions;
  const unproved =
    kernels === 'none' || trustUnproved === true
      ? ''
      : `, or no run has proved that the kernel of ${kernels} may (--trust unproved)`;
  return `sharing was declined: another choice gives a smaller peak${unproved}`;
}

function sameForm(a: PlanTensor, b: PlanTensor): boolean {
  return elementWidth(a.type) === elementWidth(b.type) && a.shape.join() === b.shape.join();
}

export interface NodeExplanation {
  readonly schema: 1;
  readonly step: PlanStep;
  readonly reads: readonly PlanTensor[];
  readonly writes: readonly PlanTensor[];
  /** Working memory of its kernel. */
  readonly scratch: readonly PlanTensor[];
  /** Live at this step, but neither read nor written by it. */
  readonly waiting: readonly PlanTensor[];
  /** Copies of weights that are live at this step, the largest first. */
  readonly copies: readonly PlanBuffer[];
  readonly peakBytes: number;
}

/** Throws E_USAGE for a node that is no step of the plan. `label` is the node's name in messages. */
export function explainNode(given: Plan, asked: string): NodeExplanation {
  const plan = qualified(given);
  const label = fullName(
    plan,
    asked,
    plan.steps.map(({ node }) => node),
  );
  const step = plan.steps.find(({ node }) => node === label) ?? unknownNode(plan, label);
  const named = (names: readonly string[]) => plan.tensors.filter(({ name }) => names.includes(name));
  const { scratch = [] } = step;
  const touched = new Set([...step.reads, ...step.writes, ...scratch]);
  return {
    schema: 1,
    step,
    reads: named(step.reads),
    writes: named(step.writes),
    scratch: named(scratch),
    waiting: plan.tensors.filter(
      ({ name, first, end, buffer }) =>
        buffer !== null && first <= step.step && step.step < end && !touched.has(name),
    ),
    copies: plan.buffers
      .filter(({ kind, first, end }) => kind === 'copy' && first <= step.step && step.step < end)
      .sort((a, b) => b.bytes - a.bytes || a.id - b.id),
    peakBytes: plan.peak.bytes,
  };
}

function unknownNode(plan: Plan, label: string): never {
  const near = nearestNames(
    label,
    plan.steps.map(({ node }) => node),
  );
  return fail('E_USAGE', `the plan has no step of a node "${label}"`, {
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : 'nodes with constant results are no steps',
  });
}
