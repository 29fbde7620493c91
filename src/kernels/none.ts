/** No kernel library: scratch is unknown, and only what holds for any element-by-element kernel is allowed. */
import { findRow } from '../ops/registry.ts';
import { COMMON_FUSIONS } from './fusions.ts';
import type { KernelLibrary } from './types.ts';

/** In-place as the operator's own row allows it; an operator without a row writes to its own place. */
export const none: KernelLibrary = {
  name: 'none',
  inPlaceOperands: (node) => findRow(node.domain, node.op)?.inPlace ?? [],
  countsScratch: false,
  fusions: COMMON_FUSIONS,
};
