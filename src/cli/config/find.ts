/** Finds the configuration: --config FILE, or the nearest file from the working directory upwards. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../../errors.ts';
import { readTextFile } from '../files.ts';

export const CONFIG_FILE = 'memplan.config.json';
const MANIFEST = 'package.json';
/** The key of a package.json that holds the configuration. */
const KEY = 'memplan';

export interface ConfigSource {
  /** The file, as one would type it from the working directory. */
  readonly path: string;
  /** Its folder, likewise. */
  readonly folder: string;
  /** Where in the file the configuration stands: '', or `memplan`. */
  readonly root: string;
  readonly value: unknown;
}

/** `config` is the value of --config, false for --no-config, or undefined. Throws E_FILE and E_CONFIG. */
export function findConfig(
  config: string | boolean | undefined,
  at: (path: string) => string,
): ConfigSource | undefined {
  if (config === false) return undefined;
  if (typeof config === 'string') return given(config, at);
  for (let folder = '.'; ; folder = join(folder, '..')) {
    const found = inFolder(folder, at);
    if (found !== undefined) return found;
    if (resolve(at(folder)) === resolve(at(join(folder, '..')))) return undefined;
  }
}

function given(path: string, at: (path: string) => string): ConfigSource {
  const value = parse(readTextFile(at(path)), path);
  if (!/(^|[/\\])package\.json$/.test(path)) return { path, folder: dirname(path), root: '', value };
  const own = ownKey(value);
  if (own === undefined) {
    return fail('E_CONFIG', `${path} has no key "${KEY}".`, { hint: `"${KEY}": { "target": "stm32h743" }` });
  }
  return { path, folder: dirname(path), root: KEY, value: own };
}

/** In one folder a file of its own goes before a part of package.json. */
function inFolder(folder: string, at: (path: string) => string): ConfigSource | undefined {
  const path = join(folder, CONFIG_FILE);
  if (existsSync(at(path))) return { path, folder, root: '', value: parse(readTextFile(at(path)), path) };
  const manifest = join(folder, MANIFEST);
  const text = readable(at(manifest));
  // Only a file that mentions memplan is read: others may be broken without being memplan's business.
  if (text === undefined || !text.includes(`"${KEY}"`)) return undefined;
  const value = ownKey(parse(text, manifest));
  return value === undefined ? undefined : { path: manifest, folder, root: KEY, value };
}

function readable(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function ownKey(manifest: unknown): unknown {
  if (typeof manifest !== 'object' || manifest === null || !Object.hasOwn(manifest, KEY)) return undefined;
  return (manifest as Record<string, unknown>)[KEY];
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const { message } = error as Error;
    return fail('E_CONFIG', `${path}${placeOf(message, text)} is not JSON: ${message}.`, {
      hint: 'JSON has no comments, and no comma after the last entry; --no-config ignores the file',
    });
  }
}

/** `, line 3, column 5`, of the position that the parser names. */
function placeOf(message: string, text: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `, line ${before.length}, column ${before.at(-1)!.length + 1},`;
}
