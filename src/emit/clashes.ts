/** Macros of several models that would be one: where a prefix ends and a name begins is not seen in them. */
import { fail } from '../errors.ts';
import { modelLabel } from '../plan/qualified.ts';
import type { Plan } from '../plan/types.ts';
import { sharedPrefix } from './symbols.ts';
import { copiedConstants, copyMacro, sourceMacro } from './view-copies.ts';

/**
 * Throws E_USAGE where models with prefixes like `KWS` and `KWS_T` have tensors or copies of weights whose macros are the
 * same: `KWS_T_T_x_SIZE` is that of `T_x` and that of `x`. Other prefixes cannot meet, and are not looked at.
 */
export function checkMacros(plan: Plan): void {
  const prefixes = prefixesOf(plan);
  if (!prefixes.some((prefix) => prefixes.some((other) => mayMeet(prefix, other)))) return;
  const owners = new Map<string, string>();
  for (const [macro, prefix] of macrosOf(plan)) {
    const owner = owners.get(macro);
    if (owner !== undefined && owner !== prefix) refuse(plan, macro, owner, prefix);
    owners.set(macro, prefix);
  }
}

function prefixesOf(plan: Plan): readonly string[] {
  const shared = sharedPrefix(plan);
  return [...plan.models.map(({ cPrefix }) => cPrefix), ...(shared === undefined ? [] : [shared])];
}

/** `KWS_W_2` continues `KWS` as a macro of its weights does. */
function mayMeet(prefix: string, longer: string): boolean {
  return /^_(T|I|W|SOURCE)(_|$)/.test(longer.startsWith(prefix) ? longer.slice(prefix.length) : '');
}

/** All macros with names of the model in them, one of each family that ends alike, and those of arenas; with their prefixes. */
function* macrosOf(plan: Plan): Generator<readonly [macro: string, prefix: string]> {
  for (const prefix of prefixesOf(plan)) {
    yield [`${prefix}_ARENA_SIZE`, prefix];
    for (const { c } of plan.regions) yield [`${prefix}_R_${c}_SIZE`, prefix];
  }
  for (const { model, c } of plan.tensors) {
    const prefix = plan.models[model]!.cPrefix;
    for (const macro of [`T_${c}_OFFSET`, `T_${c}_SIZE`, `I_${c}`]) yield [`${prefix}_${macro}`, prefix];
  }
  for (const [model, { cPrefix }] of plan.models.entries()) {
    for (const copy of copiedConstants(plan, model)) {
      for (const end of ['REGION', 'OFFSET', 'SIZE']) yield [`${copyMacro(plan, copy)}_${end}`, cPrefix];
      yield [sourceMacro(plan, copy), cPrefix];
    }
  }
}

function refuse(plan: Plan, macro: string, one: string, other: string): never {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  const at = plan.models.findIndex(({ cPrefix }) => cPrefix === longer);
  const label = at < 0 ? '' : `${modelLabel(plan, at)}=`;
  return fail('E_USAGE', `With the C prefixes ${shorter} and ${longer}, ${macro} would name two things.`, {
    hint: `--prefix "${label}${longer}2", or another one`,
  });
}
