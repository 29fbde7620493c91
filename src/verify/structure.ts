/** Checks that a plan speaks of one thing under one name: steps, tensors, buffers and regions refer to each other. */
import type { Diagnostic } from '../errors.ts';
import type { Plan, PlanBuffer, PlanGap, PlanTensor } from '../plan/types.ts';
import { fault, sizeFaults } from './fault.ts';
import type { Index } from './index-plan.ts';
import { severalFaults } from './several.ts';
import { stateFaults } from './states.ts';
import { copyFaults, weightFaults } from './weights.ts';

/** Faults without which the other checks can rely on names, buffers and regions. */
export function structureFaults(index: Index): readonly Diagnostic[] {
  const { plan } = index;
  return [
    ...nameFaults(plan),
    ...stepFaults(index),
    ...bodyFaults(index),
    ...plan.tensors.flatMap((tensor) => tensorFaults(index, tensor)),
    ...plan.buffers.flatMap((buffer) => bufferFaults(index, buffer)),
    ...boundaryFaults(index),
    ...weightFaults(index.plan),
    ...severalFaults(index),
    ...stateFaults(index),
  ];
}

function nameFaults({ tensors, constants, buffers, regions, models }: Plan): readonly Diagnostic[] {
  const repeated = (what: string, names: readonly (string | number)[]): readonly Diagnostic[] => {
    const seen = new Set<string | number>();
    const again = names.filter((name) => seen.size === seen.add(name).size);
    return again.map((name) => fault(`There are two ${what} ${name}.`));
  };
  return [
    ...models.flatMap((_, model) => {
      const own = tensors.filter((tensor) => tensor.model === model);
      const names = own.map(({ name }) => name);
      const cNames = own.map(({ c }) => c);
      const copies = constants.flatMap((one) => (one.model === model && one.c !== undefined ? [one.c] : []));
      return [
        ...repeated('tensors', names),
        ...repeated('C names', cNames),
        ...repeated('C names of copies', copies),
      ];
    }),
    ...repeated(
      'buffers',
      buffers.map(({ id }) => id),
    ),
    ...repeated(
      'regions',
      regions.map(({ name }) => name),
    ),
    ...tensors
      .filter(({ model }) => models[model] === undefined)
      .map(({ name }) => fault(`Tensor ${name} has no model.`)),
  ];
}

function stepFaults(index: Index): readonly Diagnostic[] {
  const written = new Set<PlanTensor>();
  const faults = index.strangers.map(({ step: { step, node }, name }) =>
    fault(`Step ${step} uses ${name}, which is not among the tensors.`, { node }),
  );
  index.plan.steps.forEach(({ step, node, fused }, at) => {
    const say = (text: string, tensor?: string): void => void faults.push(fault(text, { node, tensor }));
    const { reads, writes, scratch } = index.uses(at);
    // Scratch is scratch and nothing else: no step passes anything on in it.
    for (const { role, name } of scratch) {
      if (role !== 'scratch') say(`${name} is said to be scratch of ${node}, but is none.`, name);
    }
    for (const passed of [reads, writes]) {
      for (const { role, name } of passed) {
        if (role === 'scratch') say(`${node} passes on ${name}, which is scratch.`, name);
      }
    }
    if (step !== at) say(`Step ${step} stands in place ${at}.`);
    if (fused.length > 0 && !fused.includes(node))
      say(`Step ${step} does the work of ${fused.join(', ')}, but not that of ${node}.`);
    for (const made of [writes, scratch]) {
      for (const tensor of made) {
        if (written.has(tensor) || index.isInput(tensor))
          say(`Step ${step} writes ${tensor.name}, which has its value already.`, tensor.name);
        written.add(tensor);
      }
    }
  });
  return faults;
}

