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

/** A file anywhere. */
export interface PlacedFile {
  readonly path: string;
  readonly text: OutputFile['text'];
  /** A stamp: it gets a new date even where its bytes are the same. */
  readonly touch?: true;
}

/**
 * Brings files up to date, and makes their folders. A file that already holds the text is not touched. All new texts are
 * on the disk before the first one takes its place, in the order in which they are given. Throws E_WRITE.
 */
export function writeAll(files: readonly PlacedFile[]): readonly WrittenFile['status'][] {
  const staged: { readonly from: string; readonly to: string }[] = [];
  const seen = new Set<string>();
  let path = '';
  try {
    const statuses = files.map((file): WrittenFile['status'] => {
      path = file.path;
      // Jobs may share a file whose text is the same for all.
      if (seen.has(path)) return 'unchanged';
      seen.add(path);
      mkdirSync(dirname(path), { recursive: true });
      if (onDisk(path, file.text) === 'same' && file.touch !== true) return 'unchanged';
      staged.push(stage(path, file.text));
      return 'written';
    });
    for (const { from, to } of staged) {
      path = to;
      renameSync(from, to);
    }
    return statuses;
  } catch (error) {
    for (const { from } of staged) rmSync(from, { force: true });
    throw cannotWrite(path, error);
  }
}

/** The same for the files of one folder. */
export function writeFiles(dir: string, files: readonly OutputFile[]): readonly WrittenFile[] {
  const statuses = writeAll(files.map(({ name, text }) => ({ path: join(dir, name), text })));
  return files.map(({ name }, i) => ({ name, status: statuses[i]! }));
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

/** Writes the text beside its place. A link stays a link, and permissions stay. */
function stage(path: string, text: OutputFile['text']): { readonly from: string; readonly to: string } {
  const found = statSync(path, { throwIfNoEntry: false });
  // Found here, before any file takes its place: a file cannot be renamed to a folder.
  if (found?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  const mode = found?.mode;
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

/** The bytes of a file, in the parts in which they are made. */
export function* partsOf(text: OutputFile['text']): Generator<Uint8Array> {
  if (text instanceof Uint8Array) yield Buffer.from(text.buffer, text.byteOffset, text.byteLength);
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
