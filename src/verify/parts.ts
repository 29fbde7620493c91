/** Checks parts of tensors: what Slice and Split show of an operand, and what a Concat finds in place. */
import { ELEMENT_BITS } from '../graph/element-type.ts';
import type { PlanStep, PlanTensor } from '../plan/types.ts';
import type { Index } from './index-plan.ts';

type Layout = 'nchw' | 'nhwc';

/** What a step writes, one behind the other: the byte at which each begins, and the bytes of all. */
export interface Row {
  readonly starts: ReadonlyMap<PlanTensor, number>;
  readonly bytes: number;
}

export function rowOf(tensors: readonly PlanTensor[]): Row {
  const starts = new Map<PlanTensor, number>();
  let bytes = 0;
  for (const tensor of tensors) {
    starts.set(tensor, bytes);
    bytes += tensor.bytes;
  }
  return { starts, bytes };
}

/** Why `part` cannot be a part of `whole` that begins where it lies, or undefined. Both lie in one buffer. */
export function cutFault(
  layout: Layout,
  { op }: PlanStep,
  whole: PlanTensor,
  part: PlanTensor,
  written: Row,
): string | undefined {
  if (!isStretch(layout, whole, part)) return 'but its elements do not lie there in one stretch';
  if (op !== 'Split') return undefined;
  // An output that nobody wants is not in the plan: then it is not known where the others begin.
  const isKnown = written.bytes === whole.bytes;
  if (isKnown && written.starts.get(part) !== shiftOf(whole, part)) return 'but another part begins there';
  return sameNumbers(whole, part) ? undefined : 'but the two are quantised differently';
}

interface PartsInPlace {
  readonly parts: readonly PlanTensor[];
  readonly faults: readonly string[];
}

const NO_PARTS: PartsInPlace = { parts: [], faults: [] };

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
): PartsInPlace {
  if (!index.chains.hasParts(whole)) return NO_PARTS;
  const { starts, bytes } = rowOf(reads);
  const missing = whole.bytes - bytes;
  const parts = reads.filter((part) => {
    const behind = shiftOf(whole, part) - starts.get(part)!;
    return index.chains.isWithin(part, whole) && behind >= 0 && behind <= missing;
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
  const isPlain = isStretch(index.assumptions(whole.model).layout, whole, part);
  if (!isPlain) return 'its elements do not lie there in one stretch';
  return sameNumbers(whole, part) ? undefined : 'the two are quantised differently';
}

/**
 * The bytes of `part` are those of a block of `whole` that begins there, with all its elements side by side: it does not
 * reach over the end of an axis, and along all axes in memory but the outermost of several elements it has all of them.
 */
function isStretch(layout: Layout, whole: PlanTensor, part: PlanTensor): boolean {
  if (part.bytes === 0) return true;
  let start = (shiftOf(whole, part) * 8) / ELEMENT_BITS[part.type];
  if (part.shape.length !== whole.shape.length || !Number.isInteger(start)) return false;
  const axes = [...whole.shape.keys()];
  const last = axes.filter((axis) => layout === 'nhwc' && axis === 1);
  const inMemory = [...axes.filter((axis) => !last.includes(axis)), ...last];
  let isWhole = true;
  for (const axis of inMemory.reverse()) {
    const [size, all] = [part.shape[axis]!, whole.shape[axis]!];
    if ((size > 1 && !isWhole) || (start % all) + size > all) return false;
    isWhole &&= size === all;
    start = Math.floor(start / all);
  }
  return true;
}

/** Equal bytes mean equal numbers. */
function sameNumbers(a: PlanTensor, b: PlanTensor): boolean {
  const meaning = ({ type, quant }: PlanTensor): string =>
    JSON.stringify([type, quant?.scale, quant?.zeroPoint, quant?.axis]);
  return meaning(a) === meaning(b);
}

/** Bytes into `whole` at which `part` begins. */
function shiftOf(whole: PlanTensor, part: PlanTensor): number {
  return part.offset! - whole.offset!;
}
