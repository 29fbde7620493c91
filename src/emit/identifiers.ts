/** C names for tensors and models: injective, stable, and the same on every machine. */
import { createHash } from 'node:crypto';
import { fail } from '../errors.ts';

const LONGEST_NAME = 100;
/** Of the longest macro of a tensor all but the prefix and its name: `KWS_T_conv1_OFFSET`. */
const MACRO_PARTS = '_T_'.length + '_OFFSET'.length;
/** Shorter ones would be little more than their hash. */
const SHORTEST_NAME = 12;
const LONGEST_PREFIX = 40;
/** Hexadecimal digits of a hash: the first try, and the tries after it should names still collide. */
const HASH_DIGITS = [8, 16, 64] as const;

/**
 * One C name per tensor name, to stand behind a prefix (it may begin with a digit or be a keyword).
 * Letters, digits and `_` are kept, every other byte of the UTF-8 form becomes `_xHH`; names over `longest` characters are
 * cut and get a hash of the whole name, as do all names that would collide. The names must differ.
 */
export function cNames(names: readonly string[], longest = LONGEST_NAME): readonly string[] {
  const tries = names.map(() => 0);
  const made = names.map((name) => cName(name, 0, longest));
  for (let clash = collisions(made); clash.length > 0; clash = collisions(made)) {
    for (const i of clash) {
      tries[i] = Math.min(tries[i]! + 1, HASH_DIGITS.length);
      made[i] = cName(names[i]!, tries[i]!, longest);
    }
    if (clash.every((i) => tries[i] === HASH_DIGITS.length)) break;
  }
  return made;
}

/**
 * How long a tensor's C name may be for its macros to have at most `length` characters behind any of the prefixes. Throws
 * E_USAGE where next to nothing of a name would be left.
 */
export function longestName(length: number | undefined, prefixes: readonly string[]): number {
  if (length === undefined) return LONGEST_NAME;
  const longest = prefixes.reduce((most, prefix) => (prefix.length > most.length ? prefix : most), '');
  const left = length - longest.length - MACRO_PARTS;
  if (left >= SHORTEST_NAME) return Math.min(left, LONGEST_NAME);
  const text = `--name-length ${length}: behind ${longest}_T_ and before _OFFSET ${Math.max(0, left)} characters are left for a name.`;
  return fail('E_USAGE', text, {
    hint: `--name-length ${longest.length + MACRO_PARTS + SHORTEST_NAME} at least, or a shorter --prefix`,
  });
}

/**
 * The C prefix of a model, from its file name: `kws-v2.onnx` gives `KWS_V2`. Not injective: two models of one firmware
 * whose files have like names need --prefix.
 */
export function cPrefix(fileName: string): string {
  const base = fileName.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
  const plain = base
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  const named = /^[A-Z]/.test(plain) ? plain : `MODEL_${plain}`.replace(/_$/, '');
  if (named.length <= LONGEST_PREFIX) return named;
  return `${named.slice(0, LONGEST_PREFIX - 9)}_${hash(base, 8).toUpperCase()}`;
}

/** True for a prefix that makes valid, unreserved C and C++ names. */
export function isPrefix(text: string): boolean {
  return /^[A-Za-z]([A-Za-z0-9_]*[A-Za-z0-9])?$/.test(text) && !text.includes('__');
}

/** `tries` 0: without a hash unless the name is empty or too long. */
function cName(name: string, tries: number, longest: number): string {
  const plain = escaped(name);
  const needsHash = plain === '' || plain.length > longest;
  const digits = Math.min(HASH_DIGITS[tries - 1] ?? (needsHash ? HASH_DIGITS[0] : 0), longest - 1);
  if (digits === 0) return plain;
  return `${plain.slice(0, longest - 1 - digits)}_${hash(name, digits)}`;
}

function escaped(name: string): string {
  if (/^[A-Za-z0-9_]*$/.test(name)) return name;
  let out = '';
  for (const byte of Buffer.from(name, 'utf8')) {
    const char = String.fromCharCode(byte);
    out += /[A-Za-z0-9_]/.test(char) ? char : `_x${byte.toString(16).padStart(2, '0')}`;
  }
  return out;
}

/** Indexes of all names that are not alone. */
function collisions(names: readonly string[]): readonly number[] {
  if (new Set(names).size === names.length) return [];
  const seen = new Map<string, number>();
  for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
  return [...names.keys()].filter((i) => seen.get(names[i]!)! > 1);
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, digits);
}
