/** The plan as data: exactly what plan.json holds (schema 1) and what emit, report and verify read. */
import type { Diagnostic } from '../errors.ts';
import type { ElementType } from '../graph/element-type.ts';
import type { Quant, Role } from '../graph/types.ts';
import type { Rule } from '../place/rule-types.ts';

export const PLAN_SCHEMA = 1;

export interface PlanModel {
  readonly name: string;
  /** The file's base name: never a path. */
  readonly file: string;
  readonly sha256: string;
  readonly nodes: number;
  readonly opset: Readonly<Record<string, number>>;
  readonly cPrefix: string;
  /** Names of the graph inputs and outputs, in the file's order: the positions of `<P>_INPUT_0`. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** What holds for this model instead of the plan's assumptions; only of several models that differ. */
  readonly assumptions?: Partial<Assumptions>;
}

/** A tensor of one of several models. */
export interface TensorName {
  /** Index of the model. */
  readonly model: number;
  readonly tensor: string;
}

/** Models that share bytes with each other, and with no model of another part. */
export interface PlanPart {
  /** Indexes of models that follow each other on the axis of steps. */
  readonly models: readonly number[];
  /** `any`: one at a time, whichever comes; `sequence`: one after another, as they stand. */
  readonly order: 'any' | 'sequence';
  /** The bytes of the part, from the start of each region's arena. */
  readonly regions: readonly { readonly region: string; readonly offset: number; readonly bytes: number }[];
}

/** A value that is kept from run to run (--state). */
export interface PlanState {
  readonly model: number;
  readonly tensor: string;
  /** What a run makes of it; null: itself. */
  readonly from: string | null;
  /**
   * `shared`: both lie in one place; `copied`: after each run the bytes of `from` have to be copied there; `kept`: its
   * bytes just stay.
   */
  readonly how: 'shared' | 'copied' | 'kept';
  /** An input with several places (--buffers): how many, and the bytes from one to the next. */
  readonly places?: number;
  readonly stride?: number;
}

/** What sharing the chip saves. */
export interface PlanIsolation {
  /** Arena bytes of each model planned alone. */
  readonly alone: readonly number[];
  /** Arena bytes of this order of runs when every model has bytes of its own. */
  readonly isolatedBytes: number;
  /** Arena bytes when the models take turns in bytes of all; like the two above, without rules about single tensors. */
  readonly sharedBytes: number;
}

/** How several models share the chip (--run). */
export interface PlanRun {
  readonly mode: 'exclusive' | 'concurrent' | 'joint';
  /** The C prefix of what the models share. */
  readonly cPrefix: string;
  /** Parts may run at the same time, the models of one part never. */
  readonly parts: readonly PlanPart[];
  /** Tensors that keep their bytes while other models of their part run (--hold). */
  readonly holds: readonly TensorName[];
  /** Tensors that are handed over without a copy: the second finds its bytes in the place of the first (--link). */
  readonly links: readonly { readonly from: TensorName; readonly to: TensorName }[];
  readonly isolation: PlanIsolation;
}

/** Sizes that one of the plan's models stands for (--bucket): all models are one file then. */
export interface PlanBucket {
  /** Every bucket names the same dimensions in the same order. */
  readonly sizes: readonly { readonly name: string; readonly size: number }[];
}

export interface PlanTarget {
  readonly id: string;
  readonly core: string;
}

