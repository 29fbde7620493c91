/** What inference is told and what it says. */
import type { Diagnostic } from '../errors.ts';
import type { DimRanges } from '../graph/dim-range.ts';
import type { Fact, TypedGraph } from '../graph/types.ts';

export interface Bindings {
  /** Sizes of named dimensions (--dim N=4). */
  readonly dims: ReadonlyMap<string, number>;
  /** Named dimensions that may have any size of a range (--dim N=1..8). */
  readonly ranges?: DimRanges;
  /** The most elements of tensors whose size depends on data (--max-size T=100), by name. */
  readonly maxSizes?: ReadonlyMap<string, number>;
  /** Size of every dimension that is still open (--dim *=1). */
  readonly all: number | undefined;
  /** Shapes of graph inputs by name (--input-shape x:1,3,224,224). */
  readonly inputShapes: ReadonlyMap<string, readonly number[]>;
  /** Facts of outputs of nodes without a shape rule (--op-shape), by node label or `#index`. */
  readonly opShapes: ReadonlyMap<string, readonly Fact[]>;
}

export const NO_BINDINGS: Bindings = {
  dims: new Map(),
  all: undefined,
  inputShapes: new Map(),
  opShapes: new Map(),
};

export interface Inferred {
  readonly graph: TypedGraph;
  /** Warnings and notes, e.g. a declared shape that was overruled. */
  readonly diagnostics: readonly Diagnostic[];
}
