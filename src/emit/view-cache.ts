/** The view of what the firmware must do to cache lines of tensors; those of weights are looked after as they come. */
import type { Plan, PlanCache } from '../plan/types.ts';
import { commentText } from './comment.ts';
import { unsigned } from './literals.ts';
import type { CacheView, RegionView } from './view-types.ts';

/** The plan's rows of tensors: the C has a table of them. */
export function cachedTensors({ cache = [] }: Pick<Plan, 'cache'>): readonly TensorRow[] {
  return cache.flatMap((row) => {
    const { at } = row;
    return at === 'before-bring' || at === 'after-wait' ? [] : [{ ...row, at }];
  });
}

type TensorRow = PlanCache & { readonly at: keyof typeof AT };

const AT = { 'before-dma': 'BEFORE_DMA', 'before-step': 'BEFORE_STEP', 'after-step': 'AFTER_STEP' } as const;
const OPERATION = {
  clean: 'CLEAN',
  invalidate: 'INVALIDATE',
  'clean-invalidate': 'CLEAN_INVALIDATE',
} as const;

/** Null where the plan asks for nothing. A row covers the whole lines of its tensor. */
export function cacheView(plan: Plan, P: string, regions: readonly RegionView[]): CacheView | null {
  const { tensors } = plan;
  const cache = cachedTensors(plan);
  if (cache.length === 0) return null;
  const rows = cache.map((row) => {
    const tensor = tensors.find(({ model, name }) => model === row.model && name === row.tensor)!;
    const at = plan.regions.findIndex(({ name }) => name === tensor.region);
    const line = plan.regions[at]!.cacheLine ?? 1;
    const size = Math.ceil(tensor.bytes / line) * line;
    return {
      about: aboutRow(row),
      row: [
        unsigned(tensor.offset!),
        unsigned(size),
        unsigned(row.step),
        regions[at]!.indexMacro,
        `${P}_CACHE_${AT[row.at]}`,
        `${P}_CACHE_${OPERATION[row.operation]}`,
      ].join(', '),
    };
  });
  return { count: unsigned(rows.length), rows };
}

function aboutRow({ tensor, at, step, operation }: TensorRow): string {
  const when = {
    'before-dma': 'before a DMA fills it',
    'before-step': `before step ${step}`,
    'after-step': `after step ${step}`,
  };
  return `${commentText(tensor)}: ${operation} ${when[at]}`;
}
