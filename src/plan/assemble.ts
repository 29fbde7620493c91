/** Puts the plan together: every field of plan.json, with totals that add up. */
import { type Diagnostic, fail } from '../errors.ts';
import type { Buffers } from '../lifetime/types.ts';
import type { Model } from '../model/types.ts';
import type { Arena, Arenas } from '../place/arenas.ts';
import { isCached, reservedIn } from '../place/memories.ts';
import { type MpuRegion, mpuRegion } from '../place/mpu.ts';
import { solve } from '../planner/solve.ts';
import type { Region, Target } from '../target/types.ts';
import { readsOf } from '../weights/accesses.ts';
import { type Copied, copyWeights } from '../weights/copies.ts';
import { cacheSchedule } from './cache.ts';
import { planConstants } from './constants.ts';
import { openSharing, planDeclined, someDeclined } from './declined.ts';
import { fitDiagnostics } from './fit.ts';
import { planHash } from './hash.ts';
import { liveBytesByStep, peakOf } from './live.ts';
import { modelLabel } from './qualified.ts';
import type { PlanRequest } from './request.ts';
import type { Settings } from './settings.ts';
import { type Placing, planStates, planSteps, planTensors, type ScheduledModel } from './tensors.ts';
import {
  type Assumptions,
  PLAN_SCHEMA,
  type Plan,
  type PlanBucket,
  type PlanBuffer,
  type PlanCache,
  type PlanConstant,
  type PlanFusion,
  type PlanModel,
  type PlanMpu,
  type PlanPlacement,
  type PlanRegion,
  type PlanRun,
  type PlanTotals,
} from './types.ts';

export interface PartModel extends ScheduledModel {
  readonly model: Model;
  readonly cPrefix: string;
  readonly settings: Settings;
  readonly buffers?: Pick<Buffers, 'declined' | 'sharing'>;
  /** Labels of the steps whose scratch is not known. */
  readonly unknownScratch?: readonly string[];
}

/** How models share the chip, before anything has a place. */
export type SharedRun = Omit<PlanRun, 'parts'> & {
  readonly parts: readonly Omit<PlanRun['parts'][number], 'regions'>[];
};

