/** Other ways in which a chip's memories can be split or joined: `--target stm32h723:itcm128`. */
import { extendDraft, type TargetDraft, type VariantDraft } from './draft.ts';

/** The name before the colon, and the variant behind it. Names of targets hold no colon. */
export function splitVariant(name: string): { readonly base: string; readonly variant: string | undefined } {
  const at = name.lastIndexOf(':');
  if (at < 1) return { base: name, variant: undefined };
  return { base: name.slice(0, at), variant: name.slice(at + 1) };
}

/** The target with the regions of the variant: fields replace fields, regions of other names are added or left out. */
export function applyVariant(base: TargetDraft, name: string, variant: VariantDraft): TargetDraft {
  const { regions = [], without = [], main, notes } = variant;
  const kept = (base.regions ?? []).filter((region) => !without.includes(region.name ?? ''));
  const changed = extendDraft({ ...base, regions: kept }, { regions, ...(main !== undefined && { main }) });
  return {
    ...changed,
    id: `${base.id}.${name}`,
    variants: [],
    notes: [base.notes, notes].filter((text) => text !== undefined && text !== null).join('; ') || null,
  };
}
