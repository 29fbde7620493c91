/** What a user asks for: the options of the main job, parsed, with their defaults filled in. */
import { MemplanError } from '../errors.ts';
import type { Layout } from '../kernels/types.ts';
import type { Rule } from '../place/rule-types.ts';
import { type Bindings, NO_BINDINGS } from '../shape/types.ts';
import type { KernelBuild } from '../target/types.ts';
import { type Check, checksByKey, requestFaults } from './request-checks.ts';

export interface PlanRequest {
  /** Paths of model files. */
  readonly models: readonly string[];
  /** A built-in target's id or alias, or the path of a target file. */
  readonly target: string;
  readonly bindings: Bindings;
  /** Sizes of named dimensions that the model is planned for one by one, ascending; they share one arena. */
  readonly buckets: readonly { readonly name: string; readonly sizes: readonly number[] }[];
  /** How several models share the chip. */
  readonly run: 'exclusive' | 'concurrent' | 'joint';
  /** With `concurrent`: models that take turns, `kws,vww`, or run in a fixed order, `joint:det,rec`. */
  readonly group: readonly string[];
  /** Tensors that keep their bytes while other models run, as `kws:out` or by name alone. */
  readonly hold: readonly string[];
  /** Tensors that keep their value from run to run; `from`: the tensor that a run makes of it, or itself. */
  readonly states: readonly { readonly tensor: string; readonly from: string | undefined }[];
  /** Inputs with several places, of which a DMA fills one while a run reads another: how many, by name. */
  readonly buffers: ReadonlyMap<string, number>;
  /** Tensors that are inputs of later models, as `det:boxes=rec:rois`. */
  readonly link: readonly string[];
  /** C prefix, of several models that of what they share; undefined: from file names. */
  readonly prefix: string | undefined;
  /** C prefixes of models by name. */
  readonly prefixes: ReadonlyMap<string, string>;
  /** Characters that the C macros of tensors have at most; undefined: their names alone may have 100. */
  readonly nameLength: number | undefined;
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
  readonly kernelsVersion: string | undefined;
  readonly kernelsBuild: KernelBuild | undefined;
  readonly layout: Layout | undefined;
  /** Scratch bytes by node: its label, or `#3` for its place in the file. */
  readonly scratch: ReadonlyMap<string, number>;
  /** Unused bytes behind every buffer. */
  readonly guard: number;
  /** Use permissions of kernels that no run has proved. */
  readonly trustUnproved: boolean;
  readonly fuse: 'none' | 'default' | undefined;
  /** Count float tensors as if they were quantised to this type. */
  readonly assume: 'int8' | undefined;
  /** Multiply height and width of image inputs by this. */
  readonly scaleInput: number | undefined;
  /** Regions that may be used, home first; none: the target's main region, and other memories on the chip. */
  readonly regions: readonly string[];
  /** `auto`: one arena at home while it fits; `fastest`: what is read and written most into the fastest regions. */
  readonly place: 'auto' | 'fastest';
  /** Which weights are copied to RAM: none, all, those read most for each byte as far as there is room, or each for its steps. */
  readonly weights: 'flash' | 'ram' | 'hybrid' | 'stage';
  /** Bytes of flash for weights. */
  readonly flash: number | undefined;
  /** Bits that a weight of a quantised layer takes in flash, where it is packed. */
  readonly weightBits: number | undefined;
  /** Rules about single tensors. */
  readonly rules: readonly Rule[];
  /** Every arena is to be one region of the core's MPU. */
  readonly mpu: boolean;
  /** Bytes the firmware needs for itself, by region. */
  readonly reserve: ReadonlyMap<string, number>;
  /** Budgets in bytes by region; '' is the budget of the whole. */
  readonly budget: ReadonlyMap<string, number>;
}

/** What everything but the models and the target is when nobody says otherwise. */
export const REQUEST_DEFAULTS: Omit<PlanRequest, 'models' | 'target'> = {
  bindings: NO_BINDINGS,
  buckets: [],
  run: 'exclusive',
  group: [],
  hold: [],
  link: [],
  states: [],
  buffers: new Map(),
  prefix: undefined,
  prefixes: new Map(),
  nameLength: undefined,
  align: undefined,
  sizeRound: 1,
  io: 'arena',
  asyncIo: false,
  preserveInputs: false,
  keep: [],
  inPlace: true,
  inPlaceInputs: true,
  views: true,
  elide: true,
  schedule: 'model',
  strategy: 'auto',
  effort: undefined,
  kernels: undefined,
  kernelsVersion: undefined,
  kernelsBuild: undefined,
  layout: undefined,
  scratch: new Map(),
  guard: 0,
  trustUnproved: false,
  fuse: undefined,
  assume: undefined,
  scaleInput: undefined,
  regions: [],
  place: 'auto',
  weights: 'flash',
  flash: undefined,
  weightBits: undefined,
  rules: [],
  mpu: false,
  reserve: new Map(),
  budget: new Map(),
};

/** A request with the defaults filled in. Throws E_USAGE for keys that there are not, and for values that they cannot have. */
export function planRequest(
  given: Pick<PlanRequest, 'models' | 'target'> & Partial<PlanRequest>,
): PlanRequest {
  // The compiler sees to it that no key is without a check.
  const checks: Readonly<Record<keyof PlanRequest, Check>> = checksByKey();
  const [fault, ...others] = requestFaults(given, checks);
  if (fault !== undefined) throw new MemplanError([fault, ...others]);
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...REQUEST_DEFAULTS, ...(said as typeof given) };
}
