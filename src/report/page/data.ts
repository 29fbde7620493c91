/** What the page of a plan hands to its script: written by `html/data.ts`, read in the browser. Names are printable. */

export interface PageStep {
  readonly node: string;
  readonly op: string;
}

export interface PageTensor {
  readonly name: string;
  /** `float32 [1,6,16,16]`. */
  readonly type: string;
  /** From the start of the region's arena. */
  readonly offset: number;
  readonly bytes: number;
  readonly first: number;
  readonly end: number;
  /** `in place of conv1/out`; empty where it has its own bytes. */
  readonly how: string;
  /** Why it stays; empty where its last reader decides that. */
  readonly stays: string;
  /** Steps; null: written by the caller. */
  readonly writer: number | null;
  readonly readers: readonly number[];
}

export interface PageBox {
  readonly id: number;
  readonly name: string;
  /** Index of its region. */
  readonly region: number;
  readonly look: string;
  readonly first: number;
  readonly end: number;
  /** From the start of the region's arena. */
  readonly offset: number;
  readonly bytes: number;
  readonly alignment: number;
  /** Why it lies there, as a sentence. */
  readonly why: string;
  /** Ids of the buffers that hold it up. */
  readonly restsOn: readonly number[];
  readonly tensors: readonly PageTensor[];
}

export interface PageRegion {
  readonly name: string;
  /** Address of its first byte, where it is known. */
  readonly origin: number | null;
  /** Bytes that the address axis spans. */
  readonly span: number;
  /** Live bytes by step. */
  readonly live: readonly number[];
}

export interface PageData {
  readonly steps: readonly PageStep[];
  readonly peak: number;
  readonly regions: readonly PageRegion[];
  /** Steps of one of several models, and what stands before the names of its tensors. */
  readonly turns: readonly { readonly first: number; readonly end: number; readonly prefix: string }[];
  /** The boxes that are drawn, in the order in which they are. */
  readonly boxes: readonly PageBox[];
  /** By look, what legends call it. */
  readonly looks: Readonly<Record<string, string>>;
}
