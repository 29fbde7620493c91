/** What a kernel library promises about the memory its kernels touch: one table each, one row per operator. */
import type { ElementType } from '../graph/element-type.ts';
import type { MemoryOrder } from '../graph/memory-order.ts';
import type { Node } from '../graph/types.ts';
import type { KernelBuild } from '../target/types.ts';
import type { KernelCall, KernelScene } from './call.ts';
import type { Fusions } from './fusions.ts';

export type Layout = MemoryOrder;

/** Working memory of a kernel during its step. */
export interface Scratch {
  /** Tells several buffers of one kernel apart (`filter`); '' for the main one. */
  readonly part: string;
  readonly bytes: number;
}

/**
 * How it is known that a kernel may write its output over an operand. `defined`: the operator walks element by
 * element, and whoever writes the kernel keeps to it. `proved`: runs of the library over poisoned memory gave the
 * same bytes as out of place (docs/kernels.md). `unproved`: used only with --trust unproved.
 */
export type Proof = 'defined' | 'proved' | 'unproved';

/** One operator of one library, version and build, for some element types. */
export interface KernelRow {
  readonly op: string;
  /** Of the data; without it any. */
  readonly types?: readonly ElementType[];
  /** Why the kernel cannot take this call, or undefined when it can. */
  readonly refuses?: ((call: KernelCall) => string | undefined) | undefined;
  /** undefined: not known. Without it the kernel needs none. */
  readonly scratch?: (call: KernelCall) => readonly Scratch[] | undefined;
  /** Operands whose bytes output 0 may take over, best first. */
  readonly inPlace?: readonly number[];
  /** Of `inPlace`; default unproved. */
  readonly proof?: Proof;
}

/** What holds for one node. */
export interface Contract {
  /** Why the library has no kernel for it, so that a reference kernel stands in. */
  readonly missing?: string;
  /** undefined: not known. */
  readonly scratch: readonly Scratch[] | undefined;
  readonly inPlace: readonly number[];
  readonly proof: Proof;
}

export interface KernelLibrary {
  readonly name: string;
  /** null: it has no versions that differ. */
  readonly version: string | null;
  readonly build: KernelBuild | null;
  readonly layout: Layout;
  readonly contract: (scene: KernelScene, node: Node) => Contract;
  /** False: scratch is not known, and totals are lower bounds. */
  readonly countsScratch: boolean;
  /** Alignment in bytes that every tensor and every scratch buffer needs. */
  readonly tensorAlignment: number;
  readonly scratchAlignment: number;
  /** Bytes past the end of any tensor that kernels may read or write. */
  readonly slackBytes: number;
  /** What `--fuse default` makes one step of, and whether it is the default. */
  readonly fusions: Fusions;
  readonly fuses: boolean;
}
