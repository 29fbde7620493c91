/** The whole flow, readable in one screen. */
import { assumeInt8 } from './assume/int8.ts';
import { rescaleInputs } from './assume/scale-input.ts';
import { cNames, longestName } from './emit/identifiers.ts';
import { type Diagnostic, diagnostic, fail, MemplanError } from './errors.ts';
import { type Fused, fuseGraph } from './fuse/fuse.ts';
import { unfusedWeights } from './fuse/weights.ts';
import type { TypedGraph } from './graph/types.ts';
import { remembering } from './kernels/remember.ts';
import { scheduleSteps } from './lifetime/schedule.ts';
import { addScratch } from './lifetime/scratch.ts';
import { trustWarnings } from './lifetime/trust.ts';
import { readModel } from './model/read.ts';
import type { Model } from './model/types.ts';
import { counting, createLookout, type Lookout, type Observe } from './observe.ts';
import { chooseOrder } from './order/choose.ts';
import { type Arenas, planArenas } from './place/arenas.ts';
import type { Rule } from './place/rule-types.ts';
import { assemblePlan } from './plan/assemble.ts';
import { pack } from './plan/pack.ts';
import type { FusionEffect } from './plan/parts.ts';
import type { PlanRequest } from './plan/request.ts';
import { type Settings, settle } from './plan/settings.ts';
import { stagedBuffers } from './plan/stages.ts';
import type { Plan } from './plan/types.ts';
import type { SolveWith } from './planner/solve.ts';
import { arrangeModels } from './several/arrange.ts';
import { combine } from './several/combine.ts';
import { layOutTogether } from './several/keep.ts';
import { prefixesOf } from './several/prefixes.ts';
import { inferShapes } from './shape/infer.ts';
import type { Inferred } from './shape/types.ts';
import { loadTarget } from './target/load.ts';
import type { Target } from './target/types.ts';
import { planFaults } from './verify/verify.ts';

export interface Planned {
  readonly plan: Plan;
  readonly target: Target;
  /** Files besides the models that the result depends on, by model of the request, relative to the model's folder. */
  readonly externalFiles: readonly (readonly string[])[];
  /** What the plan was made from, for a runner: one for each model. */
  readonly laid: readonly Pick<ReturnType<typeof layOut>, 'graph' | 'schedule' | 'buffers' | 'kernels'>[];
}

/**
 * Plans models for a target. The plan is checked before anybody sees it.
 * A plan that fits no region or budget is returned with `fits: false`; what cannot be planned at all is thrown, and so
 * is a plan in which the checker finds a fault (E_INTERNAL, then its findings). `observe` may end a search early: the
 * plan then says so (W_INTERRUPTED).
 */
export function planModel(request: PlanRequest, observe?: Observe): Planned {
  if (request.models.length === 0)
    fail('E_USAGE', 'No model is given.', { hint: 'memplan model.onnx --target stm32h743' });
  const target = loadTarget(request.target);
  const lookout = createLookout(observe);
  lookout.tell({ doing: 'reading' });
  const read = request.models.map(readModel);
  const { arranged, models } = layOutTogether(arrangeModels(read, request), (one) =>
    layOutModel(one.model, one.request, target, lookout),
  );
  const prefixes = prefixesOf(arranged, request);
  const nameLength = longestName(request.nameLength, prefixes.models);
  const pack = (laid: readonly Laid[]) =>
    combine(
      laid.map((one, i) => ({ ...one, layout: models[i]!.settings.kernels.layout })),
      arranged,
      { request, cPrefix: prefixes.shared, observe: packing(lookout) },
    );
  const combined = pack(models);
  const place = (laid: readonly Laid[], packed: ReturnType<typeof pack>, rules: readonly Rule[]) =>
    planArenas(
      { ...packed, graphs: laid.map(({ graph }) => graph) },
      {
        ...{ ...request, ...models[0]!.settings, rules, observe: packing(lookout) },
        interrupted: () => lookout.ends({ doing: 'placing' }),
      },
    );
  const placed = place(models, combined, rulesOf(arranged.models.map((one) => one.request)));
  const unruled = () => (placed.rules.length === 0 ? placed : place(models, combined, []));
  const plan = assemblePlan({
    ...{ target, request, placed, ...combined },
    cNames: (names) => cNames(names, nameLength),
    models: models.map((one, i) => ({ ...one, cPrefix: prefixes.models[i]! })),
    buckets: arranged.buckets,
    fusion: whatChanged(models, (laid) =>
      arenaBytes(laid === models ? unruled() : place(laid, pack(laid), [])),
    ),
    diagnostics: [...ofModels(models, arranged.buckets !== undefined), ...lookout.diagnostics()],
  });
  lookout.tell({ doing: 'checking the plan' });
  const faults = planFaults(plan);
  if (faults.length > 0) {
    const text =
      'memplan made a plan that its own checker refuses; nothing is written. Please report this model.';
    throw new MemplanError([diagnostic('E_INTERNAL', text), ...faults]);
  }
  return { plan, target, externalFiles: read.map((model) => model.externalFiles), laid: models };
}

