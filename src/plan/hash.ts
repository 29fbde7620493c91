/** The fingerprint of a plan: equal for two plans exactly when firmware may treat them as one. */
import { createHash } from 'node:crypto';
import type { Plan } from './types.ts';

/**
 * SHA-256, in hex, over the steps, tensors, buffers, regions, constants and what they assume, as JSON with sorted keys.
 * Wording (diagnostics), figures that follow from the rest (totals) and the name of the strategy are left out.
 */
export function planHash(plan: Omit<Plan, 'planHash'>): string {
  const { schema, models, target, assumptions, steps, tensors, buffers, constants } = plan;
  const regions = plan.regions.map(({ name, c, origin, capacity, reserved, used, alignment, mpu }) => ({
    ...{ name, c, origin, capacity, reserved, used, alignment },
    ...(mpu && { mpu }),
  }));
  // What isolation would cost follows from the rest.
  const run = plan.run && { ...plan.run, isolation: undefined };
  const shared = {
    schema,
    target,
    assumptions,
    ...(run && { run }),
    ...(plan.buckets && { buckets: plan.buckets }),
    ...(plan.states && { states: plan.states }),
  };
  const rules = { ...(plan.rules && { rules: plan.rules }), ...(plan.cache && { cache: plan.cache }) };
  const content = { ...shared, ...rules, models, steps, tensors, buffers, regions, constants };
  const hash = createHash('sha256');
  for (const text of canonical(content)) hash.update(text);
  return hash.digest('hex');
}

/** JSON with sorted keys and no spaces, in parts. Each field is printed by itself, so that its list of keys is short. */
function* canonical(content: Readonly<Record<string, unknown>>): Iterable<string> {
  let separator = '{';
  for (const key of Object.keys(content).sort()) {
    yield `${separator}${JSON.stringify(key)}:`;
    const value = content[key];
    if (Array.isArray(value)) yield* canonicalList(value);
    else yield JSON.stringify(value, sortedKeys(value));
    separator = ',';
  }
  yield '}';
}

/** Items printed at a time: the text of a large plan is never in memory as a whole. */
const CHUNK = 1000;

function* canonicalList(items: readonly unknown[]): Iterable<string> {
  const keys = sortedKeys(items);
  yield '[';
  for (let at = 0; at < items.length; at += CHUNK) {
    const text = JSON.stringify(items.slice(at, at + CHUNK), keys);
    yield `${at === 0 ? '' : ','}${text.slice(1, -1)}`;
  }
  yield ']';
}

/** The keys of all objects in a value. JSON.stringify prints the keys of every object in the order of such a list. */
function sortedKeys(value: unknown): string[] {
  const keys = new Set<string>();
  const collect = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return;
    if (Array.isArray(inner)) {
      for (const item of inner) collect(item);
      return;
    }
    for (const key in inner) {
      keys.add(key);
      collect(inner[key as keyof typeof inner]);
    }
  };
  collect(value);
  return [...keys].sort();
}
