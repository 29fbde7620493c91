/**
 * What a template may print: the view model. Every value is a finished C token, name or sentence, safe where the
 * templates put it; templates decide nothing but order and layout.
 */

import type { Rows } from './rows.ts';

/** Raised when a field changes its meaning or goes away; new fields alone do not raise it. */
export const VIEW_VERSION = 3;

export interface View {
  readonly version: typeof VIEW_VERSION;
  /** plan.json's schema. */
  readonly schema: number;
  readonly header: string;
  readonly source: string;
  /** The fragment of a linker script. */
  readonly linker: string;
  /** Some arena has a section of its own, and so the fragment a name for its memory. */
  readonly aliases: boolean;
  /** Include guard. */
  readonly guard: string;
  /** Prefix of macros (`KWS`) and of functions, types and variables (`kws`). */
  readonly P: string;
  readonly p: string;
  /** Model files and target, for comments. */
  readonly models: readonly ModelView[];
  readonly modelFiles: string;
  readonly target: string;
  readonly hash: HashView;
  /** Lines for a comment: how full the regions are, and what the plan relies on. */
  readonly facts: readonly string[];
  readonly rules: readonly string[];
  /** Names that the linker matches: they get the hash's suffix. */
  readonly linkNames: readonly string[];
  readonly arena: ArenaView;
  /** The header holds the definitions as well, for the one file that defines `<P>_IMPLEMENTATION`. */
  readonly headerOnly: boolean;
  /** What the plan leaves is given to pools. */
  readonly pools: boolean;
  readonly regions: readonly RegionView[];
  /** The one region, where there is but one: it also gets the short names. */
  readonly onlyRegion: RegionView | null;
  /** The address of some arena can be checked at run time. */
  readonly checkable: boolean;
  /** Some memory needs code before it works. */
  readonly needsInit: boolean;
  readonly cache: CacheView | null;
  /** Weights that are brought for their steps. */
  readonly stages: StagesView | null;
  /** Inputs with several places. */
  readonly rings: readonly RingView[];
  /** The same model for several sizes. */
  readonly buckets: BucketsView | null;
  /** Some model keeps values from run to run, or has weights in RAM. */
  readonly movesBytes: boolean;
  readonly table: TableView;
  /** Where the order of steps is not the file's: its type, and for each step the place of its node in the file. */
  readonly order: { readonly type: string; readonly lines: readonly string[] } | null;
  /** In the order of plan.json, as are the rows of the table. */
  readonly tensors: Rows<TensorView>;
  readonly tensorCount: string;
  readonly anyTensors: boolean;
  /** What must hold for each tensor's place. */
  readonly places: Rows<PlaceView>;
  /** The accessor has something to find. */
  readonly anyPlaced: boolean;
  /** For comments: number, node, operator, what it reads and writes. */
  readonly steps: Rows<string>;
  readonly stepCount: string;
  /** Codes of element types and of ways to share bytes; the region of what the caller owns. */
  readonly elementTypes: readonly CodeView[];
  readonly hows: readonly CodeView[];
  readonly noRegion: string;
  /** A C++ compiler may call names with two underscores reserved; the model's names decide. */
  readonly reservedNames: boolean;
}

export interface HashView {
  /** As in plan.json. */
  readonly full: string;
  /** Its first 64 bits as a literal. */
  readonly literal: string;
  /** Ends the names that the linker matches, so that an object of another plan does not link. */
  readonly suffix: string;
}

export interface CodeView {
  readonly name: string;
  readonly code: string;
}

/** Exactly one of static, extern and pointer is true. */
export interface ArenaView {
  readonly static: boolean;
  readonly extern: boolean;
  readonly pointer: boolean;
}

/** What the firmware must do to cache lines; each row in the order of the C type. */
export interface CacheView {
  readonly count: string;
  readonly rows: readonly { readonly about: string; readonly row: string }[];
}

/** Weights that are brought for their steps; each row in the order of the C type. */
export interface StagesView {
  /** Some of them lie behind the cache. */
  readonly cached: boolean;
  readonly rows: readonly { readonly about: string; readonly row: string }[];
}

