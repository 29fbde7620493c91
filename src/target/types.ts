/** A target: a chip or board and its memories. The form of the JSON files under data/ and of users' files. */

export interface Dma {
  readonly reachable: readonly string[];
  readonly notReachable: readonly string[];
}

export interface Region {
  readonly name: string;
  /** Address of its first byte. */
  readonly origin: number;
  /** Bytes; null: not known, nothing is gated. */
  readonly size: number | null;
  readonly kind: string;
  /** False: instruction memory, or address 0; used only on request. */
  readonly usableForData: boolean;
  readonly cacheable: boolean | null;
  /** 0 is the fastest. A heuristic order, not a measured speed. */
  readonly speedRank: number;
  readonly dma: Dma | null;
  readonly bus: string | null;
  readonly notes: string | null;
}

export interface Cpu {
  /** `cortex-m7`, `cortex-a53`, ... */
  readonly core: string;
  readonly dsp: boolean | null;
  readonly mve: boolean | null;
  readonly dcache: boolean | null;
  readonly dcacheLineBytes: number | null;
  readonly gccFlags: string | null;
  readonly mpu: string | null;
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
  readonly recommendedAlign: {
    readonly tensorDefault: number;
    readonly dma: number | null;
    readonly cacheLine: number | null;
  };
  readonly notes: string | null;
  readonly source: readonly string[];
}
