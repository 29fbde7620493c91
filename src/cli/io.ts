/** What a run may touch of the outside world: its streams, its environment, its working directory. */
import { isAbsolute, join, sep } from 'node:path';

/** The part of a writable stream that is used. */
export interface Output {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly hasColors?: ((count?: number) => boolean) | undefined;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths are relative to it; `.` is the directory of the process. */
  readonly cwd: string;
  /** True once somebody asked for the best plan so far; undefined: nobody can. */
  readonly interrupted?: (() => boolean) | undefined;
}

/** Where a path leads that was given relative to the working directory. */
export function pathIn(cwd: string): (path: string) => string {
  return (path) => (cwd === '.' || isAbsolute(path) ? path : join(cwd, path));
}

/** A path as files carry it that tools of every system read: with forward slashes. */
export function slashed(path: string): string {
  return sep === '\\' ? path.replaceAll(sep, '/') : path;
}
