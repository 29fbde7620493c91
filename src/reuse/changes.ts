/** Single changes of a request that may change what the arena takes: each is to be planned again. */

import type { PlanRequest } from '../plan/request.ts';
import type { Plan } from '../plan/types.ts';
import type { Region, Target } from '../target/types.ts';

/** What kind of change it is: groups of a report. */
export type ChangeKind = 'held' | 'sharing' | 'order' | 'kernels' | 'weights' | 'memory' | 'models' | 'model';

export interface Change {
  readonly kind: ChangeKind;
  /** `--schedule min-peak`: what to type, or what to leave out. */
  readonly option: string;
  /** `leave-out`: the option is among those that were given. */
  readonly how: 'add' | 'leave-out';
  readonly request: PlanRequest;
}

type Made = readonly [option: string, change: Partial<PlanRequest>];

const SCALES = [0.5, 0.75] as const;
/** Output pixels that an explicit im2col gathers at once instead of all. */
const TILE = 'tile=64';
const CORES_OF_XNNPACK = /^cortex-a|64/;

/**
 * Every change that means something for this plan of this request, in a fixed order. None is a promise: some of them
 * cannot be planned (a library without the layout, a region that is too small is planned and does not fit).
 */
export function changesOf(request: PlanRequest, plan: Plan, target: Target): readonly Change[] {
  const add = (kind: ChangeKind, made: readonly Made[]): Change[] =>
    made.map(([option, change]) => ({ kind, option, how: 'add', request: { ...request, ...change } }));
  const leaveOut = (kind: ChangeKind, made: readonly Made[]): Change[] =>
    made.map(([option, change]) => ({ kind, option, how: 'leave-out', request: { ...request, ...change } }));
  return [
    ...leaveOut('held', held(request)),
    ...leaveOut('sharing', sharing(request, true)),
    ...add('sharing', sharing(request, false)),
    ...add('sharing', ports(request)),
    ...add('order', [order(request)]),
    ...add('kernels', kernels(request, plan, target)),
    ...leaveOut('weights', request.weights === 'flash' ? [] : [weights(request)]),
    ...leaveOut('memory', rules(request)),
    ...add('memory', memories(request, plan, target)),
    ...add('models', runs(request)),
    ...add('model', otherModels(request, plan)),
  ];
}

/** Options that hold bytes which nobody reads any more, or that pad. */
function held(request: PlanRequest): Made[] {
  const { preserveInputs, asyncIo, keep, hold, guard, sizeRound, align, buffers } = request;
  return [
    ...(preserveInputs ? [['--preserve-inputs', { preserveInputs: false }] as const] : []),
    ...(asyncIo ? [['--async-io', { asyncIo: false }] as const] : []),
    ...(keep.length > 0 ? [['--keep', { keep: [] }] as const] : []),
    ...(hold.length > 0 ? [['--hold', { hold: [] }] as const] : []),
    ...(buffers.size > 0 ? [['--buffers', { buffers: new Map() }] as const] : []),
    ...(guard > 0 ? [['--guard', { guard: 0 }] as const] : []),
    ...(sizeRound > 1 ? [['--size-round', { sizeRound: 1 }] as const] : []),
    ...(align !== undefined ? [['--align', { align: undefined }] as const] : []),
  ];
}

/** Kinds of sharing: those that an option forbids (`forbidden`), or those that one could forbid. */
function sharing(request: PlanRequest, forbidden: boolean): Made[] {
  const { inPlace, inPlaceInputs } = request;
  const kinds = ['inPlace', 'inPlaceInputs', 'views', 'elide'] as const;
  const flags = {
    inPlace: '--no-in-place',
    inPlaceInputs: '--no-in-place-inputs',
    views: '--no-views',
    elide: '--no-elide',
  };
  return kinds
    .filter((kind) => request[kind] !== forbidden)
    .filter((kind) => forbidden || kind !== 'inPlaceInputs' || (inPlace && inPlaceInputs))
    .map((kind) => [flags[kind], { [kind]: forbidden }] as const);
}

function ports({ io }: PlanRequest): Made[] {
  return io === 'arena' ? [['--io external', { io: 'external' }]] : [['--io arena', { io: 'arena' }]];
}