/** A named dimension; both ends belong to it. */
export interface PlanRange {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

export interface Assumptions {
  readonly schedule: 'model' | 'min-peak';
  readonly kernels: string;
  readonly kernelsVersion: string | null;
  readonly kernelsBuild: string | null;
  readonly layout: 'nchw' | 'nhwc';
  readonly fuse: 'none' | 'default';
  readonly inPlace: boolean;
  readonly inPlaceInputs: boolean;
  readonly views: boolean;
  readonly elide: boolean;
  readonly io: 'arena' | 'external';
  readonly asyncIo: boolean;
  readonly preserveInputs: boolean;
  /** Tensors whose bytes stay to the end (--keep). */
  readonly keep: readonly string[];
  /** Unused bytes behind every buffer: kernels may read past the end of a tensor, or --guard asks for them. */
  readonly slack?: number;
  /** Permissions of kernels were used that no run has proved (--trust unproved). */
  readonly trustUnproved?: boolean;
  /** Dimensions that may have any size of a range (--dim): tensors are counted at their largest. */
  readonly ranges?: readonly PlanRange[];
  /** The most elements of tensors whose size depends on data (--max-size). */
  readonly maxSizes?: readonly { readonly tensor: string; readonly elements: number }[];
  /** Sizes that depend on data, and of which only the largest is known: stated (--op-shape), declared, or the larger of two. */
  readonly bounds?: readonly PlanBound[];
  /** An estimate: float tensors are counted as if they were quantised to this type (--assume). */
  readonly assume?: 'int8';
  /** An estimate: height and width of image inputs are multiplied by this (--scale-input). */
  readonly scaleInput?: number;
  /** An estimate: bits that each weight of quantised layers takes in flash (--weight-bits). */
  readonly weightBits?: number;
}

/**
 * Options as they were given, where nothing else in the plan says that they were: sizes of dimensions and inputs, and
 * what decides where buffers lie. Their keys are those of a configuration. They are no part of the plan's hash: what
 * they lead to is.
 */
export type PlanOptions = {
  readonly [K in
    | 'align'
    | 'dim'
    | 'effort'
    | 'inputShape'
    | 'mpu'
    | 'place'
    | 'region'
    | 'reserve'
    | 'scratch'
    | 'sizeRound'
    | 'strategy'
    | 'weights']?: string;
};

/** A size that may be anything up to `most`, and the first tensor that has it. What follows from it is not listed. */
export interface PlanBound {
  readonly tensor: string;
  readonly axis: number;
  readonly most: number;
}

/** A control-flow body: its tensors by position. What it hands out may be a constant or come from outside. */
export interface PlanBody {
  /** As in the steps of its nodes. */
  readonly path: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface PlanStep {
  readonly step: number;
  readonly model: number;
  /** The node's label. */
  readonly node: string;
  /** Place of the node in its graph in the file, from 0; only where the order of steps is not the file's. */
  readonly index?: number;
  readonly op: string;
  /** Where it stands among control-flow bodies: `if_1/then_branch`, or ''. */
  readonly path: string;
  /** Labels of the nodes that the step does the work of, its own among them; empty when it is one node. */
  readonly fused: readonly string[];
  /** Of a control-flow node only. Its steps follow this one. */
  readonly bodies?: readonly PlanBody[];
  /** Names of arena, external and state tensors (weights are not listed). */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Names of the tensors that are its kernel's working memory; only where there are any. */
  readonly scratch?: readonly string[];
  /** Names of the weights that it reads from copies which were brought for it (--weights stage). */
  readonly weights?: readonly string[];
  readonly scratchBytes: number;
  /** Buffer bytes live at this step, over all regions. */
  readonly liveBytes: number;
}

export type How = 'own' | 'view' | 'in-place' | 'elided' | 'external';

export interface PlanTensor {
  readonly model: number;
  readonly name: string;
  /** The C name, without prefix. */
  readonly c: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** The shape in terms of dimensions that have a range; only where there are some, and `shape` is the largest. */
  readonly sizes?: readonly string[];
  /** Raw bytes, not rounded. */
  readonly bytes: number;
  readonly quant: Quant | null;
  readonly role: Role;
  /** Live range, half-open. */
  readonly first: number;
  readonly end: number;
  readonly buffer: number | null;
  readonly region: string | null;
  /** From the start of the region's arena. */
  readonly offset: number | null;
  readonly how: How;
  /** The tensor whose bytes it shares: of a view its source, of an in-place output the operand. */
  readonly aliasOf: string | null;
}

export type BufferKind = 'persistent' | 'input' | 'output' | 'activation' | 'scratch' | 'copy';

export interface PlanGap {
  readonly first: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

export interface PlanBuffer {
  readonly id: number;
  readonly kind: BufferKind;
  readonly tensors: readonly string[];
  /** The model of each of `tensors`; only in a plan of several models. */
  readonly models?: readonly number[];
  /** Rounded by --size-round. */
  readonly bytes: number;
  readonly alignment: number;
  readonly first: number;
  readonly end: number;
  readonly region: string;
  readonly offset: number;
  readonly gaps: readonly PlanGap[];
  readonly mayOverlap: readonly { readonly buffer: number; readonly distance: number }[];
}

export interface Peak {
  readonly step: number;
  readonly bytes: number;
}

export interface PlanRegion {
  readonly name: string;
  readonly c: string;
  /** null: not known or not fixed. */
  readonly origin: number | null;
  /** null: not known, nothing is gated. */
  readonly capacity: number | null;
  readonly reserved: number;
  readonly used: number;
  readonly alignment: number;
  readonly lowerBound: number;
  readonly optimal: boolean;
  readonly strategy: string;
  readonly peak: Peak;
  /** Bytes read and written in it over a run; a loop's body counts once. */
  readonly traffic?: number;
  /** 0 is the fastest: the target's order of its memories. */
  readonly speedRank?: number;
  /** Bytes of a line of the data cache it lies behind. */
  readonly cacheLine?: number;
  /** DMA engines that reach it, and that do not, where that is known. */
  readonly dma?: { readonly reachable: readonly string[]; readonly notReachable: readonly string[] };
  /** What code must do before it works. */
  readonly init?: string;
  /** The arena as one region of the MPU (--mpu). */
  readonly mpu?: PlanMpu;
}

/** The arena takes `bytes`: the region of the MPU less the parts at its end that are left out. */
export interface PlanMpu {
  readonly kind: 'PMSAv7' | 'PMSAv8';
  readonly bytes: number;
  readonly alignment: number;
  /** The size that the MPU is given. */
  readonly regionBytes: number;
  /** Of eight (PMSAv7), from the topmost down. */
  readonly partsLeftOut: number;
}

/** A rule of the user about a tensor (--pin, --forbid, --dma, --align-tensor, --slack). */
export type PlanRule = Rule;

/** What the firmware must do to the cache lines of a tensor that a DMA engine reads or writes. */
export interface PlanCache {
  readonly model: number;
  /** Or a weight that is brought for its steps. */
  readonly tensor: string;
  /**
   * `before-dma`: before an engine begins to fill it for a run. Of a weight: before it begins to come, right before
   * `step` runs, and once it is there, right before `step`, the first that needs it, runs.
   */
  readonly at: 'before-dma' | 'before-step' | 'after-step' | 'before-bring' | 'after-wait';
  readonly step: number;
  readonly operation: 'clean' | 'invalidate' | 'clean-invalidate';
}

/** Why a buffer lies in its region: the preferred one has room for all that may lie there, rules, nothing is faster, larger than all that is faster, or those are full. */
export type PlanWhy = 'home' | 'rule' | 'fastest' | 'size' | 'full';

/** How the buffers came to their regions; only where several were planned together. */
export interface PlanPlacement {
  /** No placement over these regions costs less traffic times rank. */
  readonly optimal: boolean;
  /** By buffer id. */
  readonly buffers: readonly {
    readonly buffer: number;
    /** Bytes read and written over a run. */
    readonly traffic: number;
    readonly why: PlanWhy;
  }[];
  /** So many bytes more of a region would spare slower ones so much traffic. */
  readonly gains: readonly {
    readonly region: string;
    readonly bytes: number;
    readonly traffic: number;
  }[];
}

export interface PlanConstant {
  readonly model: number;
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly bytes: number;
  /** Bytes that it takes in flash where it is packed; only with --weight-bits, and fewer than `bytes`. */
  readonly flashBytes?: number;
  /** Where inference reads it; `ram`: a copy, which the firmware makes before the first run. */
  readonly place: 'flash' | 'ram';
  /** The copy's buffer. */
  readonly buffer?: number;
  /** What names of the copy hold in C; only with a copy. */
  readonly c?: string;
  /** Bytes that a run reads of it; only with --weights. */
  readonly accesses?: number;
}

export interface PlanTotals {
  readonly arenaBytes: number;
  readonly lowerBoundBytes: number;
  readonly optimal: boolean;
  readonly noReuseBytes: number;
  /** What the weights take in flash. */
  readonly weightBytes: number;
  /** Their copies in RAM, inside the arenas; with --weights stage in whole lines of the cache. */
  readonly copyBytes?: number;
  /** Of the step that needs most. */
  readonly scratchBytes: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** False: the scratch of some step is not counted, and the total is a lower bound. */
  readonly complete: boolean;
}

/** What fusion changes (--fuse). */
export interface PlanFusion {
  /** Labels of nodes that were left out because they change nothing. */
  readonly leftOut: readonly string[];
  /** The same model planned with --fuse none. */
  readonly unfused: { readonly steps: number; readonly arenaBytes: number };
}

/** A way to share bytes that the rules of its operator allow, and that the plan does not use. */
export interface PlanDeclined {
  readonly model: number;
  readonly tensor: string;
  /** The tensor in whose bytes it could lie. */
  readonly source: string;
  readonly how: 'view' | 'in-place' | 'elided';
  /** The tensor in the way: it lies in the same bytes and is still needed. */
  readonly blocker: string | null;
  /** Live bytes of the model at the peak if it were used; null: not possible beside what else shares. */
  readonly peakBytes: number | null;
}

/** A model whose choice of what shares bytes is not proved to have the smallest peak: it would take too many tries. */
export interface PlanSharing {
  readonly model: number;
  /** Live bytes of the model at the peak, alignment aside. */
  readonly peakBytes: number;
  /** No choice has a smaller peak than this. */
  readonly leastBytes: number;
}

export interface Plan {
  readonly schema: typeof PLAN_SCHEMA;
  readonly fits: boolean;
  readonly planHash: string;
  readonly models: readonly PlanModel[];
  readonly target: PlanTarget;
  readonly assumptions: Assumptions;
  readonly steps: readonly PlanStep[];
  readonly tensors: readonly PlanTensor[];
  readonly buffers: readonly PlanBuffer[];
  readonly regions: readonly PlanRegion[];
  readonly constants: readonly PlanConstant[];
  /** Only where several regions were planned together. */
  readonly placement?: PlanPlacement;
  /** Only where there are any. */
  readonly rules?: readonly PlanRule[];
  /** Only where a DMA engine reads or writes tensors in cached memory, or weights are brought there. */
  readonly cache?: readonly PlanCache[];
  readonly totals: PlanTotals;
  /** `models`: the model of each of `tensors`, in a plan of several. */
  readonly peak: Peak & { readonly tensors: readonly string[]; readonly models?: readonly number[] };
  /** Only in a plan of several models. */
  readonly run?: PlanRun;
  /** One for each of the models; only with --bucket. */
  readonly buckets?: readonly PlanBucket[];
  /** Only where there are any. */
  readonly states?: readonly PlanState[];
  /** Only where some were given. */
  readonly options?: PlanOptions;
  /** Only where nodes were fused. */
  readonly fusion?: PlanFusion;
  /** Only where something was declined. */
  readonly declined?: readonly PlanDeclined[];
  /** Only where the choice of what shares bytes is not proved. */
  readonly sharing?: readonly PlanSharing[];
  readonly diagnostics: readonly Diagnostic[];
}
