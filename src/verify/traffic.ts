/** Counts the traffic of a plan again: what each region and each buffer is read and written over a run. */
import type { Diagnostic } from '../errors.ts';
import type { PlanConstant, PlanTensor } from '../plan/types.ts';
import { fault } from './fault.ts';
import type { Index } from './index-plan.ts';

/** Stated traffic that does not follow from the steps; regions and buffers that state none are passed over. */
export function trafficFaults(index: Index): readonly Diagnostic[] {
  const { regions, buffers, placement } = index.plan;
  const counted = countTraffic(index);
  const faults: Diagnostic[] = [];
  for (const { name, traffic } of regions) {
    const sum = buffers
      .filter(({ region }) => region === name)
      .reduce((total, { id }) => total + (counted.get(id) ?? 0), 0);
    if (traffic !== undefined && traffic !== sum)
      faults.push(fault(`The traffic of ${name} is stated as ${traffic}, but comes to ${sum}.`));
  }
  if (placement === undefined) return faults;
  const stated = new Map(placement.buffers.map(({ buffer, traffic }) => [buffer, traffic]));
  if (placement.buffers.length !== buffers.length)
    faults.push(fault('The placement does not name every buffer once.'));
  for (const { id } of buffers) {
    const traffic = counted.get(id) ?? 0;
    if (stated.get(id) !== traffic)
      faults.push(
        fault(`The traffic of buffer ${id} is stated as ${stated.get(id)}, but comes to ${traffic}.`),
      );
  }
  return faults;
}

/**
 * Bytes by buffer id; those of the caller's tensors under null. A step moves what it reads and what it writes, and its
 * scratch twice. What lies in the bytes of the other side as a view or an elided part stays where it is; a step all of
 * whose results do moves nothing. A weight that is brought for its steps is written once.
 */
function countTraffic(index: Index): ReadonlyMap<PlanTensor['buffer'], number> {
  const moved = new Map<PlanTensor['buffer'], number>();
  const add = ({ buffer }: Pick<PlanTensor, 'buffer'>, bytes: number): void => {
    moved.set(buffer, (moved.get(buffer) ?? 0) + bytes);
  };
  const rests = ({ how, aliasOf }: PlanTensor, beside: readonly PlanTensor[]): boolean =>
    (how === 'view' || how === 'elided') && beside.some(({ name }) => name === aliasOf);
  const copies = new Map(index.plan.constants.map((one) => [`${one.model}:${one.name}`, one]));
  const come = new Set<PlanConstant>();
  for (const { step, model, weights = [] } of index.plan.steps) {
    for (const name of weights) {
      const copy = copies.get(`${model}:${name}`)!;
      add({ buffer: copy.buffer! }, come.has(copy) ? copy.bytes : 2 * copy.bytes);
      come.add(copy);
    }
    const { reads, writes, scratch } = index.uses(step);
    for (const tensor of scratch) add(tensor, 2 * tensor.bytes);
    const results = writes.filter((tensor) => !rests(tensor, reads));
    if (writes.length > 0 && results.length === 0) continue;
    for (const tensor of results) {
      const resting = reads.filter((read) => rests(read, [tensor]));
      add(tensor, tensor.bytes - resting.reduce((sum, { bytes }) => sum + bytes, 0));
    }
    for (const tensor of reads) if (!rests(tensor, writes)) add(tensor, tensor.bytes);
  }
  return moved;
}
