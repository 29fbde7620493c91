/** A target: a chip or board and its memories. What the JSON files under data/ and users' files say, defaults filled in. */

export interface Dma {
  /** Names of the engines that reach the region. */
  readonly reachable: readonly string[];
  readonly notReachable: readonly string[];
}

export interface Region {
  readonly name: string;
  /** Address of its first byte; null: not known, or not fixed (virtual addresses, a generic core). */
  readonly origin: number | null;
  /** Bytes; null: not known, nothing is gated. */
  readonly size: number | null;
  /** `sram`, `dtcm`, `itcm`, `ccm`, `backup`, `ext`, `code`. */
  readonly kind: string;
  /** False: instruction memory, or address 0; used only on request. */
  readonly usableForData: boolean;
  readonly cacheable: boolean | null;
  /** 0 is the fastest. A heuristic order, not a measured speed. */
  readonly speedRank: number;
  readonly dma: Dma | null;
  /** What code must do before it works (a clock, a controller), or null. */
  readonly init: string | null;
  readonly bus: string | null;
  /** Other addresses at which the same bytes appear: they are counted once. */
  readonly aliasOrigins: readonly number[];
  readonly notes: string | null;
}

/** Builds of CMSIS-NN that differ in their scratch sizes. */
export type KernelBuild = 'scalar' | 'dsp' | 'mve';

export interface Cpu {
  /** `cortex-m7`, `cortex-a53`, ... */
  readonly core: string;
  readonly cores: number;
  readonly fpu: string | null;
  readonly dsp: boolean | null;
  readonly mve: boolean | null;
  readonly dcache: boolean | null;
  readonly dcacheLineBytes: number | null;
  readonly dcacheBytes: number | null;
  readonly l2Bytes: number | null;
  readonly gccFlags: string | null;
  /** null: CMSIS-NN does not run on the core. */
  readonly cmsisNnBuild: KernelBuild | null;
  readonly mpu: string | null;
}

export interface RecommendedAlign {
  /** Offset alignment of every tensor, in bytes, unless --align says otherwise. */
  readonly tensorDefault: number;
  /** Base and size of buffers a DMA engine touches. */
  readonly dma: number | null;
  readonly cacheLine: number | null;
}

export interface Target {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly vendor: string | null;
  readonly family: string | null;
  readonly cpu: Cpu;
  /** null: external or unknown. */
  readonly flashBytes: number | null;
  readonly regions: readonly Region[];
  /** The region of the default arena. */
  readonly main: string;
  /** The region of ordinary data: stack, heap, .data and .bss of the usual firmware; null: not known. */
  readonly stack: string | null;
  readonly recommendedAlign: RecommendedAlign;
  /** Other splits of its memories, by name: `--target ID:NAME`. */
  readonly variants: readonly { readonly name: string; readonly notes: string | null }[];
  /** What a file in another form was taken to say. */
  readonly remarks: readonly string[];
  readonly notes: string | null;
  /** Where each fact was read. */
  readonly source: readonly string[];
  /** What was not read in a source. */
  readonly unverifiedFields: readonly string[];
}
