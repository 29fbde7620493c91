/** The gates: does the plan fit the region and the budget, and what else must be said about its size. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import { elementWidth } from '../graph/element-type.ts';
import type { Memory } from '../place/types.ts';
import type { Target } from '../target/types.ts';
import { couldFit, type Measured, nextTry, type Shortage } from './could-fit.ts';
import { qualified } from './qualified.ts';
import type { PlanRequest } from './request.ts';
import type { PlanRegion } from './types.ts';

/** Tensors named in a message; the rest is counted. */
const MOST_NAMES = 6;

/** What earlier stages found: steps whose scratch is not known, and regions over which no placement was found. */
export interface FitFindings {
  readonly unknownScratch: readonly string[];
  readonly failed: readonly Memory[];
}

/** Errors (E_OVER_CAPACITY, E_OVER_BUDGET) where a gate fails, and warnings and notes about the memory. */
export function fitDiagnostics(
  measured: Measured,
  target: Target,
  request: PlanRequest,
  { unknownScratch, failed }: FitFindings,
): readonly Diagnostic[] {
  const plan = qualified(measured);
  return [
    ...plan.regions.flatMap((region) => capacityGate(plan, region, target, failed, request.reserve)),
    ...budgetGates(plan, request),
    ...flashGate(plan, target, request),
    ...packedNote(plan),
    ...alignmentWarnings(plan),
    ...plan.regions.flatMap((region) => regionNotes(region, target)),
    ...(plan.totals.complete ? [] : [scratchWarning(plan, unknownScratch)]),
  ];
}

function capacityGate(
  plan: Measured,
  region: PlanRegion,
  target: Target,
  failed: readonly Memory[],
  reserve: PlanRequest['reserve'],
): readonly Diagnostic[] {
  const { capacity, reserved, name, mpu } = region;
  const used = mpu === undefined ? region.used : mpu.bytes + paddingTo(mpu.alignment, region.origin);
  if (capacity === null || used + reserved <= capacity) return [];
  const room = Math.max(0, capacity - reserved);
  const all = failed.reduce((sum, memory) => sum + memory.room, 0);
  const shortage = { ...region, room: Math.max(room, all) };
  const others =
    failed.length === 0
      ? ''
      : ` Nor was a placement found over ${failed.map((one) => one.name).join(', ')}, which have room for ${all} bytes.`;
  const less = reserved === 0 ? '' : ` less ${reserved} reserved`;
  const alone = tooLarge(plan, target, reserve);
  const text =
    `The arena needs ${used} bytes, but ${name} of ${target.id} has ${capacity}${less}: ` +
    `${used - room} bytes are missing.${others} ${peakText(plan)} ${alone?.text ?? couldFit(plan, shortage)}`;
  return [
    diagnostic('E_OVER_CAPACITY', text.trimEnd(), {
      hint: capacityHint(plan, { ...shortage, room: alone?.room ?? shortage.room }, target),
    }),
  ];
}

/** Bytes from the start of the memory to where the region of an MPU may begin. */
function paddingTo(alignment: number, origin: number | null): number {
  return (alignment - ((origin ?? 0) % alignment)) % alignment;
}

function budgetGates(plan: Measured, { budget }: PlanRequest): readonly Diagnostic[] {
  return [...budget].flatMap(([name, bytes]) => {
    const region = plan.regions.find((r) => r.name === name);
    const used = name === '' ? plan.totals.arenaBytes : (region?.used ?? 0);
    if (used <= bytes) return [];
    const bound = name === '' ? plan.totals.lowerBoundBytes : region!.lowerBound;
    const where = name === '' ? '' : ` in ${name}`;
    const shortage = { used, lowerBound: bound, room: bytes };
    const text =
      `The arena needs ${used} bytes${where}, ${used - bytes} over the budget of ${bytes}. ` +
      `${peakText(plan)} ${couldFit(plan, shortage)}`;
    return [
      diagnostic('E_OVER_BUDGET', text.trimEnd(), { hint: `${nextTry(plan, shortage)} Or raise --budget.` }),
    ];
  });
}

/** The buffers that are live at the peak, each under the name of the tensor it holds then: their bytes add up. */
function peakText({ steps, tensors, buffers, peak }: Measured): string {
  const names = new Set(peak.tensors);
  const live = buffers.filter(({ first, end }) => first <= peak.step && peak.step < end);
  const listed = live
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, MOST_NAMES)
    .map(({ id, kind, bytes, tensors: copied }) => {
      const holds = tensors.find((tensor) => tensor.buffer === id && names.has(tensor.name));
      return `${holds?.name ?? (kind === 'copy' ? `copy of ${copied[0]}` : kind)} (${bytes})`;
    });
  const rest = live.length > MOST_NAMES ? ` and ${live.length - MOST_NAMES} more` : '';
  const step = steps[peak.step];
  const at = step === undefined ? 'The peak' : `The peak is step ${peak.step}, ${step.op} ${step.node},`;
  return `${at} with ${peak.bytes} bytes live: ${listed.join(', ')}${rest}.`;
}

