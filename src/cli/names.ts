/** Parsers of option values that become names of files, C symbols and linker sections. */
import { isPrefix } from '../emit/identifiers.ts';
import { fail } from '../errors.ts';
import { type Pair, parsePair } from './values.ts';

/** The name of a file without folder and extension. Throws E_USAGE. */
export function parseName(flag: string, text: string): string {
  if (/^[A-Za-z0-9_+-][A-Za-z0-9_.+-]*$/.test(text)) return text;
  return fail('E_USAGE', `${flag}: "${text}" is no plain file name`, {
    hint: '--out says where the files go, --name kws how they are called',
  });
}

/** A prefix of C names: `NAME`, or `MODEL=NAME` for one of several models. Throws E_USAGE. */
export function parsePrefix(flag: string, text: string): Pair {
  const at = text.lastIndexOf('=');
  const pair = { name: text.slice(0, Math.max(at, 0)), value: text.slice(at + 1) };
  if (at !== 0 && isPrefix(pair.value)) return pair;
  return fail('E_USAGE', `${flag}: "${pair.value}" must be letters and digits, with single _ between them`, {
    hint: '--prefix KWS',
  });
}

/** `REGION=NAME`; an empty name puts the arena among ordinary data. Throws E_USAGE. */
export function parseSection(flag: string, text: string): Pair {
  const pair = parsePair(flag, text, '=', 'DTCM=.bss.memplan.DTCM');
  if (/^[A-Za-z0-9_.$-]*$/.test(pair.value)) return pair;
  return fail('E_USAGE', `${flag}: "${pair.value}" is no section name`);
}
