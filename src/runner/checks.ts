/** What the check build of a runner knows: when each tensor's bytes are alive, by arena. */

import { unsigned } from '../emit/literals.ts';
import { arenaName } from '../emit/symbols.ts';
import type { Plan, PlanPart, PlanRegion, PlanTensor } from '../plan/types.ts';
import { namesOf } from './addresses.ts';
import { type Copy, copySpans } from './copies.ts';
import { ringsOf } from './rings.ts';
import { stagedSpans } from './stages.ts';
import type { CheckView } from './view-types.ts';

/**
 * One view for each arena. What other models keep while this one runs must stay as it is; what models that run at the same
 * time have, and the places of an input that a DMA may fill meanwhile, is nobody's business here.
 */
export function checkViews(plan: Plan, model: number, copies: readonly Copy[]): readonly CheckView[] {
  const { Shared, shared } = namesOf(plan, model);
  const own = plan.steps.filter((step) => step.model === model).map(({ step }) => step);
  const [first = 0, last = 0] = [own[0], own.at(-1)];
  const byName = new Map(plan.tensors.map((tensor) => [`${tensor.model} ${tensor.name}`, tensor]));
  const part = plan.run?.parts.find(({ models }) => models.includes(model));
  const rings = ringsOf(plan, model);
  const writers: ReadonlyMap<string, number> = new Map(
    plan.steps.flatMap((step) => step.writes.map((name) => [`${step.model} ${name}`, step.step] as const)),
  );
  /** Inputs before all steps; scratch as long as it lives. */
  const writtenAt = (tensor: PlanTensor): number =>
    tensor.role === 'input' ? -1 : (writers.get(`${tensor.model} ${tensor.name}`) ?? tensor.first);
  return plan.regions.map((region) => {
    const size = region.used === 0 ? '0u' : `${Shared}_R_${region.c}_SIZE`;
    const there = plan.tensors.flatMap((tensor, index) =>
      tensor.region === region.name &&
      tensor.bytes > 0 &&
      tensor.first <= last &&
      tensor.end > first &&
      (part === undefined || part.models.includes(tensor.model)) &&
      !rings.has(tensor.buffer)
        ? [{ tensor, index }]
        : [],
    );
    const spans = there.map(({ tensor, index }) => {
      const macro = `${plan.models[tensor.model]!.cPrefix}_T_${tensor.c}`;
      const source = byName.get(`${tensor.model} ${tensor.aliasOf}`);
      const written = writtenAt(tensor);
      const isLater = source !== undefined && writtenAt(source) < written;
      return spanText(macro, tensor, { index, written, isLater, isKept: tensor.model !== model });
    });
    const all = [
      ...spans,
      ...copySpans(plan, region.name),
      ...stagedSpans(plan, copies, region.name),
      ...[...rings.values()].flatMap((ring) =>
        ring.region === region.name
          ? [open(`${ring.macro}_OFFSET`, `${ring.macro}_PLACES * ${ring.macro}_STRIDE`)]
          : [],
      ),
      ...othersParts(plan, part, region, size),
    ];
    return {
      array: arenaName(shared, region.c),
      size,
      name: region.c.toLowerCase(),
      spans: all,
      spanCount: unsigned(all.length),
    };
  });
}

/** Everything that is not the part's own, where several run at the same time. */
function othersParts(
  plan: Plan,
  part: PlanPart | undefined,
  region: PlanRegion,
  size: string,
): readonly string[] {
  if (part === undefined || plan.run!.parts.length < 2 || region.used === 0) return [];
  const { offset = 0, bytes = 0 } = part.regions.find((one) => one.region === region.name) ?? {};
  const end = offset + bytes;
  return [
    ...(offset > 0 ? [open('0u', unsigned(offset))] : []),
    ...(end < region.used ? [open(unsigned(end), `${size} - ${unsigned(end)}`)] : []),
  ];
}

/** Braces of a memplan_span that somebody else may write at any time. */
function open(offset: string, size: string): string {
  return `{${offset}, ${size}, 0u, 0u, UINT32_MAX, MEMPLAN_NO_TENSOR, MEMPLAN_SPAN_OPEN}`;
}

interface Span {
  readonly index: number;
  /** The step that writes it. It may be alive before, for a caller who still reads what the last run left there. */
  readonly written: number;
  /** What it shares bytes with is written before. */
  readonly isLater: boolean;
  /** From the run of another model. */
  readonly isKept: boolean;
}

/** Braces of a memplan_span. */
function spanText(macro: string, tensor: PlanTensor, { index, written, isLater, isKept }: Span): string {
  // The part that a Split need not copy out; the whole of a Concat comes after its parts.
  const isPart = tensor.how === 'elided' && isLater;
  const isGiven = isKept || tensor.role === 'input';
  const kind = isGiven ? 'GIVEN' : tensor.how === 'view' || isPart ? 'VIEW' : 'MADE';
  const range = [tensor.first, Math.max(0, written), tensor.end, index].map(unsigned).join(', ');
  return `{${macro}_OFFSET, ${macro}_SIZE, ${range}, MEMPLAN_SPAN_${kind}}`;
}
