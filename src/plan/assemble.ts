/** Puts the plan together: every field of plan.json, with totals that add up. */
import type { Diagnostic } from '../errors.ts';
import type { Model } from '../model/types.ts';
import type { Arena, Arenas } from '../place/arenas.ts';
import { reservedIn } from '../place/memories.ts';
import type { Region, Target } from '../target/types.ts';
import { planConstants } from './constants.ts';
import { fitDiagnostics } from './fit.ts';
import { planHash } from './hash.ts';
import { liveBytesByStep, peakOf } from './live.ts';
import type { PlanRequest } from './request.ts';
import type { Settings } from './settings.ts';
import { type Placing, planSteps, planTensors } from './tensors.ts';
import {
  PLAN_SCHEMA,
  type Plan,
  type PlanBuffer,
  type PlanFusion,
  type PlanModel,
  type PlanPlacement,
  type PlanRegion,
  type PlanTotals,
} from './types.ts';

export interface Parts extends Omit<Placing, 'places'> {
  readonly model: Model;
  readonly cPrefix: string;
  readonly target: Target;
  readonly request: PlanRequest;
  readonly settings: Settings;
  readonly placed: Arenas;
  readonly fusion?: PlanFusion | undefined;
  /** Labels of the steps whose scratch is not known. */
  readonly unknownScratch?: readonly string[];
  /** Warnings and notes of the stages before. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A plan of one model. `fits` is false when a capacity or budget is exceeded; nothing is thrown for it. */
export function assemblePlan(parts: Parts): Plan {
  const { graph, schedule, target, settings, placed } = parts;
  const places = placesOf(placed);
  const buffers = planBuffers(parts, places);
  const live = liveBytesByStep(buffers, schedule.steps.length);
  const placing: Placing = { ...parts, places };
  const scratch = buffers.filter(({ kind }) => kind === 'scratch');
  const steps = planSteps(placing, 0, live, liveBytesByStep(scratch, schedule.steps.length));
  const tensors = planTensors(placing, 0);
  const constants = planConstants(graph, schedule, 0);
  const models = [planModelOf(parts)];
  const regions = placed.arenas.map((arena) => planRegion(parts, arena, buffers));
  const peak = peakOf(live);
  const draft = {
    schema: PLAN_SCHEMA,
    models,
    target: { id: target.id, core: target.cpu.core },
    assumptions: settings.assumptions,
    steps,
    tensors,
    buffers,
    regions,
    constants,
    ...(placed.several && { placement: planPlacement(placed.several, placed.traffic) }),
    totals: totalsOf({ models, steps, tensors, buffers, regions, constants }, isComplete(parts)),
    peak: {
      ...peak,
      tensors: tensors
        .filter((t) => t.buffer !== null && t.first <= peak.step && peak.step < t.end)
        .map(({ name }) => name),
    },
  } satisfies Partial<Plan>;
  const gates = fitDiagnostics(draft, target, parts.request, {
    unknownScratch: parts.unknownScratch ?? [],
    failed: placed.failed ?? [],
  });
  const plan = {
    ...draft,
    fits: gates.every(({ kind }) => kind !== 'error'),
    ...(parts.fusion && { fusion: parts.fusion }),
    diagnostics: [...parts.diagnostics, ...gates],
  };
  const { schema, fits, ...rest } = plan;
  return { schema, fits, planHash: planHash(plan), ...rest };
}

function planModelOf({ model, graph, cPrefix }: Parts): PlanModel {
  const names = (tensors: readonly number[]): string[] =>
    tensors.map((tensor) => graph.tensors[tensor]!.name);
  const opsets = [...graph.opsets].map(
    ([domain, version]) => [domain === '' ? 'ai.onnx' : domain, version] as const,
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

function planBuffers({ graph, buffers }: Parts, places: Placing['places']): readonly PlanBuffer[] {
  return buffers.buffers.map((buffer, id) => ({
    id,
    kind: buffer.kind,
    tensors: buffer.members.map(({ tensor }) => graph.tensors[tensor]!.name),
    bytes: buffer.bytes,
    alignment: buffer.alignment,
    first: buffer.first,
    end: buffer.end,
    ...places[id]!,
    gaps: buffer.gaps ?? [],
    mayOverlap: buffer.mayOverlap ?? [],
  }));
}

function planRegion(parts: Parts, arena: Arena, all: readonly PlanBuffer[]): PlanRegion {
  const { target, schedule, placed } = parts;
  const { region, solution } = arena;
  const buffers = arena.buffers.map((buffer) => all[buffer]!);
  const alignment = baseAlignment(region, target, buffers);
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
    peak: peakOf(liveBytesByStep(buffers, schedule.steps.length)),
    traffic: arena.buffers.reduce((sum, buffer) => sum + placed.traffic[buffer]!, 0),
    speedRank: region.speedRank,
  };
}

function planPlacement(
  { proved, why, gains }: NonNullable<Arenas['several']>,
  traffic: readonly number[],
): PlanPlacement {
  return {
    optimal: proved,
    buffers: why.map((reason, buffer) => ({ buffer, traffic: traffic[buffer]!, why: reason })),
    gains: gains.map(({ memory, bytes, traffic }) => ({ region: memory, bytes, traffic })),
  };
}

/** What offsets rely on; whole cache lines where there is a cache, so that no neighbour shares the first line. */
function baseAlignment(region: Region, target: Target, buffers: readonly PlanBuffer[]): number {
  const line = region.cacheable === true ? (target.cpu.dcacheLineBytes ?? 1) : 1;
  return Math.max(line, ...new Set(buffers.map(({ alignment }) => alignment)));
}

/** Every step's scratch is known. */
function isComplete({ settings, unknownScratch = [] }: Parts): boolean {
  return settings.kernels.countsScratch && unknownScratch.length === 0;
}

function totalsOf(
  plan: Pick<Plan, 'models' | 'steps' | 'tensors' | 'buffers' | 'regions' | 'constants'>,
  complete: boolean,
): PlanTotals {
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  const bytes = new Map([...plan.constants, ...plan.tensors].map(({ name, bytes }) => [name, bytes]));
  const bytesOf = (names: readonly string[]): number => sum(names.map((name) => bytes.get(name) ?? 0));
  return {
    arenaBytes: sum(plan.regions.map(({ used }) => used)),
    lowerBoundBytes: sum(plan.regions.map(({ lowerBound }) => lowerBound)),
    optimal: plan.regions.every(({ optimal }) => optimal),
    noReuseBytes: sum(plan.buffers.map(({ bytes }) => bytes)),
    weightBytes: sum(plan.constants.map(({ bytes }) => bytes)),
    scratchBytes: plan.steps.reduce((most, { scratchBytes }) => Math.max(most, scratchBytes), 0),
    inputBytes: bytesOf(plan.models.flatMap(({ inputs }) => inputs)),
    outputBytes: bytesOf(plan.models.flatMap(({ outputs }) => outputs)),
    complete,
  };
}
