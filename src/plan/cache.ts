/** When the data cache must be cleaned or invalidated for what a DMA engine reads or writes. */
import type { Rule } from '../place/rule-types.ts';
import { neededFrom } from './stages.ts';
import type { PlanBuffer, PlanCache, PlanRegion, PlanStep, PlanTensor } from './types.ts';

interface Placed {
  readonly steps: readonly PlanStep[];
  readonly tensors: readonly PlanTensor[];
  readonly buffers: readonly PlanBuffer[];
  readonly regions: readonly PlanRegion[];
}

/**
 * In the order of the steps; only for tensors in cached memory. What was read about the Cortex-M7 holds for every
 * write-back cache: a dirty line of a dead tenant may be written back over what a DMA has just delivered, so lines
 * are dropped before it starts; lines may be fetched while it goes on, so they are dropped again before the core
 * reads; and a DMA reads memory, not the cache, so what the core wrote is cleaned first.
 *
 * An input is delivered by a DMA before a run, an output drained after it. Who computes any other tensor is not
 * known: its schedule is right for a core as well as for an engine.
 *
 * A weight that is brought for its steps comes to where the dead left their lines, while a step of others runs.
 */
export function cacheSchedule(placed: Placed, rules: readonly Rule[]): readonly PlanCache[] {
  const cached = new Set(
    placed.regions.filter(({ cacheLine }) => cacheLine !== undefined).map(({ name }) => name),
  );
  const touched = new Set(
    rules.filter(({ kind }) => kind === 'dma').map(({ model = 0, tensor }) => `${model}:${tensor}`),
  );
  const tensors = placed.tensors.filter(
    ({ model, name, region }) => touched.has(`${model}:${name}`) && region !== null && cached.has(region),
  );
  const copies = placed.buffers.filter(({ kind, region }) => kind === 'copy' && cached.has(region));
  return [...tensors.flatMap((tensor) => rowsOf(placed, tensor)), ...broughtRows(placed, copies)].sort(
    (a, b) => orderOf(a) - orderOf(b),
  );
}

/**
 * Nothing runs before the first step, so what it needs comes right before it; what is there is waited for before the next
 * begins to come. Copies that are made before the first run have no rows: whoever makes them looks after their lines.
 */
function broughtRows({ steps }: Placed, copies: readonly PlanBuffer[]): readonly PlanCache[] {
  const needed = neededFrom(steps);
  const brought = copies.flatMap(({ tensors: [tensor = ''], first }) => {
    const step = needed.get(tensor);
    if (step === undefined) return [];
    const row = { model: 0, tensor, operation: 'invalidate' } as const;
    return {
      atOnce: first === step,
      bring: { ...row, at: 'before-bring', step: first },
      wait: { ...row, at: 'after-wait', step },
    } as const;
  });
  return [
    ...brought.flatMap(({ atOnce, bring }) => (atOnce ? [bring] : [])),
    ...brought.map(({ wait }) => wait),
    ...brought.flatMap(({ atOnce, bring }) => (atOnce ? [] : [bring])),
  ];
}

function rowsOf({ steps, buffers, tensors }: Placed, tensor: PlanTensor): readonly PlanCache[] {
  const { model, name, role, buffer } = tensor;
  const row = (at: PlanCache['at'], step: number, operation: PlanCache['operation']): PlanCache => {
    return { model, tensor: name, at, step, operation };
  };
  const mine = steps.filter((step) => step.model === model);
  const firstRead = mine.find(({ reads }) => reads.includes(name))?.step;
  // An input that keeps its bytes has the role of a state.
  const writer = mine.find(({ writes, scratch = [] }) => [...writes, ...scratch].includes(name))?.step;
  if (role === 'input' || writer === undefined) {
    const reading = firstRead === undefined ? [] : [row('before-step', firstRead, 'invalidate')];
    return [row('before-dma', mine[0]?.step ?? 0, 'invalidate'), ...reading];
  }
  if (role === 'output') return [row('after-step', writer, 'clean')];
  // Where the buffer holds something that the step still reads, dirty lines are not dropped but written back.
  const holds = tensors.some(
    (other) => other.buffer === buffer && other.first < writer && writer < other.end,
  );
  const { first } = buffers[buffer!]!;
  const before = holds || first < writer ? 'clean-invalidate' : 'invalidate';
  return [row('before-step', writer, before), row('after-step', writer, 'clean-invalidate')];
}

/** What comes and what is waited for before a step stand in their order already. */
const RANK: Readonly<Record<PlanCache['at'], number>> = {
  'before-dma': 0,
  'before-bring': 1,
  'after-wait': 1,
  'before-step': 2,
  'after-step': 3,
};

function orderOf({ at, step }: PlanCache): number {
  return 4 * step + RANK[at];
}