/** Every step in a body belongs to one that its control-flow node names. */
function bodyFaults(index: Index): readonly Diagnostic[] {
  const { steps, constants } = index.plan;
  const constant = new Set(constants.map(({ model, name }) => `${model}:${name}`));
  const paths = new Array<readonly string[]>(steps.length).fill(['']);
  const faults: Diagnostic[] = [];
  // By place: the numbers of the steps may be wrong themselves.
  steps.forEach(({ model, node, path, bodies = NO_BODIES }, step) => {
    const inside = bodies.map((body) => body.path);
    for (let at = step + 1; at < index.bodiesEnd(step); at++) paths[at] = inside;
    if (!paths[step]!.includes(path))
      faults.push(fault(`Step ${step} stands in a body ${path} of no node.`, { node }));
    for (const name of bodies.flatMap(({ inputs, outputs }) => [...inputs, ...outputs])) {
      if (index.tensor(model, name) === undefined && !constant.has(`${model}:${name}`))
        faults.push(fault(`A body of ${node} names ${name}, which is not in the plan.`, { node }));
    }
  });
  return faults;
}

const NO_BODIES: readonly never[] = [];

function tensorFaults(index: Index, tensor: PlanTensor): readonly Diagnostic[] {
  const { name, bytes, how, first, end } = tensor;
  const faults: Diagnostic[] = [];
  const say = (text: string): void => void faults.push(fault(text, { tensor: name }));
  faults.push(...sizeFaults('Tensor', tensor));
  if (!(first >= 0 && first < end && end <= index.end)) {
    say(`Tensor ${name} lives [${first},${end}) in a plan of ${index.plan.steps.length} steps.`);
  }
  for (const text of aliasFaults(index, tensor)) say(text);

  const placed = [tensor.buffer, tensor.region, tensor.offset];
  if (how === 'external') {
    if (placed.some((part) => part !== null)) say(`Tensor ${name} is external, yet has a place.`);
    return faults;
  }
  const buffer = index.buffer(tensor.buffer);
  if (buffer === undefined || tensor.offset === null) {
    say(`Tensor ${name} has no place.`);
    return faults;
  }
  if (tensor.region !== buffer.region)
    say(`Tensor ${name} is in ${tensor.region}, its buffer in ${buffer.region}.`);
  if (tensor.offset < buffer.offset || tensor.offset + bytes > buffer.offset + buffer.bytes) {
    say(
      `Tensor ${name} at [${tensor.offset},${tensor.offset + bytes}) reaches out of its buffer ${buffer.id} ` +
        `at [${buffer.offset},${buffer.offset + buffer.bytes}).`,
    );
  }
  if (first < buffer.first || end > buffer.end) {
    say(
      `Tensor ${name} lives [${first},${end}), its buffer ${buffer.id} only [${buffer.first},${buffer.end}).`,
    );
  }
  return faults;
}

/** What shares bytes must say with whom, lie where it lies, and not go round in a ring. */
function aliasFaults(index: Index, tensor: PlanTensor): readonly string[] {
  const { name, how, aliasOf } = tensor;
  if (how === 'own')
    return aliasOf === null ? [] : [`Tensor ${name} has its own bytes, yet shares those of ${aliasOf}.`];
  if (aliasOf === null)
    return how === 'external' ? [] : [`Tensor ${name} is ${how}, but of what is not said.`];
  const source = index.source(tensor);
  if (source === undefined)
    return [`Tensor ${name} shares the bytes of ${aliasOf}, which is not among the tensors.`];
  if (index.inRing(tensor)) return [`Tensor ${name} shares bytes with itself in a ring.`];
  if (tensor.buffer !== source.buffer)
    return [`Tensor ${name} shares bytes with ${aliasOf} of another buffer.`];
  if (tensor.buffer === null) return [];
  const shift = tensor.offset! - source.offset!;
  const inside = shift >= 0 && shift + tensor.bytes <= source.bytes;
  const exact = shift === 0 && tensor.bytes === source.bytes;
  if (how === 'in-place' ? exact : inside) return [];
  return [`Tensor ${name} is ${how} of ${aliasOf}, but does not lie on its bytes.`];
}

