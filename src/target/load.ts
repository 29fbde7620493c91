/** Finds targets: built-in ones by id or alias, users' own by path; reads one file, not the whole collection. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { diagnostic, fail, MemplanError } from '../errors.ts';
import { completeTarget } from './complete.ts';
import { extendDraft, readDraft, type TargetDraft } from './draft.ts';
import type { Faults } from './fields.ts';
import { nearestNames } from './nearest.ts';
import { isPoolList, readPools } from './st-pools.ts';
import type { Target } from './types.ts';
import { applyVariant, splitVariant } from './variants.ts';

/** Built-in targets: beside the bundle in the package, in data/ in the source tree. */
const FOLDER = ['./targets/', './data/']
  .map((folder) => new URL(folder, import.meta.url))
  .find((folder) => existsSync(folder));

/** Written by the build: every alias with its id, so that finding one needs no look into every file. */
const INDEX = 'index.json';

const LIST_HINT = { hint: '"memplan targets" lists what is built in.' };
const FORM_HINT = { hint: '"memplan targets stm32h743 --json" shows a whole target.' };

/**
 * Loads a built-in target by id or alias, in any case, or a target file by path (anything with a slash or ending in
 * .json, or a file of that name). Throws E_TARGET: all faults of a file together, each with its place in the file.
 */
export function loadTarget(nameOrFile: string): Target {
  const { base: name, variant } = splitVariant(nameOrFile);
  if (variant !== undefined && !/[\\/]/.test(nameOrFile)) return loadVariant(name, variant);
  const isPath = /[\\/]|\.(json|mpool)$/i.test(nameOrFile);
  const id = isPath ? undefined : resolveName(nameOrFile);
  if (id !== undefined) return finish(nameOrFile, readBuiltIn(id), undefined, []);
  if (!isPath && !existsSync(nameOrFile)) return failUnknown(nameOrFile);

  const faults: Faults = [];
  const json = readJson(nameOrFile);
  if (isPoolList(json)) return loadPools(nameOrFile, json);
  const own = readDraft(json, '', faults) ?? {};
  const base = own.extends === undefined ? undefined : resolveName(own.extends);
  if (own.extends !== undefined && base === undefined) {
    const near = nearTargets(own.extends);
    const meant = near.length === 0 ? '' : ` (did you mean ${near.join(', ')}?)`;
    faults.push(`extends: expected a built-in target, found "${own.extends}"${meant}`);
  }
  if (base !== undefined) return finish(nameOrFile, extendDraft(readBuiltIn(base), own), undefined, faults);
  const core = own.cpu?.core;
  const generic = core === undefined ? undefined : resolveName(core);
  return finish(nameOrFile, own, generic === undefined ? undefined : readBuiltIn(generic), faults);
}

/** Throws E_TARGET for a variant that the target does not have. */
function loadVariant(name: string, variant: string): Target {
  const id = resolveName(name);
  if (id === undefined) return failUnknown(name);
  const base = readBuiltIn(id);
  const found = base.variants?.find((one) => one.name === variant.toLowerCase());
  if (found !== undefined)
    return finish(`${name}:${variant}`, applyVariant(base, variant.toLowerCase(), found), undefined, []);
  const names = (base.variants ?? []).map((one) => `${name}:${one.name}`).join(', ');
  return fail('E_TARGET', `${id} has no variant "${variant}".`, {
    hint: names === '' ? `It has none: --target ${name}.` : `Its variants: ${names}.`,
  });
}

/** A list of memory pools in the form of ST. */
function loadPools(path: string, json: Readonly<Record<string, unknown>>): Target {
  const faults: Faults = [];
  const label = basename(path);
  const regionsOf = (chip: string) => {
    const id = resolveName(chip);
    if (id === undefined) faults.push(`extends: expected a built-in target, found "${chip}"`);
    return id === undefined ? [] : (readBuiltIn(id).regions ?? []);
  };
  const { draft, chip, remarks } = readPools(json, label, regionsOf, faults);
  const id = chip === undefined ? draft.cpu?.core && resolveName(draft.cpu.core) : resolveName(chip);
  const generic = id === undefined || id === '' ? undefined : readBuiltIn(id);
  if (generic === undefined) {
    faults.push('the core is not in the file: add "extends": "stm32h743", or "cpu": { "core": "cortex-m7" }');
  }
  const core = draft.cpu?.core ?? generic?.cpu?.core;
  const cpu = core === undefined ? {} : { core };
  return { ...finish(path, { ...draft, cpu }, generic, faults), remarks };
}

/** Ids of the built-in targets, sorted. */
export function listTargets(): readonly string[] {
  return readdirSync(dataFolder())
    .filter((file) => file.endsWith('.json') && file !== INDEX)
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

function finish(label: string, draft: TargetDraft, generic: TargetDraft | undefined, faults: Faults): Target {
  const target = faults.length > 0 ? undefined : completeTarget(draft, generic, faults);
  if (target !== undefined) return target;
  const [first, ...others] = faults.map((fault) => diagnostic('E_TARGET', `${label}: ${fault}`, FORM_HINT));
  throw new MemplanError([first!, ...others]);
}

/** The id behind an id or alias, or undefined. */
function resolveName(name: string): string | undefined {
  const wanted = name.toLowerCase();
  if (/^[a-z0-9][a-z0-9_.-]*$/.test(wanted) && existsSync(new URL(`${wanted}.json`, dataFolder()))) {
    return `${wanted}.json` === INDEX ? undefined : wanted;
  }
  const aliases = readAliases();
  return Object.hasOwn(aliases, wanted) ? aliases[wanted] : undefined;
}

function readAliases(): Readonly<Record<string, string>> {
  const index = new URL(INDEX, dataFolder());
  if (existsSync(index)) return JSON.parse(readFileSync(index, 'utf8')) as Record<string, string>;
  const pairs = listTargets().flatMap((id) => (readBuiltIn(id).aliases ?? []).map((alias) => [alias, id]));
  return Object.fromEntries(pairs) as Record<string, string>;
}

function readBuiltIn(id: string): TargetDraft {
  const faults: Faults = [];
  const raw: unknown = JSON.parse(readFileSync(new URL(`${id}.json`, dataFolder()), 'utf8'));
  const draft = readDraft(raw, '', faults);
  if (draft === undefined || faults.length > 0)
    return fail('E_INTERNAL', `target ${id}: ${faults.join('; ')}`);
  return draft;
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return fail('E_TARGET', `There is no target file ${path}.`, LIST_HINT);
    return fail('E_TARGET', `The target file ${path} cannot be read (${code}).`, LIST_HINT);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return fail('E_TARGET', `The target file ${path} is not JSON.`, FORM_HINT);
  }
}

function failUnknown(name: string): never {
  const near = nearTargets(name);
  const hint = near.length === 0 ? LIST_HINT.hint : `Did you mean ${near.join(', ')}? ${LIST_HINT.hint}`;
  return fail('E_TARGET', `There is no target "${name}".`, { hint });
}

function nearTargets(name: string): readonly string[] {
  return nearestNames(name, [...listTargets(), ...Object.keys(readAliases())]);
}

function dataFolder(): URL {
  return FOLDER ?? fail('E_INTERNAL', 'the built-in targets are missing from this installation');
}
