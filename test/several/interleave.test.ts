import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { interleave } from '../support/interleave.ts';
import { sealed } from '../support/planned.ts';
import { createRandom } from '../support/random.ts';
import { randomGraph } from '../support/random-graphs.ts';
import { planSeveral } from '../support/several.ts';

/** Two or three random models, run in every way, with tensors held and handed over. */
function randomPlan(seed: number): Plan {
  const random = createRandom(seed);
  const count = 2 + random(2);
  const names = ['a', 'b', 'c'].slice(0, count);
  const run = (['exclusive', 'concurrent', 'joint'] as const)[random(3)]!;
  const sketches = names.map((_, i) => randomGraph(seed * 10 + i));
  const some = (model: number): string => {
    const all = Object.keys(sketches[model]!.tensors);
    return all[random(all.length)]!;
  };
  const hold = [...new Set([0, 1, 2].slice(random(4)).map(() => random(count)))].map(
    (m) => `${names[m]}:${some(m)}`,
  );
  const link: string[] = [];
  const joint = run === 'joint' || (run === 'concurrent' && random(2) === 0);
  for (let to = 1; joint && to < count; to++) {
    const from = random(to);
    const source = Object.entries(sketches[from]!.tensors).filter(
      ([, shape]) => (shape as number[])[0] === 16,
    );
    if (random(4) > 0)
      link.push(`${names[from]}:${source[random(source.length)]![0]}=${names[to]}:t${random(2)}`);
  }
  const group = run === 'concurrent' ? [joint ? `joint:${names.join()}` : 'a,b'] : [];
  const request: Partial<PlanRequest> = {
    ...{ run, hold, link, group, align: 1 + 3 * random(2) },
    asyncIo: random(8) === 0,
    inPlace: random(4) > 0,
    views: random(4) > 0,
  };
  return planSeveral(sketches, request);
}

const SEEDS = Array.from({ length: 200 }, (_, i) => i + 1);

describe('random models', () => {
  it(`keep their bytes in whatever order they run (seeds 1 to ${SEEDS.length})`, () => {
    const seen = new Map<string, number>();
    for (const seed of SEEDS) {
      const plan = randomPlan(seed);
      expect(verifyPlan(plan), `seed ${seed}`).toEqual([]);
      for (let turn = 0; turn < 4; turn++) {
        const chance = createRandom(seed * 100 + turn);
        expect(interleave(plan, chance, 4), `seed ${seed}, turn ${turn}`).toBeUndefined();
      }
      for (const key of [
        plan.run!.mode,
        `${plan.run!.links.length} links`,
        `${plan.run!.holds.length} holds`,
      ])
        seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    for (const key of ['exclusive', 'concurrent', 'joint', '1 links', '2 links', '1 holds', '2 holds'])
      expect(seen.get(key), key).toBeGreaterThan(10);
  });

  it('the checker finds every damage that a run would show', () => {
    let [damaged, found, runs] = [0, 0, 0];
    for (const seed of SEEDS) {
      const plan = randomPlan(seed);
      const random = createRandom(seed + 7000);
      const { id, alignment, bytes } = plan.buffers[random(plan.buffers.length)]!;
      const offset = random(Math.floor(plan.totals.arenaBytes / alignment) + 1) * alignment;
      const moved = moveBuffer(plan, id, offset);
      if (offset + bytes > plan.regions[0]!.used) continue;
      runs++;
      const shown = [0, 1, 2, 3, 4, 5].some(
        (turn) => interleave(moved, createRandom(seed * 100 + turn), 6) !== undefined,
      );
      if (!shown) continue;
      damaged++;
      if (verifyPlan(sealed(moved)).length > 0) found++;
      else expect.fail(`seed ${seed}: the checker passes what a run does not`);
    }
    expect(damaged).toBeGreaterThan(runs / 4);
    expect(found).toBe(damaged);
  });
});

function moveBuffer(plan: Plan, id: number, offset: number): Plan {
  const by = offset - plan.buffers[id]!.offset;
  return {
    ...plan,
    buffers: plan.buffers.map((one) => (one.id === id ? { ...one, offset } : one)),
    tensors: plan.tensors.map((one) => (one.buffer === id ? { ...one, offset: one.offset! + by } : one)),
  };
}
