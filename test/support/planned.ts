/** Plans a graph made by hand through the real stages after inference. */
import { cNames } from '../../src/emit/identifiers.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import { addScratch } from '../../src/lifetime/scratch.ts';
import type { Model } from '../../src/model/types.ts';
import { planArenas } from '../../src/place/arenas.ts';
import { assemblePlan } from '../../src/plan/assemble.ts';
import { planHash } from '../../src/plan/hash.ts';
import { pack } from '../../src/plan/pack.ts';
import { type PlanRequest, REQUEST_DEFAULTS } from '../../src/plan/request.ts';
import { settle } from '../../src/plan/settings.ts';
import type { Plan } from '../../src/plan/types.ts';
import { onItsOwn } from '../../src/several/join.ts';
import { loadTarget } from '../../src/target/load.ts';
import type { Target } from '../../src/target/types.ts';
import { type GraphSketch, graphOf } from './graphs.ts';

/** Without a kernel library unless said otherwise: what a test says of tensors holds for tensors alone. */
export function requestOf(request: Partial<PlanRequest> = {}): PlanRequest {
  return {
    ...REQUEST_DEFAULTS,
    kernels: 'none',
    models: ['sketch.onnx'],
    target: 'stm32h743',
    ...request,
  };
}

const targets = new Map<string, Target>();

/** Read once: tests plan thousands of sketches. */
function targetOf(name: string): Target {
  const target = targets.get(name) ?? loadTarget(name);
  targets.set(name, target);
  return target;
}

/** The plan of a sketch, with the default options unless said otherwise. */
export function planSketch(sketch: GraphSketch, options: Partial<PlanRequest> = {}): Plan {
  const bare = graphOf(sketch);
  const request = requestOf(options);
  const target = targetOf(request.target);
  const model: Model = {
    name: 'sketch',
    file: 'sketch.onnx',
    sha256: '0'.repeat(64),
    irVersion: 8,
    producer: '',
    graph: bare,
    diagnostics: [],
    externalFiles: [],
  };
  const settings = settle(request, target, bare);
  const { graph, schedule, unknown } = addScratch(
    bare,
    scheduleSteps(bare),
    settings.kernels,
    request.scratch,
  );
  const { buffers, states, solution } = pack(graph, schedule, settings, { strategy: request.strategy });
  const joint = onItsOwn({ schedule, buffers });
  const placed = planArenas(
    { graphs: [graph], schedules: [schedule], joint, solution },
    { ...request, ...settings },
  );
  return assemblePlan({
    models: [
      {
        ...{ model, graph, schedule, settings, states, buffers },
        cPrefix: request.prefix ?? 'SKETCH',
        unknownScratch: unknown,
      },
    ],
    ...{ target, request, joint, placed, cNames },
    diagnostics: settings.diagnostics,
  });
}

/** A plan changed by hand, with the hash of what it says now: only its content can give it away. */
export function sealed(plan: Plan): Plan {
  return { ...plan, planHash: planHash(plan) };
}
