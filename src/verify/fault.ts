/** How the checker words what it finds. */
import { type Diagnostic, diagnostic } from '../errors.ts';

/** What most checks find. */
export const NO_FAULTS: readonly Diagnostic[] = [];

/** A broken promise. `tensor` and `node` by name. */
export function fault(
  text: string,
  where: { readonly tensor?: string; readonly node?: string | undefined } = {},
): Diagnostic {
  return diagnostic('E_PLAN_FAULT', text, where);
}