/** Sizes, and where inputs and outputs lie for each. */
export interface BucketsView {
  readonly count: string;
  /** C names of the dimensions, and what the model calls them. */
  readonly dims: readonly { readonly field: string; readonly about: string }[];
  /** A parameter for each, and the condition that bucket `i` holds all of them. */
  readonly parameters: string;
  readonly holds: string;
  readonly list: readonly {
    /** `KWS_SEQ64_BUCKET` */
    readonly macro: string;
    readonly p: string;
    readonly index: string;
    readonly about: string;
    /** In the order of `dims`, joined. */
    readonly sizes: string;
    readonly firstStep: string;
    readonly stepCount: string;
    readonly firstTensor: string;
    readonly tensorCount: string;
    /** Each in the order of the C type. */
    readonly inputs: readonly string[];
    readonly outputs: readonly string[];
  }[];
  readonly anyInputs: boolean;
  readonly anyOutputs: boolean;
  readonly inputCount: string;
  readonly outputCount: string;
}

/** The arena as one region of the MPU. */
export interface MpuView {
  readonly about: string;
  readonly bytes: string;
  readonly regionBytes: string;
  /** PMSAv7: bits of RASR; else ''. */
  readonly fields: string;
}

export interface RegionView {
  readonly name: string;
  /** `KWS_R_AXISRAM` */
  readonly macro: string;
  /** `KWS_REGION_AXISRAM`, and its value. */
  readonly indexMacro: string;
  readonly index: string;
  /** The array or pointer. */
  readonly array: string;
  /** Elements of the array: the size, or 1 for an arena without bytes. */
  readonly elements: string;
  readonly size: string;
  readonly alignment: string;
  /** `KWS_R_AXISRAM_ALIGNMENT` */
  readonly alignmentMacro: string;
  /** The alignment as a bare number, for pragmas. */
  readonly alignmentNumber: string;
  /** Linker section, or '' for ordinary data. */
  readonly section: string;
  /** Literals, or '' when not known. */
  readonly origin: string;
  readonly capacity: string;
  /** What the firmware keeps for itself. */
  readonly reserved: string;
  /** The largest power of two that tensors in it rely on. */
  readonly leastAlignment: string;
  /** Too large for compilers with 32-bit sizes. */
  readonly large: boolean;
  /** The address of the arena can be checked at run time. */
  readonly checkable: boolean;
  readonly mpu: MpuView | null;
  /** For comments: what code must do before the memory works, or ''. */
  readonly init: string;
  /** For comments: how full it is. */
  readonly about: string;
  readonly pool: PoolView;
  /** For the linker: `MEMPLAN_AXISRAM`, `.memplan_axisram`, and what the arrays are called there. */
  readonly memory: string;
  readonly outputSection: string;
  readonly linkSymbol: string;
  readonly poolSymbol: string;
  /** Where the arena must lie; null where origin or capacity are not known. */
  readonly bounds: {
    readonly region: string;
    readonly first: string;
    readonly end: string;
    readonly bytes: string;
  } | null;
  /** Elements of the pool's array: its macro. */
  readonly poolElements: string;
}

/** What the plan leaves of a region. */
export interface PoolView {
  /** The pool's array. */
  readonly array: string;
  /** The most it may have, or '' when that is not known or nothing. */
  readonly largest: string;
  /** The alignment of the array, as a bare number. */
  readonly alignment: string;
  readonly about: string;
}

export interface ModelView {
  /** The model's prefix; with one model the same as the view's. */
  readonly P: string;
  readonly p: string;
  readonly file: string;
  /** Values that are kept from run to run. */
  readonly states: readonly StateView[];
  readonly stateCount: string;
  readonly anyCopied: boolean;
  /** Weights that lie in RAM. */
  readonly copies: readonly CopyView[];
  readonly copyCount: string;
  /** There are some, and a call copies all of them before the first run. */
  readonly loads: boolean;
  readonly numbers: Rows<NumbersView>;
  readonly inputs: readonly PortView[];
  readonly outputs: readonly PortView[];
  readonly inputCount: string;
  readonly outputCount: string;
  /** Its share of what several models have in common; null for a single model. */
  readonly turn: {
    readonly firstStep: string;
    readonly stepCount: string;
    /** By region: `KWS_R_AXISRAM`, and the bytes of its arena that the model uses. */
    readonly spans: readonly SpanView[];
    /** The one, where there is but one region. */
    readonly onlySpan: SpanView | null;
  } | null;
}

