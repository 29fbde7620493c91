/** No kernel library: scratch is unknown, and only what holds for any element-by-element kernel is allowed. */
import { reference, referenceContract } from './reference.ts';
import type { KernelLibrary, Layout } from './types.ts';

/** In-place as the operator's own row allows it; an operator without a row writes to its own place. */
export function noLibrary(layout: Layout): KernelLibrary {
  return {
    ...reference(layout),
    name: 'none',
    contract: (scene, node) => ({ ...referenceContract(scene, node), scratch: undefined }),
    countsScratch: false,
    scratchAlignment: 1,
  };
}

export const none: KernelLibrary = noLibrary('nchw');
