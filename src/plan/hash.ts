/** The fingerprint of a plan: equal for two plans exactly when firmware may treat them as one. */
import { createHash } from 'node:crypto';
import type { Plan } from './types.ts';

/**
 * SHA-256, in hex, over the steps, tensors, buffers, regions, constants and what they assume, as JSON with sorted keys.
 * Wording (diagnostics), figures that follow from the rest (totals) and the name of the strategy are left out.
 */
export function planHash(plan: Omit<Plan, 'planHash'>): string {
  const { schema, models, target, assumptions, steps, tensors, buffers, constants } = plan;
  const regions = plan.regions.map(({ name, c, origin, capacity, reserved, used, alignment }) => ({
    ...{ name, c, origin, capacity, reserved, used, alignment },
  }));
  const content = { schema, models, target, assumptions, steps, tensors, buffers, regions, constants };
  return createHash('sha256').update(canonical(content)).digest('hex');
}

/** JSON with sorted keys and no spaces. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`);
  return `{${fields.join()}}`;
}
