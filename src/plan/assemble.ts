/** Puts the plan together: every field of plan.json, with totals that add up. */
import type { Member } from '../lifetime/types.ts';
import type { Arenas } from '../place/arenas.ts';
import { cacheSchedule } from './cache.ts';
import { openSharing, planDeclined, someDeclined } from './declined.ts';
import { fitDiagnostics } from './fit.ts';
import { planHash } from './hash.ts';
import { liveBytesByStep, peakOf } from './live.ts';
import { optionsOf } from './options.ts';
import type { FusionEffect, PartModel, Parts, SharedRun } from './parts.ts';
import { modelLabel } from './qualified.ts';
import { type Placing, planStates, planSteps, planTensors } from './tensors.ts';
import { totalsOf } from './totals.ts';
import {
  type Assumptions,
  PLAN_SCHEMA,
  type Plan,
  type PlanBuffer,
  type PlanCache,
  type PlanFusion,
  type PlanModel,
  type PlanPlacement,
  type PlanRegion,
  type PlanRun,
  type PlanTotals,
} from './types.ts';
import { withCopies } from './weights.ts';

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
  const { buffers, regions, constants } = withCopies(parts, planBuffers(parts, places));
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
  const options = optionsOf(parts.request);
  const plan = {
    ...draft,
    fits: gates.every(({ kind }) => kind !== 'error'),
    ...(options && { options }),
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
  const nameOf = ({ model, tensor }: Member): string => models[model]!.graph.tensors[tensor]!.name;
  return joint.buffers.map(({ id: name, kind, members, first, end, gaps = NONE, mayOverlap = NONE }, id) => {
    const { bytes, alignment } = placed.sizes[id]!;
    const { region, offset } = places[id]!;
    return {
      id,
      kind,
      tensors: kind === 'copy' ? [name] : members.map(nameOf),
      ...(models.length > 1 && { models: members.map(({ model }) => model) }),
      bytes,
      alignment,
      first,
      end,
      region,
      offset,
      gaps,
      mayOverlap,
    };
  });
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

/** Every step's scratch is known. */
function isComplete({ models }: Parts): boolean {
  return models.every(
    ({ settings, unknownScratch = [] }) => settings.kernels.countsScratch && unknownScratch.length === 0,
  );
}