export interface Parts extends Omit<Placing, 'places'> {
  readonly models: readonly PartModel[];
  readonly target: Target;
  readonly request: PlanRequest;
  /** Of `joint.buffers`. */
  readonly placed: Arenas;
  readonly fusion?: FusionEffect | undefined;
  /** Of several models. */
  readonly run?: SharedRun | undefined;
  /** With --bucket: one for each model. */
  readonly buckets?: readonly PlanBucket[] | undefined;
  /** Warnings and notes of the stages before. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The same models without fusion, measured without rules and copies of weights on both sides. */
export interface FusionEffect extends Pick<PlanFusion, 'leftOut'> {
  readonly unfused: { readonly steps: number; readonly moreBytes: number };
}

function planFusion({ leftOut, unfused }: FusionEffect, { arenaBytes }: PlanTotals): PlanFusion {
  return { leftOut, unfused: { steps: unfused.steps, arenaBytes: arenaBytes + unfused.moreBytes } };
}

/** A plan of models. `fits` is false when a capacity or budget is exceeded; nothing is thrown for it. */
export function assemblePlan(parts: Parts): Plan {
  const { models: given, target, joint, run, placed } = parts;
  const { assumptions } = given[0]!.settings;
  const several = given.length > 1;
  const places = placesOf(placed);
  const each = <T>(list: (model: number) => readonly T[]): readonly T[] =>
    given.flatMap((_, model) => list(model));
  const { buffers, regions, constants } = withCopies(parts, planBuffers(parts, places), {
    ...weightsOf(parts),
  });
  const live = liveBytesByStep(buffers, joint.steps);
  const placing: Placing = { ...parts, places };
  const scratch = liveBytesByStep(
    buffers.filter(({ kind }) => kind === 'scratch'),
    joint.steps,
  );
  const steps = each((model) => planSteps(placing, model, live, scratch));
  const tensors = each((model) => planTensors(placing, model));
  const states = planStates(given);
  const models = given.map((one) => planModelOf(one, assumptions));
  const { rules } = placed;
  const peak = peakOf(live);
  const atPeak = tensors.filter((t) => t.buffer !== null && t.first <= peak.step && peak.step < t.end);
  const draft = {
    schema: PLAN_SCHEMA,
    models,
    target: { id: target.id, core: target.cpu.core },
    assumptions,
    steps,
    tensors,
    buffers,
    regions,
    constants,
    ...(placed.several && { placement: planPlacement(placed.several, placed.traffic, buffers, regions) }),
    ...(rules.length > 0 && { rules }),
    ...someCache(cacheSchedule({ steps, tensors, buffers, regions }, rules)),
    totals: totalsOf(
      { models, steps, tensors, buffers, regions, constants, buckets: parts.buckets },
      isComplete(parts),
    ),
    peak: {
      ...peak,
      tensors: atPeak.map(({ name }) => name),
      ...(several && { models: atPeak.map(({ model }) => model) }),
    },
    ...(run && { run: planRun(run, buffers) }),
    ...(parts.buckets && { buckets: parts.buckets }),
    ...(states.length > 0 && { states }),
  } satisfies Partial<Plan>;
  const gates = fitDiagnostics(draft, target, parts.request, {
    unknownScratch: given.flatMap(({ unknownScratch = [] }, model) =>
      several ? unknownScratch.map((node) => `${modelLabel(draft, model)}:${node}`) : unknownScratch,
    ),
    failed: placed.failed ?? [],
  });
  const plan = {
    ...draft,
    fits: gates.every(({ kind }) => kind !== 'error'),
    ...(parts.fusion && { fusion: planFusion(parts.fusion, draft.totals) }),
    ...someDeclined(given.flatMap(planDeclined)),
    ...openSharing(given),
    diagnostics: [...parts.diagnostics, ...placed.diagnostics, ...gates],
  };
  const { schema, fits, ...rest } = plan;
  return { schema, fits, planHash: planHash(plan), ...rest };
}

/** `shared`: what the plan says of all models. */
function planModelOf({ model, graph, cPrefix, settings }: PartModel, shared: Assumptions): PlanModel {
  const names = (tensors: readonly number[]): string[] =>
    tensors.map((tensor) => graph.tensors[tensor]!.name);
  const opsets = [...graph.opsets].map(
    ([domain, version]) => [domain === '' ? 'ai.onnx' : domain, version] as const,
  );
  const own = Object.entries(settings.assumptions).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(shared[key as keyof Assumptions]),
  );
  return {
    name: model.name,
    file: model.file,
    sha256: model.sha256,
    nodes: graph.nodes.length,
    opset: Object.fromEntries(opsets.sort(([a], [b]) => (a < b ? -1 : 1))),
    cPrefix,
    inputs: names(graph.inputs.filter((tensor) => graph.tensors[tensor]!.constant === undefined)),
    outputs: names(graph.outputs),
    ...(own.length > 0 && { assumptions: Object.fromEntries(own) }),
  };
}

/** By index of the buffer. */
function placesOf({ arenas }: Arenas): Placing['places'] {
  const places: { region: string; offset: number }[] = [];
  for (const { region, buffers, solution } of arenas) {
    buffers.forEach((buffer, at) => {
      places[buffer] = { region: region.name, offset: solution.offsets[at]! };
    });
  }
  return places;
}

function someCache(cache: readonly PlanCache[]): Pick<Plan, 'cache'> {
  return cache.length === 0 ? {} : { cache };
}

const NONE: readonly never[] = [];

function planBuffers({ models, joint, placed }: Parts, places: Placing['places']): readonly PlanBuffer[] {
  return joint.buffers.map((buffer, id) => ({
    id,
    kind: buffer.kind,
    tensors:
      buffer.kind === 'copy'
        ? [buffer.id]
        : buffer.members.map(({ model, tensor }) => models[model]!.graph.tensors[tensor]!.name),
    ...(models.length > 1 && { models: buffer.members.map(({ model }) => model) }),
    ...placed.sizes[id]!,
    first: buffer.first,
    end: buffer.end,
    ...places[id]!,
    gaps: buffer.gaps ?? NONE,
    mayOverlap: buffer.mayOverlap ?? NONE,
  }));
}

function planRegion(parts: Parts, arena: Arena, all: readonly PlanBuffer[]): PlanRegion {
  const { target, joint, placed } = parts;
  const { region, solution } = arena;
  const buffers = arena.buffers.map((buffer) => all[buffer]!);
  const { chip } = parts.models[0]!.settings;
  const mpu = chip.mpu && mpuRegion(chip.mpu, solution.bytes);
  const alignment = Math.max(baseAlignment(region, target, buffers), mpu?.alignment ?? 1);
  return {
    name: region.name,
    c: parts.cNames([region.name])[0]!,
    origin: region.origin,
    capacity: region.size,
    reserved: reservedIn(region, parts.request.reserve, alignment),
    used: solution.bytes,
    alignment,
    lowerBound: solution.lowerBound,
    optimal: solution.optimal,
    strategy: solution.strategy,
    peak: peakOf(liveBytesByStep(buffers, joint.steps)),
    traffic: arena.buffers.reduce((sum, buffer) => sum + placed.traffic[buffer]!, 0),
    speedRank: region.speedRank,
    ...(isCached(region, chip.line) && { cacheLine: chip.line }),
    ...(region.dma && { dma: region.dma }),
    ...(region.init !== null && { init: region.init }),
    ...(mpu && { mpu: planMpu(mpu) }),
  };
}

