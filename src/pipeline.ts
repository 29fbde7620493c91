/** The whole flow, readable in one screen. */
import { cNames, cPrefix } from './emit/identifiers.ts';
import { diagnostic, MemplanError } from './errors.ts';
import { buildBuffers } from './lifetime/buffers.ts';
import { scheduleSteps } from './lifetime/schedule.ts';
import { readModel } from './model/read.ts';
import { assemblePlan } from './plan/assemble.ts';
import type { PlanRequest } from './plan/request.ts';
import { refuseUnbuilt, settle } from './plan/settings.ts';
import type { Plan } from './plan/types.ts';
import { solve } from './planner/solve.ts';
import { inferShapes } from './shape/infer.ts';
import { loadTarget } from './target/load.ts';
import type { Target } from './target/types.ts';
import { verifyPlan } from './verify/verify.ts';

export interface Planned {
  readonly plan: Plan;
  readonly target: Target;
  /** Files besides the models that the result depends on, relative to the model's folder. */
  readonly externalFiles: readonly string[];
}

/**
 * Plans a model for a target. The plan is checked before anybody sees it.
 * A plan that fits no region or budget is returned with `fits: false`; what cannot be planned at all is thrown, and so
 * is a plan in which the checker finds a fault (E_INTERNAL, then its findings).
 */
export function planModel(request: PlanRequest): Planned {
  refuseUnbuilt(request);
  const target = loadTarget(request.target);
  const model = readModel(request.models[0]!);
  const inferred = inferShapes(model.graph, request.bindings);
  const { graph } = inferred;
  const settings = settle(request, target, graph);
  const schedule = scheduleSteps(graph);
  const buffers = buildBuffers(graph, schedule, settings.lifetime, settings.kernels);
  const { strategy, effort } = request;
  const solution = solve({ buffers: buffers.buffers }, { strategy, effort });
  const plan = assemblePlan({
    ...{ model, target, request, settings, graph, schedule, buffers, solution, cNames },
    cPrefix: request.prefix ?? cPrefix(model.file),
    diagnostics: [...model.diagnostics, ...inferred.diagnostics, ...settings.diagnostics],
  });
  const faults = verifyPlan(plan);
  if (faults.length > 0) {
    const text =
      'memplan made a plan that its own checker refuses; nothing is written. Please report this model.';
    throw new MemplanError([diagnostic('E_INTERNAL', text), ...faults]);
  }
  return { plan, target, externalFiles: model.externalFiles };
}
