/** The JSON document that stands in for a plan when memplan could not work. */
import type { Diagnostic, MemplanError } from '../errors.ts';
import { PLAN_SCHEMA } from '../plan/types.ts';

export interface ErrorDocument {
  readonly schema: typeof PLAN_SCHEMA;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null };
  readonly diagnostics: readonly Diagnostic[];
}

export function errorDocument({ diagnostics }: MemplanError): ErrorDocument {
  const [first] = diagnostics;
  return {
    schema: PLAN_SCHEMA,
    error: { code: first!.code, message: first!.text, hint: first!.hint },
    diagnostics,
  };
}
