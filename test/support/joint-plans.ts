/** Plans of several models, put together from plans made by hand. */
import type { Plan, PlanRun } from '../../src/plan/types.ts';

export interface Together {
  readonly order?: 'any' | 'sequence';
  /** `a:t`. */
  readonly holds?: readonly string[];
  readonly links?: readonly (readonly [from: string, to: string])[];
  readonly asyncIo?: true;
}

/** Models called a, b, ... that take turns in the same bytes, or run one after another. */
export function together(
  models: readonly Plan[],
  { order = 'any', holds = [], links = [], asyncIo }: Together = {},
): Plan {
  const [first] = models;
  const starts = models.map((_, model) =>
    models.slice(0, model).reduce((sum, { steps }) => sum + steps.length, 0),
  );
  const nameOf = (text: string) => {
    const [model, tensor] = text.split(':');
    return { model: model!.charCodeAt(0) - 97, tensor: tensor! };
  };
  const run: PlanRun = {
    mode: order === 'any' ? 'exclusive' : 'joint',
    cPrefix: 'ALL',
    parts: [{ models: models.map((_, model) => model), order, regions: [] }],
    holds: holds.map(nameOf),
    links: links.map(([from, to]) => ({ from: nameOf(from), to: nameOf(to) })),
    isolation: { alone: [], isolatedBytes: 0, sharedBytes: 0 },
  };
  return {
    ...first!,
    assumptions: { ...first!.assumptions, asyncIo: asyncIo ?? false },
    models: models.map(({ models: [own] }, model) => ({ ...own!, name: String.fromCharCode(97 + model) })),
    steps: models.flatMap(({ steps }, model) =>
      steps.map((one) => ({ ...one, model, step: one.step + starts[model]! })),
    ),
    tensors: models.flatMap(({ tensors }, model) => tensors.map((one) => ({ ...one, model }))),
    run,
  };
}
