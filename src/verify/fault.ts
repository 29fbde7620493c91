/** How the checker words what it finds. */
import { type Diagnostic, diagnostic } from '../errors.ts';

/** A broken promise. `tensor` and `node` by name. */
export function fault(
  text: string,
  where: { readonly tensor?: string | undefined; readonly node?: string | undefined } = {},
): Diagnostic {
  return diagnostic('E_PLAN_FAULT', text, where);
}