/** Of several models each says whose it is; what all say is said once. */
function ofModels(
  models: readonly ReturnType<typeof layOutModel>[],
  buckets: boolean,
): readonly Diagnostic[] {
  if (models.length === 1) return models[0]!.diagnostics;
  const key = (one: Diagnostic) => JSON.stringify(one);
  const every = models.map(({ diagnostics }) => new Set(diagnostics.map(key)));
  const common = (one: Diagnostic) => buckets && every.every((known) => known.has(key(one)));
  return models.flatMap(({ model, diagnostics }, i) =>
    diagnostics
      .filter((one) => i === 0 || !common(one))
      .map((one) =>
        common(one) ? one : { ...one, text: `${buckets ? model.name : model.file}: ${one.text}` },
      ),
  );
}

function arenaBytes({ arenas }: Arenas): number {
  return arenas.reduce((sum, { solution }) => sum + solution.bytes, 0);
}

/** The rules of every model, each with its model. */
function rulesOf(requests: readonly PlanRequest[]): readonly Rule[] {
  return requests.flatMap(({ rules }, model) => rules.map((rule) => ({ ...rule, model })));
}

type Laid = ReturnType<typeof layOut>;

/** Everything about one model but how it shares the chip with others. */
function layOutModel(model: Model, request: PlanRequest, target: Target, lookout: Lookout) {
  const inferred = inferModel(model, request, lookout);
  const settings = settle(request, target, inferred.graph);
  const fused = fuse(inferred.graph, settings);
  const laid = layOut(fused?.graph ?? inferred.graph, settings, request, lookout, true);
  return {
    ...{ ...laid, model, settings },
    fusion: fused && {
      leftOut: fused.leftOut,
      unfused: () => layOut(inferred.graph, settings, request, lookout, false),
    },
    diagnostics: [
      ...[model, inferred, settings].flatMap(({ diagnostics }) => diagnostics),
      ...(fused?.diagnostics ?? unfusedWeights(inferred.graph)),
      ...laid.diagnostics,
    ],
  };
}

function inferModel({ graph }: Model, { bindings, scaleInput }: PlanRequest, lookout: Lookout): Inferred {
  const onNode = counting(lookout, 'inferring shapes', graph.nodes.length);
  if (scaleInput === undefined) return inferShapes(graph, bindings, { onNode });
  const rescaled = rescaleInputs(graph, bindings, scaleInput);
  return inferShapes(rescaled.graph, rescaled.bindings, { onNode });
}

/** Undefined with --fuse none. */
function fuse(graph: TypedGraph, { assumptions, kernels, lifetime }: Settings): Fused | undefined {
  return assumptions.fuse === 'none' ? undefined : fuseGraph(graph, kernels.fusions, lifetime.keep);
}

/** Everything between a graph and a place for each of its tensors. `mention`: notes a better order of the steps. */
function layOut(
  inferred: TypedGraph,
  settings: Settings,
  request: PlanRequest,
  lookout: Lookout,
  mention: boolean,
) {
  const { assume, schedule, effort } = request;
  const { lifetime } = settings;
  const kernels = remembering(settings.kernels);
  const graph = assume === undefined ? inferred : assumeInt8(inferred);
  const inOrder = (ordered: TypedGraph) => layOutInOrder(ordered, { ...settings, kernels }, request, lookout);
  const { laid, diagnostics } = chooseOrder(graph, inOrder, {
    ...{ schedule, effort, mention, lifetime, kernels },
    interrupted: () => lookout.ends({ doing: 'ordering the steps' }),
  });
  return { ...laid, kernels, diagnostics: [...laid.diagnostics, ...diagnostics] };
}

function packing(lookout: Lookout): NonNullable<SolveWith['observe']> {
  return (reached) => lookout.ends({ doing: 'packing', ...reached });
}

/** The steps in the order in which the nodes stand. */
function layOutInOrder(bare: TypedGraph, settings: Settings, request: PlanRequest, lookout: Lookout) {
  const { strategy, effort, scratch } = request;
  const scratched = addScratch(bare, scheduleSteps(bare), settings.kernels, scratch);
  const { graph, schedule } = scratched;
  const options = { strategy, effort, observe: packing(lookout) };
  const staged =
    request.weights === 'stage'
      ? stagedBuffers(graph, schedule, { align: settings.lifetime.align, line: settings.chip.line })
      : [];
  const { buffers, states, solution } = pack(graph, schedule, settings, options, staged);
  return {
    ...{ graph, schedule, buffers, states, solution },
    unknownScratch: scratched.unknown,
    diagnostics: [...scratched.diagnostics, ...trustWarnings(graph, schedule, buffers, settings.kernels)],
  };
}

/** Undefined where no model is fused. */
function whatChanged(
  models: readonly ReturnType<typeof layOutModel>[],
  bytesOf: (laid: readonly Laid[]) => number,
): FusionEffect | undefined {
  if (models.every(({ fusion }) => fusion === undefined)) return undefined;
  const unfused = models.map((one) => one.fusion?.unfused() ?? one);
  return {
    leftOut: models.flatMap(({ fusion, model }) =>
      (fusion?.leftOut ?? []).map((node) => (models.length > 1 ? `${model.name}:${node}` : node)),
    ),
    unfused: {
      steps: unfused.reduce((sum, { schedule }) => sum + schedule.steps.length, 0),
      // Rules may name what only one of the two has, and copies of weights are the same in both.
      moreBytes: bytesOf(unfused) - bytesOf(models),
    },
  };
}