/** The largest tensor, if no region of the chip could hold it beside what is reserved, however the rest is placed. */
function tooLarge(
  { tensors, steps }: Measured,
  target: Target,
  reserve: PlanRequest['reserve'],
): { readonly text: string; readonly room: number } | undefined {
  const usable = target.regions.filter(({ usableForData }) => usableForData);
  if (usable.some(({ size }) => size === null)) return undefined;
  const rooms = usable.map(({ name, size }) => ({ name, room: size! - (reserve.get(name) ?? 0) }));
  const [most] = rooms.sort((a, b) => b.room - a.room);
  if (most === undefined) return undefined;
  const over = tensors.filter(
    ({ buffer, how, bytes }) => buffer !== null && how === 'own' && bytes > most.room,
  );
  const [largest] = over.sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined) return undefined;
  const writer = steps.find(({ writes }) => writes.includes(largest.name));
  const from = writer === undefined ? '' : ` of ${writer.op} ${writer.node}`;
  const more = over.length === 1 ? '' : `, as do ${over.length - 1} more`;
  const less = reserve.size === 0 ? '' : ' less what is reserved';
  const text = `Tensor ${largest.name}${from} alone (${largest.bytes}) exceeds every region${less}, the largest being ${most.name} (${most.room})${more}.`;
  return { text, room: most.room };
}

function capacityHint(plan: Measured, shortage: Shortage & PlanRegion, target: Target): string {
  const other = target.regions.find(
    ({ name, usableForData, size }) =>
      name !== shortage.name && usableForData && size !== null && size >= plan.totals.arenaBytes,
  );
  if (other !== undefined) return `It would fit ${other.name} (${other.size} bytes): --region ${other.name}.`;
  return nextTry(plan, shortage);
}

/** A gate where the user says how much there is; of the target's own flash, which code shares, a warning. */
function flashGate({ totals }: Measured, target: Target, { flash }: PlanRequest): readonly Diagnostic[] {
  const { weightBytes } = totals;
  if (flash !== undefined) {
    if (weightBytes <= flash) return [];
    const text = `The weights take ${weightBytes} bytes, ${weightBytes - flash} more than the flash of ${flash}.`;
    return [diagnostic('E_OVER_FLASH', text, { hint: 'Quantise the model, or raise --flash.' })];
  }
  if (target.flashBytes === null || target.flashBytes === 0 || weightBytes <= target.flashBytes) return [];
  const text = `The weights take ${weightBytes} bytes, but the flash of ${target.id} has ${target.flashBytes}.`;
  return [
    diagnostic('W_FLASH', text, {
      hint: `Quantise the model, or say what external flash holds: --flash ${flashFor(weightBytes)}.`,
    }),
  ];
}

function packedNote({ constants, assumptions: { weightBits } }: Measured): readonly Diagnostic[] {
  if (weightBits === undefined || constants.some(({ flashBytes }) => flashBytes !== undefined)) return [];
  const text = `--weight-bits ${weightBits}: no layer has quantised weights of more bits, so this changes nothing.`;
  return [
    diagnostic('N_OPTION_HAS_NO_EFFECT', text, {
      hint: 'See what a quantised model would take: --assume int8.',
    }),
  ];
}

/** The smallest size in which flash is made that holds so many bytes: `16M`. */
function flashFor(bytes: number): string {
  const mebibytes = 2 ** Math.max(0, Math.ceil(Math.log2(bytes / 2 ** 20)));
  return `${mebibytes}M`;
}

/** One warning for all tensors whose offsets their element type may not like. */
function alignmentWarnings({ tensors, buffers }: Measured): readonly Diagnostic[] {
  const narrow = tensors.filter(
    ({ buffer, type }) => buffer !== null && buffers[buffer]!.alignment % elementWidth(type) !== 0,
  );
  const [worst] = [...narrow].sort((a, b) => elementWidth(b.type) - elementWidth(a.type));
  if (worst === undefined) return [];
  const more = narrow.length === 1 ? '' : ` and ${narrow.length - 1} more`;
  const width = elementWidth(worst.type);
  const text =
    `Offsets are multiples of ${buffers[worst.buffer!]!.alignment}, but the ${worst.type} elements of ` +
    `${worst.name}${more} are ${width} bytes wide: kernels may fault or be slow.`;
  return [
    diagnostic('W_ALIGNMENT', text, { tensor: worst.name, hint: `Use --align ${width} or a multiple.` }),
  ];
}

function regionNotes(region: PlanRegion, target: Target): readonly Diagnostic[] {
  if (region.capacity === null) {
    const text = `The size of ${region.name} of ${target.id} is not known: whether the arena fits is not checked.`;
    return [
      diagnostic('W_CAPACITY_UNKNOWN', text, { hint: 'Name the chip with --target, or set --budget BYTES.' }),
    ];
  }
  if (region.name !== target.stack || region.reserved > 0) return [];
  const text = `${region.name} usually holds the stack, the heap and ordinary data too, and nothing is reserved for them.`;
  return [diagnostic('N_STACK_SHARES', text, { hint: `Reserve their bytes: --reserve ${region.name}=16K.` })];
}

/** Without a library the scratch of no kernel is known; with one the nodes are named. */
function scratchWarning({ assumptions }: Measured, unknown: readonly string[]): Diagnostic {
  if (assumptions.kernels === 'none') {
    const text =
      'Working memory of kernels (scratch) is not counted: the arena is a lower bound of what inference needs.';
    return diagnostic('W_SCRATCH', text, {
      hint: 'Say whose kernels run it with --kernels, or leave room with --reserve REGION=BYTES.',
    });
  }
  const [first = ''] = unknown;
  const rest = unknown.length > MOST_NAMES ? ` and ${unknown.length - MOST_NAMES} more` : '';
  const text =
    `The working memory (scratch) of ${unknown.slice(0, MOST_NAMES).join(', ')}${rest} is not known: ` +
    'the arena is a lower bound of what inference needs.';
  return diagnostic('W_SCRATCH', text, {
    node: first,
    hint: `Say what a kernel needs: --scratch "${first}=4K".`,
  });
}
