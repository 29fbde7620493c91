/** Plans several sketches together through the real stages after inference. */
import { cNames } from '../../src/emit/identifiers.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import { addScratch } from '../../src/lifetime/scratch.ts';
import type { Model } from '../../src/model/types.ts';
import { planArenas } from '../../src/place/arenas.ts';
import { assemblePlan } from '../../src/plan/assemble.ts';
import { pack } from '../../src/plan/pack.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import { settle } from '../../src/plan/settings.ts';
import type { Plan } from '../../src/plan/types.ts';
import { arrangeModels } from '../../src/several/arrange.ts';
import { combine } from '../../src/several/combine.ts';
import { layOutTogether } from '../../src/several/keep.ts';
import { prefixesOf } from '../../src/several/prefixes.ts';
import { loadTarget } from '../../src/target/load.ts';
import { type GraphSketch, graphOf } from './graphs.ts';
import { requestOf } from './planned.ts';

/** The models are called a, b, c, ... in the order given. */
export function planSeveral(sketches: readonly GraphSketch[], options: Partial<PlanRequest> = {}): Plan {
  const request = requestOf({ models: sketches.map((_, i) => `${nameOf(i)}.onnx`), ...options });
  const target = loadTarget(request.target);
  const read = sketches.map(
    (sketch, i): Model => ({
      name: nameOf(i),
      file: `${nameOf(i)}.onnx`,
      sha256: '0'.repeat(64),
      irVersion: 8,
      producer: '',
      graph: graphOf(sketch),
      diagnostics: [],
      externalFiles: [],
    }),
  );
  const { arranged, models } = layOutTogether(arrangeModels(read, request), (one) => {
    const bare = graphOf(sketches[one.given]!);
    const settings = settle(one.request, target, bare);
    const { graph, schedule, unknown } = addScratch(
      bare,
      scheduleSteps(bare),
      settings.kernels,
      one.request.scratch,
    );
    const { buffers, states, solution } = pack(graph, schedule, settings, { strategy: request.strategy });
    return {
      ...{ model: one.model, settings, graph, schedule, buffers, states, solution },
      layout: settings.kernels.layout,
      unknownScratch: unknown,
    };
  });
  const prefixes = prefixesOf(arranged, request);
  const combined = combine(models, arranged, { request, cPrefix: prefixes.shared });
  const placed = planArenas(
    { ...combined, graphs: models.map(({ graph }) => graph) },
    { ...request, ...models[0]!.settings },
  );
  return assemblePlan({
    models: models.map((one, i) => ({ ...one, cPrefix: prefixes.models[i]! })),
    ...{ target, request, placed, cNames, diagnostics: [] },
    ...{ joint: combined.joint, run: combined.run },
  });
}

function nameOf(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index);
}