/** The plan with the copies of weights that the request asks for. Throws E_RULE for what the MPU could not hold. */
function withCopies(
  parts: Parts,
  buffers: readonly PlanBuffer[],
  {
    constants,
    reads,
  }: { readonly constants: readonly PlanConstant[]; readonly reads: () => readonly number[] },
): Copied {
  const { placed, request, joint } = parts;
  const regions = placed.arenas.map((arena) => planRegion(parts, arena, buffers));
  const { weights } = request;
  if (weights === 'flash') return { buffers, regions, constants };
  if (weights === 'stage') return { buffers, regions, constants: staged(buffers, constants, reads()) };
  const { chip, regions: usable, lifetime } = parts.models[0]!.settings;
  if (chip.mpu !== undefined)
    fail('E_RULE', '--weights: the regions of --mpu are sized before weights are copied.', {
      hint: 'Leave out one of the two.',
    });
  const taken = new Set(placed.arenas.map(({ region }) => region));
  const empty = usable
    .filter((region) => !taken.has(region))
    .map((region) => planRegion(parts, { region, buffers: [], solution: solve({ buffers: [] }) }, buffers));
  const all = { buffers, regions: [...regions, ...empty], constants };
  const copied = copyWeights(all, weights, reads(), lifetime.align, joint.steps);
  return parts.models.length === 1 ? copied : { ...copied, buffers: withModels(copied) };
}

/** Weights with a buffer of their own lie there for their steps. */
function staged(
  buffers: readonly PlanBuffer[],
  constants: readonly PlanConstant[],
  reads: readonly number[],
): readonly PlanConstant[] {
  const copies = new Map(
    buffers.flatMap(({ id, kind, tensors }) => (kind === 'copy' ? [[tensors[0]!, id] as const] : [])),
  );
  return constants.map((constant, i) => {
    const buffer = copies.get(constant.name);
    const accesses = constant.bytes * reads[i]!;
    return buffer === undefined ? { ...constant, accesses } : { ...constant, place: 'ram', accesses, buffer };
  });
}

/** Of several models: which one's weight a copy holds. */
function withModels({ buffers, constants }: Copied): readonly PlanBuffer[] {
  const owners = new Map(constants.map(({ buffer, model }) => [buffer, model]));
  return buffers.map((one) => (one.kind === 'copy' ? { ...one, models: [owners.get(one.id)!] } : one));
}

/**
 * The weights of all models, and how often a run reads each. Buckets read the same ones, of which the first speaks; of
 * the others there is what their tables name: results and values of bodies.
 */
function weightsOf({ models, buckets }: Parts): {
  readonly constants: readonly PlanConstant[];
  readonly reads: () => readonly number[];
} {
  const lists = models.map((one, model) => planConstants(one.graph, one.schedule, model));
  if (buckets === undefined) return { constants: lists.flat(), reads: () => models.flatMap(weightReads) };
  const keyOf = ({ name, type, shape }: PlanConstant) => JSON.stringify([name, type, shape]);
  const first = new Map(lists[0]!.map((one, i) => [keyOf(one), i]));
  const own = lists.slice(1).flatMap((list, before) => {
    const named = namedConstants(models[before + 1]!);
    return list.filter((constant) => !first.has(keyOf(constant)) || named.has(constant.name));
  });
  const all = [...lists[0]!, ...own];
  const reads = () => {
    const times = models.map((model, i) => {
      const counted = weightReads(model);
      return new Map(lists[i]!.map((one, at) => [keyOf(one), counted[at]!]));
    });
    return all.map((one) => Math.max(...times.map((known) => known.get(keyOf(one)) ?? 0)));
  };
  return { constants: all, reads };
}

/** Constants that graph or bodies hand out. */
function namedConstants({ graph, schedule }: ScheduledModel): ReadonlySet<string> {
  const outputs = schedule.spans.flatMap(({ bodies }) => bodies.flatMap(({ body }) => body.outputs));
  return new Set([...graph.outputs, ...outputs].map((tensor) => graph.tensors[tensor]!.name));
}