/** The numbers of a tensor. */
export interface NumbersView {
  /** `KWS_T_conv1_x2fout` */
  readonly macro: string;
  readonly size: string;
  /** Has a place in an arena; if not, the offset is ''. */
  readonly placed: boolean;
  readonly offset: string;
}

export interface TensorView extends NumbersView {
  /** For comments: name, type and shape; live range; whose bytes it shares. */
  readonly about: string;
}

export interface PlaceView {
  readonly macro: string;
  /** Has a place in an arena; if not, the others are ''. */
  readonly placed: boolean;
  readonly regionMacro: string;
  readonly alignment: string;
}

export interface StateView {
  /** `KWS_STATE_0` */
  readonly macro: string;
  readonly about: string;
  readonly tensorMacro: string;
  readonly array: string;
  /** The byte that it begins with. */
  readonly fill: string;
  /** The new value lies elsewhere; if not, the next two are ''. */
  readonly copied: boolean;
  readonly fromMacro: string;
  readonly fromArray: string;
}

/** An input with several places. */
export interface RingView {
  /** `KWS_INPUT_0`, `kws_input_0` */
  readonly macro: string;
  readonly helper: string;
  readonly about: string;
  readonly places: string;
  readonly stride: string;
  readonly tensorMacro: string;
  readonly regionMacro: string;
  readonly array: string;
  readonly indexMacro: string;
  /** Indexes of all tensors that lie in its places, as the table calls them. */
  readonly indexes: readonly string[];
}

export interface CopyView {
  /** `KWS_W_conv1_weight` */
  readonly macro: string;
  readonly about: string;
  /** `KWS_SOURCE_conv1_weight`, and its value: its place among the sources. */
  readonly sourceMacro: string;
  readonly index: string;
  readonly offset: string;
  readonly size: string;
  readonly array: string;
  readonly alignment: string;
  /** `KWS_R_DTCM` and `KWS_REGION_DTCM` */
  readonly regionMacro: string;
  readonly indexMacro: string;
}

export interface SpanView {
  readonly macro: string;
  /** Name of the region. */
  readonly about: string;
  readonly offset: string;
  readonly size: string;
}

/** A graph input or output at a position. */
export interface PortView {
  /** `KWS_INPUT_0` */
  readonly macro: string;
  /** `kws_input_0` */
  readonly helper: string;
  readonly about: string;
  /** What becomes of its bytes around a run. */
  readonly note: string;
  /** The macro family of its tensor, or '' for a constant. */
  readonly tensorMacro: string;
  readonly size: string;
  /** '' without a place in an arena. */
  readonly offset: string;
  readonly placed: boolean;
  readonly array: string;
  /** It has several places: this is the number of the one that is read. */
  readonly ring: string;
  /** C type of an element; `void`, and then not `typed`, where the alignment does not suit the type. */
  readonly type: string;
  readonly typed: boolean;
}

/** Exactly one of none, const and xmacro is true. */
export interface TableView {
  readonly none: boolean;
  readonly const: boolean;
  readonly xmacro: boolean;
  /** `uint16_t offset;`, padded so that the comments behind stand in one column. */
  readonly fields: readonly {
    readonly name: string;
    readonly declaration: string;
    readonly about: string;
  }[];
  readonly dimType: string;
  /** One line of the array per distinct shape: `1u, 6u, 16u, 16u`. */
  readonly shapes: readonly string[];
  readonly dimCount: string;
  readonly quants: readonly { readonly scale: string; readonly zeroPoint: string }[];
  readonly quantCount: string;
  /** `KWS_I_conv1_x2fout`, and its value. */
  readonly indexes: Rows<CodeView>;
  /** The columns in the order of `fields`, joined. The name is for comments. */
  readonly rows: Rows<{ readonly index: string; readonly name: string; readonly row: string }>;
  /** The X-macro of each model: its prefix, and the arguments of each row. */
  readonly lists: readonly { readonly P: string; readonly arguments: Rows<string> }[];
}
