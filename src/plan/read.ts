/** Reads plan.json back: every field is checked before anybody relies on it. */
import { CODES, type Code, type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import type { Quant } from '../graph/types.ts';
import {
  count,
  dictionary,
  flag,
  list,
  oneOf,
  optional,
  orNull,
  type Parser,
  real,
  record,
  some,
  text,
  withDefault,
} from './parsers.ts';
import {
  type Assumptions,
  type Peak,
  PLAN_SCHEMA,
  type Plan,
  type PlanBody,
  type PlanBound,
  type PlanBucket,
  type PlanBuffer,
  type PlanCache,
  type PlanConstant,
  type PlanDeclined,
  type PlanFusion,
  type PlanGap,
  type PlanIsolation,
  type PlanModel,
  type PlanMpu,
  type PlanOptions,
  type PlanPart,
  type PlanPlacement,
  type PlanRange,
  type PlanRegion,
  type PlanRule,
  type PlanRun,
  type PlanSharing,
  type PlanState,
  type PlanStep,
  type PlanTensor,
  type PlanTotals,
  type TensorName,
} from './types.ts';

/** Faults named in one message; a wrong kind of file has thousands. */
const MOST_FAULTS = 20;

const elementType = oneOf(...(Object.keys(ELEMENT_BITS) as ElementType[]));
const names = list(text);

/** By field, so that a model may state some of them. */
const assumed = {
  schedule: oneOf('model', 'min-peak'),
  kernels: text,
  kernelsVersion: orNull(text),
  kernelsBuild: orNull(text),
  layout: oneOf('nchw', 'nhwc'),
  fuse: oneOf('none', 'default'),
  inPlace: flag,
  inPlaceInputs: withDefault(flag, true),
  views: flag,
  elide: flag,
  io: oneOf('arena', 'external'),
  asyncIo: withDefault(flag, false),
  preserveInputs: flag,
  keep: withDefault(names, []),
  slack: optional(count),
  trustUnproved: optional(flag),
  ranges: optional(list(record<PlanRange>({ name: text, least: count, most: count }))),
  maxSizes: optional(
    list(record<{ readonly tensor: string; readonly elements: number }>({ tensor: text, elements: count })),
  ),
  bounds: optional(list(record<PlanBound>({ tensor: text, axis: count, most: count }))),
  assume: optional(oneOf('int8')),
  scaleInput: optional(real),
  weightBits: optional(count),
};

const assumptions = record<Assumptions>(assumed);

const model = record<PlanModel>({
  name: text,
  file: text,
  sha256: text,
  nodes: count,
  opset: dictionary(count),
  cPrefix: text,
  inputs: names,
  outputs: names,
  assumptions: optional(some<Assumptions>(assumed)),
});

const tensorName = record<TensorName>({ model: count, tensor: text });

const part = record<PlanPart>({
  models: list(count),
  order: oneOf('any', 'sequence'),
  regions: list(record<PlanPart['regions'][number]>({ region: text, offset: count, bytes: count })),
});

const state = record<PlanState>({
  model: count,
  tensor: text,
  from: orNull(text),
  how: oneOf('shared', 'copied', 'kept'),
  places: optional(count),
  stride: optional(count),
});

const run = record<PlanRun>({
  mode: oneOf('exclusive', 'concurrent', 'joint'),
  cPrefix: text,
  parts: list(part),
  holds: list(tensorName),
  links: list(record<PlanRun['links'][number]>({ from: tensorName, to: tensorName })),
  isolation: record<PlanIsolation>({
    alone: list(count),
    isolatedBytes: count,
    sharedBytes: count,
  }),
});

const body = record<PlanBody>({ path: text, inputs: names, outputs: names });

const step = record<PlanStep>({
  step: count,
  model: count,
  node: text,
  index: optional(count),
  op: text,
  path: text,
  fused: names,
  bodies: optional(list(body)),
  reads: names,
  writes: names,
  scratch: optional(names),
  weights: optional(names),
  scratchBytes: count,
  liveBytes: count,
});

const quant = record<Quant>({ scale: list(real), zeroPoint: list(real), axis: orNull(count) });

const tensor = record<PlanTensor>({
  model: count,
  name: text,
  c: text,
  type: elementType,
  shape: list(count),
  sizes: optional(names),
  bytes: count,
  quant: orNull(quant),
  role: oneOf('input', 'output', 'weight', 'activation', 'state', 'scratch'),
  first: count,
  end: count,
  buffer: orNull(count),
  region: orNull(text),
  offset: orNull(count),
  how: oneOf('own', 'view', 'in-place', 'elided', 'external'),
  aliasOf: orNull(text),
});

const buffer = record<PlanBuffer>({
  id: count,
  kind: oneOf('persistent', 'input', 'output', 'activation', 'scratch', 'copy'),
  tensors: names,
  models: optional(list(count)),
  bytes: count,
  alignment: count,
  first: count,
  end: count,
  region: text,
  offset: count,
  gaps: list(record<PlanGap>({ first: count, end: count, from: count, to: count })),
  mayOverlap: list(record<PlanBuffer['mayOverlap'][number]>({ buffer: count, distance: real })),
});

const region = record<PlanRegion>({
  name: text,
  c: text,
  origin: orNull(count),
  capacity: orNull(count),
  reserved: count,
  used: count,
  alignment: count,
  lowerBound: count,
  optimal: flag,
  strategy: withDefault(text, ''),
  peak: record<Peak>({ step: count, bytes: count }),
  traffic: optional(count),
  speedRank: optional(count),
  cacheLine: optional(count),
  dma: optional(record<NonNullable<PlanRegion['dma']>>({ reachable: names, notReachable: names })),
  init: optional(text),
  mpu: optional(
    record<PlanMpu>({
      kind: oneOf('PMSAv7', 'PMSAv8'),
      bytes: count,
      alignment: count,
      regionBytes: count,
      partsLeftOut: count,
    }),
  ),
});

/** The fields of every kind of rule; those that a kind does not have come to nothing. */
const rule = record<AnyRule>({
  kind: oneOf('pin', 'forbid', 'dma', 'align', 'slack'),
  model: optional(count),
  tensor: text,
  region: optional(text),
  offset: optional(count),
  engine: optional(text),
  bytes: optional(count),
}) as Parser<PlanRule>;

interface AnyRule {
  readonly kind: PlanRule['kind'];
  readonly model?: number;
  readonly tensor: string;
  readonly region?: string;
  readonly offset?: number;
  readonly engine?: string;
  readonly bytes?: number;
}

const cache = record<PlanCache>({
  model: count,
  tensor: text,
  at: oneOf('before-dma', 'before-step', 'after-step', 'before-bring', 'after-wait'),
  step: count,
  operation: oneOf('clean', 'invalidate', 'clean-invalidate'),
});

const placement = record<PlanPlacement>({
  optimal: flag,
  buffers: list(
    record<PlanPlacement['buffers'][number]>({
      buffer: count,
      traffic: count,
      why: oneOf('home', 'rule', 'fastest', 'size', 'full'),
    }),
  ),
  gains: list(record<PlanPlacement['gains'][number]>({ region: text, bytes: count, traffic: count })),
});

const constant = record<PlanConstant>({
  model: count,
  name: text,
  type: elementType,
  shape: list(count),
  bytes: count,
  flashBytes: optional(count),
  place: oneOf('flash', 'ram'),
  buffer: optional(count),
  c: optional(text),
  accesses: optional(count),
});

const totals = record<PlanTotals>({
  arenaBytes: count,
  lowerBoundBytes: count,
  optimal: flag,
  noReuseBytes: count,
  weightBytes: count,
  copyBytes: optional(count),
  scratchBytes: count,
  inputBytes: count,
  outputBytes: count,
  complete: flag,
});

const fusion = record<PlanFusion>({
  leftOut: names,
  unfused: record<PlanFusion['unfused']>({ steps: count, arenaBytes: count }),
});

const declined = record<PlanDeclined>({
  model: count,
  tensor: text,
  source: text,
  how: oneOf('view', 'in-place', 'elided'),
  blocker: orNull(text),
  peakBytes: orNull(count),
});

const sharing = record<PlanSharing>({ model: count, peakBytes: count, leastBytes: count });

const said = record<Diagnostic>({
  kind: oneOf('error', 'warning', 'note'),
  code: oneOf(...(Object.keys(CODES) as Code[])),
  text,
  hint: orNull(text),
  node: orNull(text),
  tensor: orNull(text),
});

const options = record<PlanOptions>({
  align: optional(text),
  dim: optional(text),
  effort: optional(text),
  inputShape: optional(text),
  mpu: optional(text),
  place: optional(text),
  region: optional(text),
  reserve: optional(text),
  scratch: optional(text),
  sizeRound: optional(text),
  strategy: optional(text),
  weights: optional(text),
});

const plan: Parser<Plan> = record<Plan>({
  schema: oneOf(PLAN_SCHEMA),
  fits: flag,
  planHash: text,
  models: list(model),
  target: record<Plan['target']>({ id: text, core: text }),
  assumptions,
  steps: list(step),
  tensors: list(tensor),
  buffers: list(buffer),
  regions: list(region),
  constants: list(constant),
  placement: optional(placement),
  rules: optional(list(rule)),
  cache: optional(list(cache)),
  totals,
  peak: record<Plan['peak']>({ step: count, bytes: count, tensors: names, models: optional(list(count)) }),
  run: optional(run),
  buckets: optional(
    list(
      record<PlanBucket>({
        sizes: list(record<PlanBucket['sizes'][number]>({ name: text, size: count })),
      }),
    ),
  ),
  states: optional(list(state)),
  options: optional(options),
  fusion: optional(fusion),
  declined: optional(list(declined)),
  sharing: optional(list(sharing)),
  diagnostics: list(said),
});

/**
 * The plan in a text. `name` is the file's name for messages. Fields that schema 1 does not know are left out.
 * Throws E_JSON: for text that is no JSON, and for what is missing or wrong, each with its place.
 */
export function parsePlan(text: string, name = 'plan.json'): Plan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MemplanError([diagnostic('E_JSON', `${name} is not JSON: ${(error as Error).message}.`)]);
  }
  const faults: string[] = [];
  const parsed = plan(value, '', faults);
  if (faults.length === 0) return parsed;
  const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [];
  const [first, ...others] = [...faults.slice(0, MOST_FAULTS), ...more].map((fault) =>
    diagnostic('E_JSON', `${name}, ${fault}.`, { hint: 'memplan writes this file with --emit json.' }),
  );
  throw new MemplanError([first!, ...others]);
}
