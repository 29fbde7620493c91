/** Writes generated files: only when their bytes change, each by rename, and either all of them or none. */
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';

export interface OutputFile {
  /** File name, without a folder. */
  readonly name: string;
  /** Text, whole or in parts, or bytes of a binary file. */
  readonly text: string | Iterable<string> | Uint8Array;
}

export interface WholeFile extends OutputFile {
  readonly text: string | Uint8Array;
}

export interface TextFile extends WholeFile {
  readonly text: string;
}

export interface WrittenFile {
  readonly name: string;
  readonly status: 'written' | 'unchanged';
}

/**
 * Brings the files of a folder up to date, which is made if it is missing. A file that already holds the text is not
 * touched. All new texts are on the disk before the first one takes its place. Throws E_WRITE.
 */
export function writeFiles(dir: string, files: readonly OutputFile[]): readonly WrittenFile[] {
  const staged: { readonly from: string; readonly to: string }[] = [];
  let path = dir;
  try {
    mkdirSync(dir, { recursive: true });
    const written = files.map(({ name, text }): WrittenFile => {
      path = join(dir, name);
      if (onDisk(path, text) === 'same') return { name, status: 'unchanged' };
      staged.push(stage(path, text));
      return { name, status: 'written' };
    });
    for (const { from, to } of staged) {
      path = to;
      renameSync(from, to);
    }
    return written;
  } catch (error) {
    for (const { from } of staged) rmSync(from, { force: true });
    throw cannotWrite(path, error);
  }
}

/** E_STALE for every file that --check finds missing or different; writes nothing. Throws E_WRITE. */
export function staleFiles(dir: string, files: readonly OutputFile[]): readonly Diagnostic[] {
  return files.flatMap(({ name, text }) => {
    const found = compared(join(dir, name), text);
    if (found === 'same') return [];
    const what = found === 'missing' ? 'does not exist' : 'is not what would be written';
    const hint = 'run the same command without --check, and commit the result';
    return [diagnostic('E_STALE', `${name} ${what}.`, { hint })];
  });
}

/** Makes the stamp newer than everything written before it, as make and ninja ask. Throws E_WRITE. */
export function touchStamp(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Writes the text beside its place. A link stays a link, and permissions stay. */
function stage(path: string, text: OutputFile['text']): { readonly from: string; readonly to: string } {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const to = mode === undefined ? path : realpathSync(path);
  const from = `${to}.${process.pid}.tmp`;
  try {
    writeParts(from, text);
    if (mode !== undefined) chmodSync(from, mode);
  } catch (error) {
    rmSync(from, { force: true });
    throw error;
  }
  return { from, to };
}

function writeParts(path: string, text: OutputFile['text']): void {
  const file = openSync(path, 'w');
  try {
    for (const bytes of partsOf(text)) {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    }
  } finally {
    closeSync(file);
  }
}

function* partsOf(text: OutputFile['text']): Iterable<Uint8Array> {
  if (text instanceof Uint8Array) yield text;
  else for (const part of typeof text === 'string' ? [text] : text) yield Buffer.from(part);
}

function compared(path: string, text: OutputFile['text']): Found {
  try {
    return onDisk(path, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

type Found = 'missing' | 'different' | 'same';

/** Reads no further than to the first part that differs. */
function onDisk(path: string, text: OutputFile['text']): Found {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return 'missing';
  const file = openSync(path, 'r');
  try {
    let at = 0;
    for (const bytes of partsOf(text)) {
      const found = Buffer.alloc(bytes.length);
      readSync(file, found, 0, found.length, at);
      if (at + bytes.length > size || !found.equals(bytes)) return 'different';
      at += bytes.length;
    }
    return at === size ? 'same' : 'different';
  } finally {
    closeSync(file);
  }
}

function cannotWrite(path: string, error: unknown): MemplanError {
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    EISDIR: 'it is a folder',
    ENOTDIR: 'part of its path is a file',
    EEXIST: 'part of its path is a file',
    ENAMETOOLONG: 'its name is too long',
  };
  const code = codeOf(error);
  const reason = reasons[code] ?? code;
  return new MemplanError([
    diagnostic('E_WRITE', `${path} cannot be written: ${reason}.`, {
      hint: 'choose another folder with --out',
    }),
  ]);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
