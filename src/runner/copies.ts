/** Weights that the plan has copies of in RAM: where kernels read them, and what the copies are made from. */
import { unsigned } from '../emit/literals.ts';
import { copiedConstants, copyMacro, sourceMacro } from '../emit/view-copies.ts';
import type { TypedGraph } from '../graph/types.ts';
import { isStaged } from '../plan/stages.ts';
import type { Plan, PlanBuffer } from '../plan/types.ts';
import type { Prepared } from './types.ts';
import type { WeightKey } from './weights.ts';

/** A weight in RAM. */
export interface Copy {
  /** What lies there: the constant as the model has it, or as a kernel wants it. */
  readonly key: WeightKey;
  readonly region: string;
  /** `KWS_W_conv1_weight` */
  readonly macro: string;
  /** `KWS_SOURCE_conv1_weight` */
  readonly source: string;
  /** Among the copies of its model. */
  readonly index: number;
}

/**
 * The copies of a model, in the order of plan.json's constants. `wanted`: what the steps read. A constant that kernels
 * read in another order alone is copied in that. One that none reads, a scale perhaps, is copied as it is before the first
 * run, but is not brought in every run.
 */
export function copiesOf(
  plan: Plan,
  model: number,
  graph: TypedGraph,
  wanted: readonly (number | Prepared)[],
): readonly Copy[] {
  const buffers = new Map(plan.buffers.map((buffer) => [buffer.id, buffer]));
  const indexes = new Map(graph.tensors.map(({ name }, index) => [name, index]));
  const keyOf = keysOf(wanted);
  const whenUnread = (tensor: number) => (isStaged(plan) ? undefined : tensor);
  return copiedConstants(plan, model).flatMap((constant, index): readonly Copy[] => {
    const { region } = buffers.get(constant.buffer) as PlanBuffer;
    const tensor = indexes.get(constant.name)!;
    const key = keyOf(tensor, constant.bytes) ?? whenUnread(tensor);
    if (key === undefined) return [];
    const names = { macro: copyMacro(plan, constant), source: sourceMacro(plan, constant) };
    return [{ key, region, ...names, index }];
  });
}

/** What the copy of a constant of so many bytes holds; undefined where no kernel reads it. */
function keysOf(
  wanted: readonly (number | Prepared)[],
): (tensor: number, bytes: number) => WeightKey | undefined {
  const asItIs = new Set(wanted);
  const turned = new Map<number, Prepared[]>();
  for (const one of wanted) {
    if (typeof one === 'number' || one.of === undefined) continue;
    const known = turned.get(one.of);
    if (known === undefined) turned.set(one.of, [one]);
    else known.push(one);
  }
  return (tensor, bytes) =>
    asItIs.has(tensor) ? tensor : turned.get(tensor)?.find((one) => one.bytes.length === bytes)?.name;
}

/** Weights of one bucket that another has copied: the same member of the structure that all have. */
export function copiesOfOthers(
  first: { readonly copies: readonly Copy[]; readonly members: ReadonlyMap<WeightKey, string> },
  members: ReadonlyMap<WeightKey, string>,
): readonly Copy[] {
  const byMember = new Map(first.copies.map((copy) => [first.members.get(copy.key), copy]));
  return [...members].flatMap(([key, member]) => {
    const copy = byMember.get(member);
    return copy === undefined ? [] : [{ ...copy, key }];
  });
}

/** What the steps read, and what is copied though they do not. */
export function withCopied(
  wanted: readonly (number | Prepared)[],
  copies: readonly Copy[],
): readonly (number | Prepared)[] {
  const keys = new Set<WeightKey>(wanted.map((one) => (typeof one === 'number' ? one : one.name)));
  return [
    ...wanted,
    ...copies.flatMap(({ key }) => (typeof key === 'number' && !keys.has(key) ? [key] : [])),
  ];
}

/** Braces of memplan_span for the copies in a region that are alive from before the run to its end. */
export function copySpans(plan: Plan, region: string): readonly string[] {
  if (isStaged(plan)) return [];
  const buffers = new Map(plan.buffers.map((buffer) => [buffer.id, buffer]));
  return plan.models.flatMap((_, model) =>
    copiedConstants(plan, model).flatMap((constant, i) => {
      if (buffers.get(constant.buffer)!.region !== region) return [];
      const macro = copyMacro(plan, constant);
      const range = [0, 0, plan.steps.length, copyNumber(plan, i)].map(unsigned).join(', ');
      return [`{${macro}_OFFSET, ${macro}_SIZE, ${range}, MEMPLAN_SPAN_GIVEN}`];
    }),
  );
}

/** What a check build calls copy `i`: those of weights are in no table, and come behind all tensors. */
export function copyNumber({ tensors }: Plan, i: number): number {
  return tensors.length + i;
}