function order({ schedule }: PlanRequest): Made {
  return schedule === 'model'
    ? ['--schedule min-peak', { schedule: 'min-peak' }]
    : ['--schedule model', { schedule: 'model' }];
}

/** Other libraries that suit the core and the model, with their own versions; other ways of the same one. */
function kernels(request: PlanRequest, plan: Plan, target: Target): Made[] {
  const { assumptions, tensors } = plan;
  const quantised = tensors.some(({ quant }) => quant !== null);
  const small = target.cpu.cmsisNnBuild !== null;
  const library = (name: string, version?: string): Made => [
    `--kernels ${name}${version === undefined ? '' : ` --kernels-version ${version}`}`,
    { kernels: name, kernelsVersion: version, kernelsBuild: undefined, layout: undefined },
  ];
  const suiting = [
    ['reference', true],
    ['cmsis-nn', small && quantised],
    ['tflm', small],
    ['xnnpack', CORES_OF_XNNPACK.test(target.cpu.core)],
  ] as const;
  const fuse = assumptions.fuse === 'none' ? 'default' : 'none';
  const layout = assumptions.layout === 'nchw' ? 'nhwc' : 'nchw';
  const eitherLayout = ['none', 'reference', 'im2col'].includes(assumptions.kernels);
  return [
    ...suiting.flatMap(([name, suits]) => (suits && name !== assumptions.kernels ? [library(name)] : [])),
    ...['whole', TILE]
      .filter((version) => assumptions.kernels !== 'im2col' || assumptions.kernelsVersion !== version)
      .map((version) => library('im2col', version)),
    [`--fuse ${fuse}`, { fuse }],
    ...(eitherLayout ? [[`--layout ${layout}`, { layout }] as const] : []),
    ...(assumptions.kernels === 'none' || request.trustUnproved
      ? []
      : [['--trust unproved', { trustUnproved: true }] as const]),
  ];
}

function weights({ weights }: PlanRequest): Made {
  return [`--weights ${weights}`, { weights: 'flash' }];
}

/** Rules that confine tensors. Those of DMA engines are facts of the board, no choices. */
function rules({ rules }: PlanRequest): Made[] {
  const named = { pin: '--pin', forbid: '--forbid', align: '--align-tensor', slack: '--slack' } as const;
  return (['pin', 'forbid', 'align', 'slack'] as const)
    .filter((kind) => rules.some((rule) => rule.kind === kind))
    .map((kind) => [named[kind], { rules: rules.filter((rule) => rule.kind !== kind) }] as const);
}

/** Each other memory for data alone, and the two rules of placement. */
function memories(request: PlanRequest, plan: Plan, target: Target): Made[] {
  const only = plan.regions.length === 1 ? plan.regions[0]!.name : undefined;
  const others = target.regions.filter((region) => region.usableForData && region.name !== only);
  const place = request.place === 'auto' ? 'fastest' : 'auto';
  return [
    ...others.map(({ name }: Region): Made => [`--region ${name}`, { regions: [name] }]),
    ...(others.length > 0 ? [[`--place ${place}`, { place }] as const] : []),
  ];
}

/** Other ways of several models to share the chip; not where an option speaks of one of them. */
function runs({ models, run, group, link, hold }: PlanRequest): Made[] {
  if (models.length < 2 || group.length + link.length + hold.length > 0) return [];
  return (['exclusive', 'joint', 'concurrent'] as const)
    .filter((mode) => mode !== run)
    .map((mode) => [`--run ${mode}`, { run: mode }] as const);
}

/** Estimates for a model that does not exist yet. */
function otherModels({ assume, scaleInput, models }: PlanRequest, { tensors }: Plan): Made[] {
  const floats = assume === undefined && tensors.some(({ type }) => type === 'float32');
  const images = tensors.some(({ role, shape }) => role === 'input' && shape.length === 4);
  const scales = scaleInput === undefined && images && models.length === 1 ? SCALES : [];
  return [
    ...(floats ? [['--assume int8', { assume: 'int8' }] as const] : []),
    ...scales.map((factor): Made => [`--scale-input ${factor}`, { scaleInput: factor }]),
  ];
}
