/** Checks how several models share a chip: their order, their parts, and what they hand over. */
import type { Diagnostic } from '../errors.ts';
import type { Plan, PlanBuffer, PlanPart, PlanRun, TensorName } from '../plan/types.ts';
import { fault } from './fault.ts';
import type { Index } from './index-plan.ts';

/** Nothing for a plan of one model. */
export function severalFaults(index: Index): readonly Diagnostic[] {
  const { models, run } = index.plan;
  if (run === undefined) {
    return models.length > 1 ? [fault('The plan does not say how its models share the chip.')] : [];
  }
  const order = [
    ...orderFaults(index.plan),
    ...partitionFaults(index.plan, run),
    ...bucketFaults(index.plan, run),
  ];
  if (order.length > 0) return order;
  const own = run.parts.map((part) => buffersOf(index, part));
  return [
    ...run.parts.flatMap((part, at) => partFaults(index, part, at, own[at]!)),
    ...own.flatMap((buffers, at) => own.slice(at + 1).flatMap((others) => apartFaults(buffers, others))),
    ...run.holds.flatMap((name) => holdFaults(index, name)),
    ...run.links.flatMap((link) => linkFaults(index, link)),
    ...isolationFaults(index.plan, run),
  ];
}

/** Models follow each other on the axis of steps. */
function orderFaults({ steps, models }: Plan): readonly Diagnostic[] {
  const faults = models.flatMap(({ name }, model) =>
    steps.some((step) => step.model === model) ? [] : [fault(`Model ${name} has no step.`)],
  );
  steps.forEach(({ step, model }, at) => {
    const before = steps[at - 1]?.model ?? 0;
    if (model !== before && model !== before + 1)
      faults.push(fault(`Step ${step} of model ${model} stands apart.`));
  });
  return faults;
}

/** Every model is in one part; those of a part follow each other. */
function partitionFaults({ models }: Plan, { parts }: PlanRun): readonly Diagnostic[] {
  const listed = parts.flatMap((part) => part.models);
  const inOrder = listed.every((model, at) => model === at) && listed.length === models.length;
  return inOrder ? [] : [fault(`The parts hold the models ${listed.join(', ')}, not each of them in order.`)];
}

/** Buckets are one model, each for sizes of its own, and never run at once. */
function bucketFaults({ models, buckets }: Plan, { parts }: PlanRun): readonly Diagnostic[] {
  if (buckets === undefined) return [];
  const faults: Diagnostic[] = [];
  const say = (text: string) => void faults.push(fault(text));
  if (buckets.length !== models.length) say('Not every model has the sizes of a bucket.');
  if (models.some(({ sha256 }) => sha256 !== models[0]!.sha256)) say('Buckets are not of one model.');
  if (parts.length !== 1 || parts[0]!.order !== 'any') say('Buckets do not take turns.');
  const namesOf = (sizes: (typeof buckets)[number]['sizes']) => JSON.stringify(sizes.map(({ name }) => name));
  if (buckets.some(({ sizes }) => namesOf(sizes) !== namesOf(buckets[0]!.sizes)))
    say('Buckets do not name the same dimensions.');
  if (new Set(buckets.map(({ sizes }) => JSON.stringify(sizes))).size !== buckets.length)
    say('Two buckets have the same sizes.');
  return faults;
}

function buffersOf(index: Index, { models }: PlanPart): readonly PlanBuffer[] {
  return index.plan.buffers.filter(({ id }) => index.members(id).some(({ model }) => models.includes(model)));
}

/** A part has its bytes for itself, and says which they are. */
function partFaults(
  index: Index,
  { regions }: PlanPart,
  at: number,
  buffers: readonly PlanBuffer[],
): readonly Diagnostic[] {
  return index.plan.regions.flatMap(({ name }) => {
    const own = buffers.filter(({ region, bytes }) => region === name && bytes > 0);
    const { offset, bytes } = regions.find(({ region }) => region === name) ?? { offset: 0, bytes: 0 };
    const end = own.reduce((most, one) => Math.max(most, one.offset + one.bytes), 0);
    if (own.every((one) => one.offset >= offset) && offset + bytes === end) return [];
    const said = `Part ${at} is said to have [${offset},${offset + bytes}) of ${name}`;
    return [fault(`${said}, but its buffers end at ${end}.`)];
  });
}

/** Models of two parts may run at the same time: no byte belongs to both, whenever. */
function apartFaults(buffers: readonly PlanBuffer[], others: readonly PlanBuffer[]): readonly Diagnostic[] {
  return buffers.flatMap((a) =>
    others
      .filter((b) => {
        const from = Math.max(a.offset, b.offset);
        return a.region === b.region && from < Math.min(a.offset + a.bytes, b.offset + b.bytes);
      })
      .map((b) =>
        fault(`Buffers ${a.id} and ${b.id} share bytes, but their models may run at the same time.`),
      ),
  );
}

function holdFaults(index: Index, { model, tensor }: TensorName): readonly Diagnostic[] {
  const found = index.tensor(model, tensor);
  if (found?.buffer != null) return [];
  return [fault(`Tensor ${tensor} is held, but lies in no buffer.`, { tensor })];
}

/** The input lies exactly on the tensor, which an earlier model of the same fixed order leaves there. */
function linkFaults(index: Index, { from, to }: PlanRun['links'][number]): readonly Diagnostic[] {
  const [a, b] = [index.tensor(from.model, from.tensor), index.tensor(to.model, to.tensor)];
  const name = `${from.tensor} is handed over as ${to.tensor}`;
  const say = (text: string) => [fault(`${name}, but ${text}.`, { tensor: to.tensor })];
  if (a === undefined || b === undefined) return say('one of them is not in the plan');
  if (!index.isInput(b)) return say('that is no input');
  const part = index.part(from.model);
  if (part.order !== 'sequence' || !part.models.includes(to.model) || from.model >= to.model)
    return say('their models do not run in this order');
  if (a.type !== b.type || a.bytes !== b.bytes) return say('their bytes differ');
  return a.buffer !== null && a.buffer === b.buffer && a.offset === b.offset ? [] : say('they lie apart');
}

/** Where nothing is shared, or all is, the plan itself is one of the two that are compared. */
function isolationFaults(
  { models, totals, regions, rules = [] }: Plan,
  { parts, isolation }: PlanRun,
): readonly Diagnostic[] {
  const { alone, isolatedBytes, sharedBytes } = isolation;
  const faults: Diagnostic[] = [];
  if (alone.length !== models.length) faults.push(fault('Not every model has an arena of its own stated.'));
  // Copies of weights lie above what the models share, with gaps where they are aligned. What the user asks of single
  // tensors is not in what is compared.
  const { arenaBytes, copyBytes = 0 } = totals;
  const isShared = copyBytes === 0 ? sharedBytes === arenaBytes : sharedBytes <= arenaBytes - copyBytes;
  if (parts.length === 1 && regions.length === 1 && rules.length === 0 && !isShared)
    faults.push(fault(`All models share ${sharedBytes} bytes, but the arenas have ${arenaBytes}.`));
  if (isolatedBytes < alone.reduce((sum, bytes) => sum + bytes, 0))
    faults.push(fault(`${isolatedBytes} bytes are less than all models need alone.`));
  return faults;
}
