/** Reads the text files that are named on a command line, and adds to the summary of a CI job. */
import { appendFileSync, readFileSync } from 'node:fs';
import { fail } from '../errors.ts';

/** The text of a UTF-8 file, without a byte order mark. Throws E_FILE that says why it cannot be read; `hint`: what to do then. */
export function readTextFile(path: string, hint?: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const where = hint === undefined ? {} : { hint };
    return fail('E_FILE', `${path}: ${reason(error as NodeJS.ErrnoException)}`, where);
  }
}

/** The bytes of a file. Throws E_FILE that says why it cannot be read. */
export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    return fail('E_FILE', `${path}: ${reason(error as NodeJS.ErrnoException)}`);
  }
}

/** The text of a file, or undefined when there is none that can be read. */
export function existingText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Throws E_WRITE. */
export function appendTextFile(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    fail('E_WRITE', `${path}: ${reason(error as NodeJS.ErrnoException)}`);
  }
}

function reason({ code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return `${code}`;
}
