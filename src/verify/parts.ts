/** Checks parts of tensors: what Slice and Split show of an operand, and what a Concat finds in place. */
import type { PlanStep, PlanTensor } from '../plan/types.ts';
import type { Index } from './index-plan.ts';

type Layout = 'nchw' | 'nhwc';

/** Operators whose outputs are parts of an operand. */
export const CUTS: ReadonlySet<string> = new Set(['Slice', 'Split']);

/** Why `part` cannot be a part of `whole` that begins where it lies, or undefined. Both lie in one buffer. */
export function cutFault(
  layout: Layout,
  step: PlanStep,
  whole: PlanTensor,
  part: PlanTensor,
  all: readonly PlanTensor[],
) {
  const shift = part.offset! - whole.offset!;
  if (!isStretch(layout, whole, part, shift)) return 'but its elements do not lie there in one stretch';
  if (step.op !== 'Split') return undefined;
  const { starts, total } = startsOf(all);
  if (total === whole.bytes && starts.get(part) !== shift) return 'but another part begins there';
  return sameNumbers(whole, part) ? undefined : 'but the two are quantised differently';
}

interface Starts {
  readonly starts: ReadonlyMap<PlanTensor, number>;
  readonly total: number;
}

/** By the outputs of a step, of which there may be a hundred thousand. */
const known = new WeakMap<readonly PlanTensor[], Starts>();

/** Where each of the tensors begins when they stand one behind the other. */
function startsOf(all: readonly PlanTensor[]): Starts {
  const found = known.get(all);
  if (found !== undefined) return found;
  const starts = new Map<PlanTensor, number>();
  let total = 0;
  for (const tensor of all) {
    if (!starts.has(tensor)) starts.set(tensor, total);
    total += tensor.bytes;
  }
  known.set(all, { starts, total });
  return { starts, total };
}

/**
 * Parts of a Concat that the plan puts into its output, and why it must not. `reads`: its operands in order, each once;
 * constants and repetitions, which may stand between them, are not among them. What lies elsewhere in the output is
 * copied like any other operand.
 */
export function partsInPlace(
  index: Index,
  { op, step }: PlanStep,
  whole: PlanTensor,
  reads: readonly PlanTensor[],
): { readonly parts: readonly PlanTensor[]; readonly faults: readonly string[] } {
  const missing = whole.bytes - bytesOf(reads);
  let reached = 0;
  const parts = reads.filter((part) => {
    const shift = part.offset! - whole.offset!;
    const before = reached;
    reached += part.bytes;
    return isElidedInto(index, part, whole) && shift >= before && shift <= before + missing;
  });
  const faults = parts.flatMap((part) => {
    const why = partFault(index, op, whole, part);
    return why === undefined
      ? []
      : [`Step ${step} (${op}) is said to find ${part.name} in ${whole.name}, but ${why}.`];
  });
  return { parts, faults };
}

function partFault(index: Index, op: string, whole: PlanTensor, part: PlanTensor): string | undefined {
  if (op !== 'Concat') return 'it computes';
  const isPlain = isStretch(index.assumptions(whole.model).layout, whole, part, part.offset! - whole.offset!);
  if (!isPlain) return 'its elements do not lie there in one stretch';
  return sameNumbers(whole, part) ? undefined : 'the two are quantised differently';
}

/** Following what the tensor shares bytes with leads to a part of `whole`. */
function isElidedInto(index: Index, tensor: PlanTensor, whole: PlanTensor): boolean {
  if (tensor.buffer === null || tensor.buffer !== whole.buffer) return false;
  for (let at: PlanTensor | undefined = tensor; at?.aliasOf != null; ) {
    if (at.how === 'elided' && at.aliasOf === whole.name) return true;
    at = index.tensor(at.model, at.aliasOf);
  }
  return false;
}

/**
 * A block of the shape of `part` can begin `shift` bytes into `whole`, with all its elements side by side: behind the
 * first of its axes in memory that have several elements, all are as long as those of the whole.
 */
function isStretch(layout: Layout, whole: PlanTensor, part: PlanTensor, shift: number): boolean {
  const { length } = whole.shape;
  if (part.shape.length !== length) return false;
  const axes = Array.from({ length }, (_, axis) => axis);
  const memory = layout === 'nhwc' && length > 2 ? [0, ...axes.slice(2), 1] : axes;
  const first = memory.findIndex((axis) => part.shape[axis]! > 1);
  const inner = first < 0 ? [] : memory.slice(first + 1);
  if (inner.some((axis) => part.shape[axis] !== whole.shape[axis])) return false;
  const elements = part.shape.reduce((product, size) => product * size, 1);
  const unit = inner.reduce(
    (product, axis) => product * whole.shape[axis]!,
    part.bytes / Math.max(1, elements),
  );
  return shift % unit === 0;
}

/** Equal bytes mean equal numbers. */
function sameNumbers(a: PlanTensor, b: PlanTensor): boolean {
  const { quant: x } = a;
  const { quant: y } = b;
  if (a.type !== b.type || (x === null) !== (y === null)) return false;
  return x === null || y === null || (`${x.scale}` === `${y.scale}` && `${x.zeroPoint}` === `${y.zeroPoint}`);
}

function bytesOf(tensors: readonly PlanTensor[]): number {
  return tensors.reduce((sum, { bytes }) => sum + bytes, 0);
}
