/** The whole flow, readable in one screen. */
import { assumeInt8 } from './assume/int8.ts';
import { rescaleInputs } from './assume/scale-input.ts';
import { cNames, cPrefix } from './emit/identifiers.ts';
import { diagnostic, MemplanError } from './errors.ts';
import { type Fused, fuseGraph } from './fuse/fuse.ts';
import { unfusedWeights } from './fuse/weights.ts';
import type { TypedGraph } from './graph/types.ts';
import { remembering } from './kernels/remember.ts';
import { buildBuffers } from './lifetime/buffers.ts';
import { scheduleSteps } from './lifetime/schedule.ts';
import { addScratch } from './lifetime/scratch.ts';
import { trustWarnings } from './lifetime/trust.ts';
import { readModel } from './model/read.ts';
import type { Model } from './model/types.ts';
import { counting, createLookout, type Lookout, type Observe } from './observe.ts';
import { chooseOrder } from './order/choose.ts';
import { planArenas } from './place/arenas.ts';
import { assemblePlan } from './plan/assemble.ts';
import type { PlanRequest } from './plan/request.ts';
import { refuseUnbuilt, type Settings, settle } from './plan/settings.ts';
import type { Plan, PlanFusion } from './plan/types.ts';
import { solve } from './planner/solve.ts';
import { inferShapes } from './shape/infer.ts';
import type { Inferred } from './shape/types.ts';
import { loadTarget } from './target/load.ts';
import type { Target } from './target/types.ts';
import { planFaults } from './verify/verify.ts';

export interface Planned {
  readonly plan: Plan;
  readonly target: Target;
  /** Files besides the models that the result depends on, relative to the model's folder. */
  readonly externalFiles: readonly string[];
  /** What the plan was made from, for a runner. */
  readonly laid: Pick<ReturnType<typeof layOut>, 'graph' | 'schedule' | 'buffers'>;
}

/**
 * Plans a model for a target. The plan is checked before anybody sees it.
 * A plan that fits no region or budget is returned with `fits: false`; what cannot be planned at all is thrown, and so
 * is a plan in which the checker finds a fault (E_INTERNAL, then its findings). `observe` may end a search early: the
 * plan then says so (W_INTERRUPTED).
 */
export function planModel(request: PlanRequest, observe?: Observe): Planned {
  refuseUnbuilt(request);
  const target = loadTarget(request.target);
  const lookout = createLookout(observe);
  lookout.tell({ doing: 'reading' });
  const model = readModel(request.models[0]!);
  const inferred = inferModel(model, request, lookout);
  const settings = settle(request, target, inferred.graph);
  const fused = fuse(inferred.graph, settings);
  const laid = layOut(fused?.graph ?? inferred.graph, settings, request, lookout, true);
  const placed = planArenas(laid, { ...request, ...settings });
  const plan = assemblePlan({
    ...{ model, target, request, settings, cNames, ...laid, placed },
    cPrefix: request.prefix ?? cPrefix(model.file),
    fusion: fused && whatChanged(fused, layOut(inferred.graph, settings, request, lookout, false)),
    diagnostics: [
      ...[model, inferred, settings].flatMap(({ diagnostics }) => diagnostics),
      ...(fused?.diagnostics ?? unfusedWeights(inferred.graph)),
      ...laid.diagnostics,
      ...lookout.diagnostics(),
    ],
  });
  lookout.tell({ doing: 'checking the plan' });
  const faults = planFaults(plan);
  if (faults.length > 0) {
    const text =
      'memplan made a plan that its own checker refuses; nothing is written. Please report this model.';
    throw new MemplanError([diagnostic('E_INTERNAL', text), ...faults]);
  }
  return { plan, target, externalFiles: model.externalFiles, laid };
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
  return { ...laid, diagnostics: [...laid.diagnostics, ...diagnostics] };
}

/** The steps in the order in which the nodes stand. */
function layOutInOrder(bare: TypedGraph, settings: Settings, request: PlanRequest, lookout: Lookout) {
  const { strategy, effort, scratch } = request;
  const scratched = addScratch(bare, scheduleSteps(bare), settings.kernels, scratch);
  const { graph, schedule } = scratched;
  const buffers = buildBuffers(graph, schedule, settings.lifetime, settings.kernels);
  const solution = solve(
    { buffers: buffers.buffers },
    { strategy, effort, observe: (reached) => lookout.ends({ doing: 'packing', ...reached }) },
  );
  return {
    ...{ graph, schedule, buffers, solution },
    unknownScratch: scratched.unknown,
    diagnostics: [...scratched.diagnostics, ...trustWarnings(graph, schedule, buffers, settings.kernels)],
  };
}

function whatChanged({ leftOut }: Fused, { schedule, solution }: ReturnType<typeof layOut>): PlanFusion {
  return { leftOut, unfused: { steps: schedule.steps.length, arenaBytes: solution.bytes } };
}
