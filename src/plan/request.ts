/** What a user asks for: the options of the main job, parsed, with their defaults filled in. */
import type { Bindings } from '../shape/types.ts';

export interface PlanRequest {
  /** Paths of model files. */
  readonly models: readonly string[];
  /** A built-in target's id or alias, or the path of a target file. */
  readonly target: string;
  readonly bindings: Bindings;
  /** C prefix; undefined: from the model's file name. */
  readonly prefix: string | undefined;
  /** Offset alignment in bytes; undefined: the target's recommendation. */
  readonly align: number | undefined;
  readonly sizeRound: number;
  readonly io: 'arena' | 'external';
  readonly asyncIo: boolean;
  readonly preserveInputs: boolean;
  readonly keep: readonly string[];
  readonly inPlace: boolean;
  readonly inPlaceInputs: boolean;
  readonly views: boolean;
  readonly elide: boolean;
  readonly schedule: 'model' | 'min-peak';
  readonly strategy: string;
  readonly effort: number | undefined;
  readonly kernels: string | undefined;
  readonly layout: 'nchw' | 'nhwc' | undefined;
  readonly fuse: 'none' | 'default' | undefined;
  /** Region of the arena; undefined: the target's main region. */
  readonly region: string | undefined;
  /** Bytes the firmware needs for itself, by region. */
  readonly reserve: ReadonlyMap<string, number>;
  /** Budgets in bytes by region; '' is the budget of the whole. */
  readonly budget: ReadonlyMap<string, number>;
}