/** In the order of `planConstants`. */
function weightReads({ graph, schedule }: ScheduledModel): readonly number[] {
  const reads = readsOf(graph, schedule);
  const indexes = new Map(graph.tensors.map(({ name }, index) => [name, index]));
  return planConstants(graph, schedule, 0).map(({ name }) => reads.get(indexes.get(name)!) ?? 0);
}

function planMpu({ mpu, ...rest }: MpuRegion): PlanMpu {
  return { kind: mpu, ...rest };
}

/** With the bytes of each part, which the placement has settled. */
function planRun(run: SharedRun, buffers: readonly PlanBuffer[]): PlanRun {
  return {
    ...run,
    parts: run.parts.map((part) => {
      const own = buffers.filter(
        ({ kind, models, bytes }) => kind !== 'copy' && bytes > 0 && part.models.includes(models![0]!),
      );
      const names = [...new Set(own.map(({ region }) => region))].sort();
      return {
        ...part,
        regions: names.map((region) => {
          const inside = own.filter((buffer) => buffer.region === region);
          const offset = inside.reduce((least, one) => Math.min(least, one.offset), Number.MAX_SAFE_INTEGER);
          const end = inside.reduce((most, one) => Math.max(most, one.offset + one.bytes), 0);
          return { region, offset, bytes: end - offset };
        }),
      };
    }),
  };
}

function planPlacement(
  { proved, why, gains }: NonNullable<Arenas['several']>,
  traffic: readonly number[],
  buffers: readonly PlanBuffer[],
  regions: readonly PlanRegion[],
): PlanPlacement {
  const fastest = regions.reduce((least, { speedRank = 0 }) => Math.min(least, speedRank), Number.MAX_VALUE);
  // Copies of weights found room that was left: what they carry is listed with the constants.
  const copies = buffers.slice(why.length).map(({ id, region }) => {
    const { speedRank = 0 } = regions.find(({ name }) => name === region)!;
    return { buffer: id, traffic: 0, why: speedRank === fastest ? ('fastest' as const) : ('full' as const) };
  });
  return {
    optimal: proved,
    buffers: [
      ...why.map((reason, buffer) => ({ buffer, traffic: traffic[buffer]!, why: reason })),
      ...copies,
    ],
    gains: gains.map(({ memory, bytes, traffic }) => ({ region: memory, bytes, traffic })),
  };
}

/** What offsets rely on; whole cache lines where there is a cache, so that no neighbour shares the first line. */
function baseAlignment(region: Region, target: Target, buffers: readonly PlanBuffer[]): number {
  const line = region.cacheable === true ? (target.cpu.dcacheLineBytes ?? 1) : 1;
  return Math.max(line, ...new Set(buffers.map(({ alignment }) => alignment)));
}

/** Every step's scratch is known. */
function isComplete({ models }: Parts): boolean {
  return models.every(
    ({ settings, unknownScratch = [] }) => settings.kernels.countsScratch && unknownScratch.length === 0,
  );
}

function totalsOf(
  plan: Pick<Plan, 'models' | 'steps' | 'tensors' | 'buffers' | 'regions' | 'constants'> & {
    readonly buckets: Parts['buckets'];
  },
  complete: boolean,
): PlanTotals {
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  /** Buckets take turns in the same inputs and outputs, so the largest counts. */
  const ofAll = plan.buckets === undefined ? sum : (list: readonly number[]) => Math.max(0, ...list);
  const ports = new Set(plan.models.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]));
  const bytes = new Map<string, number>();
  for (const list of [plan.constants, plan.tensors]) {
    for (const { model, name, bytes: size } of list) if (ports.has(name)) bytes.set(`${model}:${name}`, size);
  }
  const portBytes = (side: 'inputs' | 'outputs'): number =>
    ofAll(plan.models.map((model, at) => sum(model[side].map((name) => bytes.get(`${at}:${name}`) ?? 0))));
  const copies = plan.buffers.filter(({ kind }) => kind === 'copy');
  return {
    arenaBytes: sum(plan.regions.map(({ used }) => used)),
    lowerBoundBytes: sum(plan.regions.map(({ lowerBound }) => lowerBound)),
    optimal: plan.regions.every(({ optimal }) => optimal),
    noReuseBytes: sum(plan.buffers.map(({ bytes }) => bytes)),
    weightBytes: sum(plan.constants.map(({ bytes }) => bytes)),
    ...(copies.length > 0 && { copyBytes: sum(copies.map(({ bytes }) => bytes)) }),
    scratchBytes: plan.steps.reduce((most, { scratchBytes }) => Math.max(most, scratchBytes), 0),
    inputBytes: portBytes('inputs'),
    outputBytes: portBytes('outputs'),
    complete,
  };
}