function bufferFaults(index: Index, buffer: PlanBuffer): readonly Diagnostic[] {
  const { id, kind, first, end, region } = buffer;
  const faults: Diagnostic[] = [];
  if (!index.plan.regions.some(({ name }) => name === region))
    faults.push(fault(`Buffer ${id} lies in no region.`));
  if (end > index.end)
    faults.push(fault(`Buffer ${id} lives to ${end} in a plan of ${index.plan.steps.length} steps.`));
  if (kind === 'persistent' && (first !== 0 || end !== index.end)) {
    faults.push(fault(`Buffer ${id} is persistent, but not alive at every step.`));
  }
  if (kind === 'copy') return [...faults, ...copyFaults(index, buffer)];
  const tensors = index.members(id);
  if (tensors.length === 0) return [...faults, fault(`Buffer ${id} holds no tensor.`)];
  const named = new Set(buffer.tensors.map((name, at) => index.tensor(buffer.models?.[at] ?? 0, name)));
  if (buffer.tensors.length !== tensors.length || !tensors.every((tensor) => named.has(tensor)))
    faults.push(fault(`Buffer ${id} lists tensors that lie elsewhere.`));
  const isScratch = tensors.some(({ role }) => role === 'scratch');
  if (isScratch !== (kind === 'scratch') || (isScratch && tensors.length > 1)) {
    faults.push(fault(`Buffer ${id} mixes scratch with other things.`));
  }
  for (const gap of buffer.gaps) {
    const holder = tensors.find(
      (tensor) => holdsIn(gap, tensor, buffer) && !index.mayForget(tensor, gap.first, gap.end),
    );
    if (holder === undefined) continue;
    faults.push(fault(`Buffer ${id} is said to be free where ${holder.name} lies.`, { tensor: holder.name }));
  }
  for (const { name, model, offset, bytes } of tensors) {
    const slack = index.assumptions(model).slack ?? 0;
    if (offset! + bytes + slack <= buffer.offset + buffer.bytes) continue;
    faults.push(fault(`Buffer ${id} does not have ${slack} unused bytes behind ${name}.`, { tensor: name }));
  }
  if (kind === 'persistent') return faults;
  const needed = [
    tensors.reduce((least, t) => Math.min(least, t.first), index.end),
    tensors.reduce((most, t) => Math.max(most, t.end), 0),
  ];
  if (needed[0] !== first || needed[1] !== end) {
    faults.push(fault(`Buffer ${id} lives [${first},${end}), its tensors [${needed.join(',')}).`));
  }
  return faults;
}

/** The tensor lives during the gap and has a byte in it. */
function holdsIn(gap: PlanGap, { first, end, offset, bytes }: PlanTensor, buffer: PlanBuffer): boolean {
  const from = offset! - buffer.offset;
  return first < gap.end && gap.first < end && from < gap.to && gap.from < from + bytes;
}

/** Graph inputs, outputs and kept tensors must be there. */
function boundaryFaults(index: Index): readonly Diagnostic[] {
  const constants = new Set(index.plan.constants.map(({ model, name }) => `${model}:${name}`));
  const known = (model: number, name: string): boolean =>
    index.tensor(model, name) !== undefined || constants.has(`${model}:${name}`);
  return [
    ...index.plan.models.flatMap(({ inputs, outputs }, model) =>
      [...inputs, ...outputs]
        .filter((name) => !known(model, name))
        .map((name) => fault(`The model's ${name} is missing from the plan.`, { tensor: name })),
    ),
    ...index.plan.tensors
      .filter(
        (tensor) =>
          (tensor.role === 'input') !== (index.isInput(tensor) && index.state(tensor) === undefined),
      )
      .map(({ name }) => fault(`Tensor ${name} is not the graph input it is said to be.`, { tensor: name })),
  ];
}
