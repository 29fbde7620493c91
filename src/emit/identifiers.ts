/** C names for tensors and models: injective, stable, and the same on every machine. */
import { createHash } from 'node:crypto';

const LONGEST_NAME = 100;
const LONGEST_PREFIX = 40;
/** Hexadecimal digits of a hash: the first try, and the tries after it should names still collide. */
const HASH_DIGITS = [8, 16, 64] as const;

/**
 * One C name per tensor name, to stand behind a prefix (it may begin with a digit or be a keyword).
 * Letters, digits and `_` are kept, every other byte of the UTF-8 form becomes `_xHH`; names over 100 characters are
 * cut and get a hash of the whole name, as do all names that would collide. The names must differ.
 */
export function cNames(names: readonly string[]): readonly string[] {
  const tries = names.map(() => 0);
  const made = names.map((name) => cName(name, 0));
  for (let clash = collisions(made); clash.length > 0; clash = collisions(made)) {
    for (const i of clash) {
      tries[i] = Math.min(tries[i]! + 1, HASH_DIGITS.length);
      made[i] = cName(names[i]!, tries[i]!);
    }
    if (clash.every((i) => tries[i] === HASH_DIGITS.length)) break;
  }
  return made;
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
function cName(name: string, tries: number): string {
  const plain = escaped(name);
  const needsHash = plain === '' || plain.length > LONGEST_NAME;
  const digits = HASH_DIGITS[tries - 1] ?? (needsHash ? HASH_DIGITS[0] : 0);
  if (digits === 0) return plain;
  return `${plain.slice(0, LONGEST_NAME - 1 - digits)}_${hash(name, digits)}`;
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
