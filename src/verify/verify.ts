/** The independent checker: slow, simple, and the same for every plan, whoever made it. */
import type { Diagnostic } from '../errors.ts';
import { planHash } from '../plan/hash.ts';
import type { Plan } from '../plan/types.ts';
import { findBodies } from './bodies.ts';
import { fault } from './fault.ts';
import { type Index, indexPlan } from './index-plan.ts';
import { livenessFaults } from './liveness.ts';
import { ownerFaults } from './owners.ts';
import { packingFaults } from './packing.ts';
import { ruleFaults } from './rules.ts';
import { structureFaults } from './structure.ts';
import { totalFaults } from './totals.ts';
import { trafficFaults } from './traffic.ts';

export { verifyPacking } from './packing.ts';

/** Every promise of the plan that does not hold; nothing when all do. Needs the plan alone, and nobody's word for it. */
export function verifyPlan(plan: Plan): readonly Diagnostic[] {
  const seal = plan.planHash === planHash(plan) ? [] : [fault('planHash does not belong to this plan.')];
  return [...planFaults(plan), ...seal];
}

/**
 * The same but for the hash, which says that nothing was changed after the plan was made:
 *
 * - structure: names, sizes, buffers and regions refer to each other;
 * - packing: no byte is held by two buffers at one step, every offset is aligned;
 * - liveness: ranges are exactly as long as the reads and writes of the steps make them;
 * - owners: the steps are run with owners in place of bytes, and every read finds its own;
 * - totals: every figure is added up again, the traffic of every region and buffer too;
 * - rules: every tensor lies where the user's rules want it, and its cache lines are looked after.
 */
export function planFaults(plan: Plan): readonly Diagnostic[] {
  const index = indexPlan(plan);
  const broken = structureFaults(index);
  const packing = plan.regions.flatMap(({ name }) => packingOf(index, name));
  // The walks look up what the structure promises.
  if (broken.length > 0) return [...broken, ...packing];
  const bodies = findBodies(index);
  return [
    ...packing,
    ...livenessFaults(index, bodies),
    ...ownerFaults(index, bodies),
    ...totalFaults(index),
    ...trafficFaults(index),
    ...ruleFaults(index),
  ];
}

function packingOf({ plan }: Index, region: string): readonly Diagnostic[] {
  return packingFaults(
    plan.buffers.filter((buffer) => buffer.region === region),
    ({ id, tensors }) => `${id} (${tensors.join(', ')})`,
  );
}
