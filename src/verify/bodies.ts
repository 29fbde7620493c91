/** Finds the steps of control-flow bodies, and the tensors that pass in and out of them. */
import type { PlanStep, PlanTensor } from '../plan/types.ts';
import { type Index, isDeeper } from './index-plan.ts';

/** The steps [first, end) of one body, after the `step` of its node; all bodies of the node end before `allEnd`. */
export interface BodyExtent {
  readonly path: string;
  readonly step: number;
  readonly first: number;
  readonly end: number;
  readonly allEnd: number;
  /** It runs again and again, unlike the branches of an If. */
  readonly repeats: boolean;
}

export interface Bodies {
  readonly extents: readonly BodyExtent[];
  /** For each step the bodies in which it stands, outer first. */
  readonly around: readonly (readonly BodyExtent[])[];
  /** The repeating body that receives, and the body that makes and hands out, a tensor. */
  readonly received: ReadonlyMap<PlanTensor, BodyExtent>;
  readonly results: ReadonlyMap<PlanTensor, BodyExtent>;
}

export function findBodies(index: Index): Bodies {
  const { steps } = index.plan;
  const around = new Array<readonly BodyExtent[]>(steps.length).fill([]);
  const received = new Map<PlanTensor, BodyExtent>();
  const results = new Map<PlanTensor, BodyExtent>();
  const extents: BodyExtent[] = [];
  for (const step of steps) {
    for (const body of step.bodies ?? []) {
      const extent = extentOf(index, step, body.path);
      extents.push(extent);
      for (let at = extent.first; at < extent.end; at++) around[at] = [...around[at]!, extent];
      const tensorsOf = (names: readonly string[]): readonly PlanTensor[] =>
        names.flatMap((name) => index.tensor(step.model, name) ?? []);
      if (extent.repeats) for (const tensor of tensorsOf(body.inputs)) received.set(tensor, extent);
      for (const tensor of tensorsOf(body.outputs)) {
        if (index.writer(tensor)! > step.step) results.set(tensor, extent);
      }
    }
  }
  return { extents, around, received, results };
}

function extentOf(index: Index, { step, op }: PlanStep, path: string): BodyExtent {
  const { steps } = index.plan;
  const allEnd = index.bodiesEnd(step);
  const inside = (at: number): boolean => steps[at]!.path === path || isDeeper(steps[at]!.path, path);
  let first = step + 1;
  while (first < allEnd && !inside(first)) first++;
  let end = first;
  while (end < allEnd && inside(end)) end++;
  return { path, step, first, end, allEnd, repeats: op !== 'If' };
}
