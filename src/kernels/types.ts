/** What a kernel library promises about the memory its kernels touch. */
import type { Node } from '../graph/types.ts';
import type { Fusions } from './fusions.ts';

export interface KernelLibrary {
  readonly name: string;
  /**
   * Positions of the operands whose bytes output 0 of the node may take over, best first: the kernel reads each
   * element before it writes the one in its place.
   */
  readonly inPlaceOperands: (node: Node) => readonly number[];
  /** False: scratch is not known, and totals are lower bounds. */
  readonly countsScratch: boolean;
  /** What `--fuse default` makes one step of. */
  readonly fusions: Fusions;
}
