/** Every way to plan a network that a runner must keep to: each kind of sharing, order, one arena or two. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planModel } from '../../src/pipeline.ts';
import { type PlanRequest, planRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';

export type Way = readonly [name: string, request: Partial<PlanRequest>, regions: 1 | 2];

const SWITCHES = [
  ['in place', { inPlace: true }, { inPlace: false }],
  ['views', { views: true }, { views: false }],
  ['elided', { elide: true }, { elide: false }],
  ['smallest peak', { schedule: 'min-peak' }, { schedule: 'model' }],
] as const;

/** All combinations: 2^4 requests, each in one region and in two. */
export const ALL_WAYS: readonly Way[] = ([1, 2] as const).flatMap((regions) =>
  Array.from({ length: 2 ** SWITCHES.length }, (_, bits): Way => {
    const on = SWITCHES.map((_, i) => (bits & (1 << i)) !== 0);
    const chosen = SWITCHES.map(([, yes, no], i) => (on[i] ? yes : no));
    const words = SWITCHES.flatMap(([word], i) => (on[i] ? [word] : []));
    const name = `${words.length === 0 ? 'nothing' : words.join(', ')}, ${regions} region${regions > 1 ? 's' : ''}`;
    return [name, Object.assign({}, ...chosen), regions];
  }),
);

const SHARE = 0.6;

/** A chip with two memories, of which the first has room for some of the network alone; its request. */
export function inTwoRegions(dir: string, models: readonly string[], way: Partial<PlanRequest> = {}) {
  const alone = planModel(planRequest({ target: 'cortex-m7', kernels: 'reference', ...way, models }));
  const small = Math.ceil((alone.plan.totals.arenaBytes * SHARE) / 64) * 64;
  const target = join(dir, 'two.json');
  const region = (name: string, origin: number, size: number) => ({ name, origin, size, kind: 'sram' });
  const regions = [region('A', 0x20000000, small), region('B', 0x24000000, 2 ** 24)];
  writeFileSync(target, JSON.stringify({ id: 'two', cpu: { core: 'cortex-m7' }, main: 'A', regions }));
  return { ...way, target, regions: ['A', 'B'] };
}

/** What a runner sees of a plan: two with the same places are one. */
export function placesText({ steps, tensors, buffers }: Plan): string {
  const order = steps.map(({ node }) => node);
  const places = tensors.map(({ name, region, offset, how }) => [name, region, offset, how]);
  return JSON.stringify([order, places, buffers.length]);
}
