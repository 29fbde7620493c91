/** Checks what the user's rules asked for: places, alignments, reach of DMA engines, whole cache lines, the MPU. */
import type { Diagnostic } from '../errors.ts';
import type { PlanBuffer, PlanCache, PlanRegion, PlanRule, PlanTensor } from '../plan/types.ts';
import { fault } from './fault.ts';
import type { Index } from './index-plan.ts';
import { broughtLineFaults } from './weights.ts';

/** Rules that do not hold, and maintenance of the cache that is missing. */
export function ruleFaults(index: Index): readonly Diagnostic[] {
  const { rules = [], regions, tensors } = index.plan;
  return [
    ...rules.flatMap((rule) => {
      const bound = tensors.filter(({ model, name }) => name === rule.tensor && model === (rule.model ?? 0));
      if (bound.length === 0)
        return [fault(`A rule (${rule.kind}) names ${rule.tensor}, which is not in the plan.`)];
      return bound.flatMap((tensor) => tensorFaults(index, rule, tensor));
    }),
    ...broughtLineFaults(index),
    ...regions.flatMap((region) => mpuFaults(region, index.plan.fits)),
  ];
}

function tensorFaults(index: Index, rule: PlanRule, tensor: PlanTensor): readonly Diagnostic[] {
  const { name, offset, region, bytes } = tensor;
  const say = (text: string): readonly Diagnostic[] => [fault(`Tensor ${name} ${text}.`, { tensor: name })];
  const memory = index.plan.regions.find((found) => found.name === region);
  const buffer = index.buffer(tensor.buffer);
  if (memory === undefined || buffer === undefined || offset === null) return say('has a rule, and no place');
  switch (rule.kind) {
    case 'pin':
      if (region !== rule.region) return say(`is pinned to ${rule.region}, but lies in ${region}`);
      if (rule.offset === undefined || rule.offset === offset) return [];
      return say(`is pinned at ${rule.offset}, but lies at ${offset}`);
    case 'forbid':
      return region === rule.region ? say(`lies in ${region}, which is forbidden`) : [];
    case 'align':
      if (offset % rule.bytes === 0 && memory.alignment % rule.bytes === 0) return [];
      return say(`at ${offset} of ${region} is not aligned to ${rule.bytes}`);
    case 'slack':
      if (offset + bytes + rule.bytes <= buffer.offset + buffer.bytes) return [];
      return say(`does not have ${rule.bytes} unused bytes behind it`);
    case 'dma':
      return dmaFaults(index, rule.engine, tensor, buffer, memory);
  }
}

function dmaFaults(
  index: Index,
  engine: string | undefined,
  tensor: PlanTensor,
  buffer: PlanBuffer,
  { name: region, dma, cacheLine, alignment }: PlanRegion,
): readonly Diagnostic[] {
  const { name, offset } = tensor;
  const faults: Diagnostic[] = [];
  const say = (text: string): void => void faults.push(fault(`Tensor ${name} ${text}.`, { tensor: name }));
  if (dma?.reachable.some((one) => one === (engine ?? one)) === false)
    say(
      `lies in ${region}, which ${engine === undefined ? 'no engine reaches' : `${engine} does not reach`}`,
    );
  if (cacheLine === undefined) return faults;
  const whole = [offset!, buffer.offset, buffer.bytes, alignment].every((number) => number % cacheLine === 0);
  if (!whole) say(`shares lines of ${cacheLine} bytes of the cache with others`);
  const rows = (index.plan.cache ?? []).filter((row) => row.tensor === name && row.model === tensor.model);
  for (const [at, step, drops] of neededRows(index, tensor)) {
    const found = rows.find((row) => row.at === at && row.step === step && does(row, drops));
    if (found === undefined)
      say(`needs its cache lines ${drops} ${at} ${step}, and the schedule does not say so`);
  }
  if (rows.some((row) => losesData(index, tensor, row)))
    say('would lose what lies in its bytes: it is invalidated while they are live');
  return faults;
}

type Need = readonly [at: PlanCache['at'], step: number, drops: 'cleaned' | 'invalidated'];

/**
 * Before a device may write, the lines are out of the cache; after it has, they are dropped again before anybody reads;
 * what the core wrote is in memory before a device reads.
 */
function neededRows(index: Index, tensor: PlanTensor): readonly Need[] {
  const steps = index.plan.steps.filter(({ model }) => model === tensor.model);
  const read = steps.find(({ reads }) => reads.includes(tensor.name))?.step;
  if (index.isInput(tensor)) {
    const reading: readonly Need[] = read === undefined ? [] : [['before-step', read, 'invalidated']];
    return [['before-dma', steps[0]?.step ?? 0, 'invalidated'], ...reading];
  }
  const writer = index.writer(tensor) ?? 0;
  if (index.isOutput(tensor)) return [['after-step', writer, 'cleaned']];
  return [
    ['before-step', writer, 'invalidated'],
    ['after-step', writer, 'cleaned'],
    ['after-step', writer, 'invalidated'],
  ];
}

function does({ operation }: PlanCache, drops: Need[2]): boolean {
  return operation === 'clean-invalidate' || operation === (drops === 'cleaned' ? 'clean' : 'invalidate');
}

/** Lines are dropped without being written back when somebody has written them who is still needed. */
function losesData(index: Index, tensor: PlanTensor, { at, step, operation }: PlanCache): boolean {
  if (operation !== 'invalidate' || at === 'before-dma') return false;
  const written = at === 'before-step' ? step : step + 1;
  return index
    .members(tensor.buffer!)
    .some(
      (other) => !index.isInput(other) && other.how !== 'view' && other.first < written && step < other.end,
    );
}

function mpuFaults(region: PlanRegion, fits: boolean): readonly Diagnostic[] {
  const { name, origin, capacity, reserved, used, alignment, mpu } = region;
  if (mpu === undefined) return [];
  const { kind, bytes, regionBytes, partsLeftOut } = mpu;
  const say = (text: string): readonly Diagnostic[] => [fault(`The MPU region of ${name} ${text}.`)];
  if (bytes < used) return say(`has ${bytes} bytes for an arena of ${used}`);
  const padding = (alignment - ((origin ?? 0) % alignment)) % alignment;
  if (fits && capacity !== null && padding + bytes + reserved > capacity)
    return say(`does not fit: ${bytes} bytes from a multiple of ${alignment}`);
  if (kind === 'PMSAv8' && (bytes % 32 !== 0 || alignment % 32 !== 0)) return say('is no multiple of 32');
  const isPower = regionBytes >= 32 && Number.isInteger(Math.log2(regionBytes));
  if (kind === 'PMSAv7' && !isPower) return say(`has ${regionBytes} bytes, no power of two`);
  if (kind === 'PMSAv7' && alignment % regionBytes !== 0)
    return say(`is not aligned to its size of ${regionBytes}`);
  if (partsLeftOut > 0 && (kind === 'PMSAv8' || regionBytes < 256)) return say('has no parts to leave out');
  const left = regionBytes - (partsLeftOut * regionBytes) / 8;
  return left === bytes ? [] : say(`comes to ${left} bytes, not ${bytes}`);
}
