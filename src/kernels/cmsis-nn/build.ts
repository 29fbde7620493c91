/** Which CMSIS-NN it is: its scratch differs between versions, builds and, in two places, compilers. */
import type { KernelBuild } from '../../target/types.ts';

/**
 * 5: release 5.0.0; 6: 6.0.0; 7: 7.0.0 and what followed it until July 2026 (commit 99f736a6; TensorFlow Lite Micro
 * pins one with the same sizes).
 */
export const CMSIS_NN_VERSIONS = ['5', '6', '7', '7-armclang'] as const;

export type CmsisNnVersion = (typeof CMSIS_NN_VERSIONS)[number];

export interface CmsisNn {
  readonly version: 5 | 6 | 7;
  readonly build: KernelBuild;
  /** Compiled with armclang 6.10 or later: pointwise kernels of the DSP build take another path. */
  readonly armclang: boolean;
}

export function cmsisNnOf(version: CmsisNnVersion, build: KernelBuild): CmsisNn {
  return { version: Number(version[0]) as CmsisNn['version'], build, armclang: version.endsWith('armclang') };
}
