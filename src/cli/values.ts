/** Parsers of option values: sizes, percentages, and NAME=VALUE pairs whose names may contain anything. */
import { BYTES_FORMS, isPowerOfTwo, parseBytes } from '../bytes.ts';
import { fail } from '../errors.ts';

/** A size in bytes, see `parseBytes`. Throws E_USAGE. */
export function parseSize(flag: string, text: string): number {
  const bytes = parseBytes(text);
  if (bytes === undefined) {
    return fail('E_USAGE', `${flag}: "${text}" is not a size in bytes`, {
      hint: `sizes are written ${BYTES_FORMS}`,
    });
  }
  return bytes;
}

/** A size in bytes of at least 1. Throws E_USAGE. */
export function parsePositiveSize(flag: string, text: string): number {
  const bytes = parseSize(flag, text);
  return bytes > 0 ? bytes : fail('E_USAGE', `${flag}: must be at least 1`);
}

/** Bytes that addresses can be multiples of: a power of two. Throws E_USAGE. */
export function parseAlignment(flag: string, text: string): number {
  const bytes = parsePositiveSize(flag, text);
  return isPowerOfTwo(bytes)
    ? bytes
    : fail('E_USAGE', `${flag}: ${bytes} is not a power of two, so no compiler or linker can align to it`);
}

/** A whole number of at least `least`. Throws E_USAGE. */
export function parseCount(flag: string, text: string, least = 0): number {
  const value = /^\d+$/.test(text) ? Number(text) : undefined;
  if (value === undefined || value < least || !Number.isSafeInteger(value)) {
    return fail('E_USAGE', `${flag}: "${text}" is not a whole number of at least ${least}`);
  }
  return value;
}

/** A number of bits from 1 to 8. Throws E_USAGE. */
export function parseBits(flag: string, text: string): number {
  if (/^[1-8]$/.test(text)) return Number(text);
  return fail('E_USAGE', `${flag}: "${text}" is not a whole number from 1 to 8`, { hint: `${flag} 4` });
}

/** `2%`, `0.5%` or `2` (percent): the number before the sign. Throws E_USAGE. */
export function parsePercent(flag: string, text: string): number {
  const parts = /^(\d+(?:\.\d+)?)%?$/.exec(text);
  if (parts === null) {
    return fail('E_USAGE', `${flag}: "${text}" is not a percentage`, { hint: `${flag} 2%` });
  }
  return Number(parts[1]);
}

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/**
 * Splits `NAME<separator>VALUE` at the last separator, because names of tensors may contain any character and
 * the values here never contain one. Throws E_USAGE when there is no name or no separator.
 */
export function parsePair(flag: string, text: string, separator: '=' | ':', example: string): Pair {
  const at = text.lastIndexOf(separator);
  if (at < 1) {
    return fail('E_USAGE', `${flag}: "${text}" has no "${separator}" between a name and a value`, {
      hint: `${flag} ${example}`,
    });
  }
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

/** `1,3,224,224`; an empty text is a scalar. Sizes are whole numbers. Throws E_USAGE. */
export function parseShape(flag: string, text: string): readonly number[] {
  if (text.trim() === '') return [];
  return text.split(',').map((dim) => {
    if (/^\s*\d+\s*$/.test(dim) && Number.isSafeInteger(Number(dim))) return Number(dim);
    const range = /^\s*\d+\.\.\d+\s*$/.test(dim);
    const hint = range
      ? `a range belongs to a dimension that has a name in the model: --dim NAME=${dim.trim()}`
      : `${flag} x:1,3,224,224`;
    return fail('E_USAGE', `${flag}: "${text}" is not a list of sizes`, { hint });
  });
}

/** A comma-separated list without empty entries. Throws E_USAGE when nothing is left. */
export function parseList(flag: string, text: string): readonly string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items.length > 0 ? items : fail('E_USAGE', `${flag}: the list is empty`);
}

/** Each item once, at its first place. Throws E_USAGE for a list that has none. */
export function parseSet(flag: string, text: string): readonly string[] {
  return [...new Set(parseList(flag, text))];
}

/** Positive numbers, each once: `0.5` or `0.5,0.75,1`. Throws E_USAGE. */
export function parseFactors(flag: string, text: string): readonly number[] {
  const factors = parseList(flag, text).map((item) => {
    const factor = /^\d*\.?\d+$/.test(item) ? Number(item) : 0;
    if (factor > 0 && Number.isFinite(factor)) return factor;
    return fail('E_USAGE', `${flag}: "${item}" is no factor above 0`, { hint: `${flag} 0.5,0.75,1` });
  });
  return [...new Set(factors)];
}

/** `BYTES` for the whole (name '') or `REGION=BYTES`. Throws E_USAGE. */
export function parseRegionBytes(
  flag: string,
  text: string,
): { readonly name: string; readonly bytes: number } {
  const at = text.lastIndexOf('=');
  if (at === 0) return fail('E_USAGE', `${flag}: "${text}" names no region`, { hint: `${flag} SRAM=64K` });
  return { name: text.slice(0, Math.max(at, 0)), bytes: parseSize(flag, text.slice(at + 1)) };
}

/** `REGION=BYTES`. Throws E_USAGE. */
export function parseReserve(flag: string, text: string): { readonly name: string; readonly bytes: number } {
  const { name, value } = parsePair(flag, text, '=', 'SRAM=16K');
  return { name, bytes: parseSize(flag, value) };
}
