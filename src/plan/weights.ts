/** Lists the weights of a plan, in flash or with copies in RAM. */
import { fail } from '../errors.ts';
import { solve } from '../planner/solve.ts';
import { readsOf } from '../weights/accesses.ts';
import { type Copied, copyWeights } from '../weights/copies.ts';
import { packed, packedWeights } from '../weights/packed.ts';
import { planConstants } from './constants.ts';
import type { Parts } from './parts.ts';
import { planRegion } from './regions.ts';
import type { ScheduledModel } from './tensors.ts';
import type { PlanBuffer, PlanConstant } from './types.ts';

/** The plan with the copies of weights that the request asks for. Throws E_RULE for what the MPU could not hold. */
export function withCopies(parts: Parts, buffers: readonly PlanBuffer[]): Copied {
  const copied = copiedWeights(parts, buffers);
  return { ...copied, constants: withNames(copied.constants, parts) };
}

function copiedWeights(parts: Parts, buffers: readonly PlanBuffer[]): Copied {
  const { placed, request, joint } = parts;
  const { constants, reads } = weightsOf(parts);
  const regions = placed.arenas.map((arena) => planRegion(parts, arena, buffers));
  const { weights } = request;
  if (weights === 'flash') return { buffers, regions, constants };
  if (weights === 'stage') return { buffers, regions, constants: staged(buffers, constants, reads()) };
  const { chip, regions: usable, lifetime } = parts.models[0]!.settings;
  if (chip.mpu !== undefined)
    fail('E_RULE', '--weights: the regions of --mpu are sized before weights are copied.', {
      hint: 'Leave out one of the two.',
    });
  const taken = new Set(placed.arenas.map(({ region }) => region));
  const empty = usable
    .filter((region) => !taken.has(region))
    .map((region) => planRegion(parts, { region, buffers: [], solution: solve({ buffers: [] }) }, buffers));
  const all = { buffers, regions: [...regions, ...empty], constants };
  const copied = copyWeights(all, weights, reads(), lifetime.align, joint.steps);
  return parts.models.length === 1 ? copied : { ...copied, buffers: withModels(copied) };
}

/** Weights with a buffer of their own lie there for their steps. */
function staged(
  buffers: readonly PlanBuffer[],
  constants: readonly PlanConstant[],
  reads: readonly number[],
): readonly PlanConstant[] {
  const copies = new Map(
    buffers.flatMap(({ id, kind, tensors }) => (kind === 'copy' ? [[tensors[0]!, id] as const] : [])),
  );
  return constants.map((constant, i) => {
    const buffer = copies.get(constant.name);
    const accesses = constant.bytes * reads[i]!;
    return buffer === undefined ? { ...constant, accesses } : { ...constant, place: 'ram', accesses, buffer };
  });
}

/** What copies are called in C. All weights of a model have a say, so that a name stays whichever of them are copied. */
function withNames(constants: readonly PlanConstant[], { models, cNames }: Parts): readonly PlanConstant[] {
  if (constants.every(({ buffer }) => buffer === undefined)) return constants;
  const named = new Map(
    models.flatMap((_, model) => {
      const own = constants.filter((constant) => constant.model === model);
      const names = cNames(own.map(({ name }) => name));
      return own.map((constant, i) => [constant, names[i]!] as const);
    }),
  );
  return constants.map((one) => (one.buffer === undefined ? one : { ...one, c: named.get(one)! }));
}

/** Of several models: which one's weight a copy holds. */
function withModels({ buffers, constants }: Copied): readonly PlanBuffer[] {
  const owners = new Map(constants.map(({ buffer, model }) => [buffer, model]));
  return buffers.map((one) => (one.kind === 'copy' ? { ...one, models: [owners.get(one.id)!] } : one));
}

/**
 * The weights of all models, and how often a run reads each. Buckets read the same ones, of which the first speaks; of
 * the others there is what their tables name: results and values of bodies.
 */
function weightsOf({ models, buckets, request }: Parts): {
  readonly constants: readonly PlanConstant[];
  readonly reads: () => readonly number[];
} {
  const lists = models.map((one, model) => constantsOf(one, model, request.weightBits));
  if (buckets === undefined)
    return { constants: lists.flat(), reads: () => models.flatMap((one, i) => weightReads(one, lists[i]!)) };
  const keyOf = ({ name, type, shape }: PlanConstant) => JSON.stringify([name, type, shape]);
  const first = new Map(lists[0]!.map((one, i) => [keyOf(one), i]));
  const own = lists.slice(1).flatMap((list, before) => {
    const named = namedConstants(models[before + 1]!);
    return list.filter((constant) => !first.has(keyOf(constant)) || named.has(constant.name));
  });
  const all = [...lists[0]!, ...own];
  const reads = () => {
    const times = models.map((model, i) => {
      const counted = weightReads(model, lists[i]!);
      return new Map(lists[i]!.map((one, at) => [keyOf(one), counted[at]!]));
    });
    return all.map((one) => Math.max(...times.map((known) => known.get(keyOf(one)) ?? 0)));
  };
  return { constants: all, reads };
}

/** Those of quantised layers packed, where the request says so. */
function constantsOf(one: ScheduledModel, model: number, bits: number | undefined): readonly PlanConstant[] {
  const constants = planConstants(one.graph, one.schedule, model);
  if (bits === undefined) return constants;
  const weights = packedWeights(one.graph, one.schedule);
  return constants.map((constant) => (weights.has(constant.name) ? packed(constant, bits) : constant));
}

/** Constants that graph or bodies hand out. */
function namedConstants({ graph, schedule }: ScheduledModel): ReadonlySet<string> {
  const outputs = schedule.spans.flatMap(({ bodies }) => bodies.flatMap(({ body }) => body.outputs));
  return new Set([...graph.outputs, ...outputs].map((tensor) => graph.tensors[tensor]!.name));
}

/** How often a run reads each of the constants. */
function weightReads(
  { graph, schedule }: ScheduledModel,
  constants: readonly PlanConstant[],
): readonly number[] {
  const reads = readsOf(graph, schedule);
  const indexes = new Map(graph.tensors.map(({ name }, index) => [name, index]));
  return constants.map(({ name }) => reads.get(indexes.get(name)!) ?? 0);
}
