/** What the runner's templates print. Every value is a finished C token or a sentence that is safe in a comment. */

export interface RunnerView {
  /** File names: those of the plan, of the runner, of its weights and of the kernels. */
  readonly poolHeader: string;
  readonly header: string;
  readonly source: string;
  readonly weightsHeader: string;
  readonly weightsSource: string;
  readonly kernelsSource: string;
  readonly guard: string;
  readonly weightsGuard: string;
  /** What the weights are called after: the model, or what all buckets share. */
  readonly W: string;
  readonly w: string;
  /** `KWS` and `kws` */
  readonly P: string;
  readonly p: string;
  /** The same of what all models of the plan share; of the model where there is one alone. */
  readonly Shared: string;
  readonly shared: string;
  /** What the weights in RAM are copied from: `KWS_SOURCE_conv1_weight`, `kws_weights.w_conv1_weight`. */
  readonly copied: readonly { readonly source: string; readonly from: string }[];
  /** Weights are brought for their steps. */
  readonly brings: boolean;
  /** Other buckets read its copies. */
  readonly shares: boolean;
  /** Who makes the copies that this bucket reads too: its prefix, and the header of its runner. */
  readonly loader: { readonly p: string; readonly header: string } | null;
  readonly modelFile: string;
  readonly target: string;
  readonly hash: { readonly full: string; readonly literal: string; readonly suffix: string };
  /** Lines for comments: what the firmware compiles, and how. */
  readonly build: readonly string[];
  /** Graph inputs and outputs that the caller owns; none with `--io arena`. */
  readonly ports: readonly PortView[];
  /** Arenas that may not have memory yet (`--arena pointer`). */
  readonly pointers: readonly string[];
  /** Working memory of kernels outside the arenas; '' when they need none. */
  readonly scratchElements: string;
  readonly scratchBytes: string;
  /** `KWS_AT_AXISRAM` and the array it points into. */
  readonly regions: readonly { readonly macro: string; readonly array: string }[];
  /** Some kernel may say that it did not run. */
  readonly answers: boolean;
  readonly needsMath: boolean;
  /** Lines of C: structures and arrays of numbers. */
  readonly tables: readonly string[];
  readonly steps: readonly RunnerStepView[];
  /** The check build looks at some step. */
  readonly watched: boolean;
  readonly weights: WeightsView | null;
  readonly checks: readonly CheckView[];
}

/** A pointer that the caller fills in. */
export interface PortView {
  readonly name: string;
  /** In the structure of the header. */
  readonly declaration: string;
  /** In the run, which reads it once. */
  readonly local: string;
  readonly about: string;
}

/** A step, or what stands between steps: the braces of branches, and copies of what they hand out. */
export interface RunnerStepView {
  /** Spaces before each line. */
  readonly indent: string;
  /** Number, node and operator, what it reads and writes; '' between steps. */
  readonly about: string;
  /** Its number, where the check build looks at it; '' elsewhere. */
  readonly step: string;
  /** Lines of C; none where there is nothing to do. */
  readonly lines: readonly string[];
}

export interface WeightsView {
  /** Bytes in flash, and as a bare number. */
  readonly bytes: string;
  readonly bytesNumber: string;
  readonly alignment: string;
  /** Name of the file beside the source, or '' when the source holds the numbers. */
  readonly file: string;
  /** SHA-256 of that file in hex, or ''. */
  readonly digest: string;
  /** A C++ compiler may call names with two underscores reserved; the model's names decide. */
  readonly reservedNames: boolean;
  readonly members: readonly {
    readonly name: string;
    readonly declaration: string;
    readonly about: string;
    /** Lines of numbers; none for a gap, and none when a file holds them. */
    readonly lines: readonly string[];
  }[];
}

/** What the check build knows of one arena. */
export interface CheckView {
  readonly array: string;
  readonly size: string;
  readonly name: string;
  /** One initialiser per tensor. */
  readonly spans: readonly string[];
  readonly spanCount: string;
}
