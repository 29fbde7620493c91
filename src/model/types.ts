/** What reading a model file yields. */
import type { Diagnostic } from '../errors.ts';
import type { Graph } from '../graph/types.ts';

export interface Model {
  /** The file's name without folder and extension. */
  readonly name: string;
  /** The file's base name. */
  readonly file: string;
  /** Of the model file, in hex. Files with external data are not part of it. */
  readonly sha256: string;
  readonly irVersion: number;
  readonly producer: string;
  /** Names resolved, nodes sorted, functions inlined, Constant nodes turned into weights; facts not yet inferred. */
  readonly graph: Graph;
  /** Warnings and notes; errors are thrown. */
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of external data files the model names, as given in the file. */
  readonly externalFiles: readonly string[];
}
