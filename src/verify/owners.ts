/** Runs the plan with owners in place of bytes: every read must find its own. */
import type { Diagnostic } from '../errors.ts';
import type { PlanStep, PlanTensor } from '../plan/types.ts';
import { type Addresses, createAddresses } from './addresses.ts';
import type { Bodies } from './bodies.ts';
import { fault } from './fault.ts';
import type { Index } from './index-plan.ts';
import { createMemory, type Memory } from './memory.ts';
import { CUTS, MOVES_NOTHING, mayWriteInPlace, movesInLayout } from './operators.ts';
import { cutFault, partsInPlace, type Row, rowOf } from './parts.ts';

/**
 * Runs the models as they may run. Those that take turns: each alone, and where something of one stays, every other
 * after it; what any of them does to a third shows with that third. Those in a fixed order: one after another.
 */
export function ownerFaults(index: Index, bodies: Bodies): readonly Diagnostic[] {
  const parts = new Set(index.plan.models.map((_, model) => index.part(model).models));
  const faults = new Map<string, Diagnostic>();
  for (const models of parts) {
    for (const order of ordersOf(index, models)) {
      for (const found of runFaults(index, bodies, order)) faults.set(found.text, found);
    }
  }
  return [...faults.values()];
}

function ordersOf(index: Index, models: readonly number[]): readonly (readonly number[])[] {
  if (index.part(models[0]!).order === 'sequence') return [models];
  const staying = new Set(index.plan.tensors.filter(index.stays).map(({ model }) => model));
  return models.flatMap((model) => [
    [model],
    ...(staying.has(model) ? models.filter((other) => other !== model).map((other) => [model, other]) : []),
  ]);
}

/**
 * Walks the steps of the models in order; a body that repeats is walked twice, so that a turn must leave the next one its
 * inputs. A loop inside it turns twice in the first turn alone: what its turns do to each other they do in every turn.
 */
function runFaults(index: Index, bodies: Bodies, models: readonly number[]): readonly Diagnostic[] {
  const { steps, tensors } = index.plan;
  const walk = createWalk(index, bodies);
  const repeating = new Set(bodies.extents.filter(({ repeats }) => repeats).map(({ step }) => step));
  const run = (first: number, end: number, again = true): void => {
    for (let step = first; step < end; ) {
      walk.step(steps[step]!);
      const after = index.bodiesEnd(step);
      run(step + 1, after, again);
      if (again && repeating.has(step)) {
        walk.writes(steps[step]!);
        run(step + 1, after, false);
      }
      step = after;
    }
  };
  // What may be filled at any time is there before the first model runs.
  const filled = tensors.filter(
    (one) =>
      models.includes(one.model) &&
      index.isInput(one) &&
      index.stays(one) &&
      index.assumptions(one.model).asyncIo,
  );
  for (const tensor of filled) walk.take(tensor);
  models.forEach((model, turn) => {
    const { first, end } = index.stretch(model);
    const own = tensors.filter((tensor) => tensor.model === model);
    for (const tensor of own.filter((one) => index.writer(one) === first - 1)) {
      if (filled.includes(tensor)) continue;
      if (index.handed(tensor) === undefined) walk.take(tensor);
      else walk.check(tensor, `Before step ${first}`);
    }
    run(first, Math.min(end, steps.length));
    const after = end === index.end ? 'After the last step' : `After step ${end - 1}`;
    for (const tensor of own) if (index.survives(tensor)) walk.check(tensor, after);
    const before = new Set(models.slice(0, turn));
    const left = `After a run of ${index.plan.models[model]!.name}`;
    for (const tensor of tensors) {
      if (before.has(tensor.model) && index.stays(tensor)) walk.check(tensor, left);
    }
  });
  return walk.faults();
}

interface Walk {
  readonly take: (tensor: PlanTensor) => void;
  readonly step: (step: PlanStep) => void;
  readonly writes: (step: PlanStep) => void;
  /** That the tensor's bytes are there; `when` opens the sentence if not. */
  readonly check: (tensor: PlanTensor, when: string) => void;
  readonly faults: () => readonly Diagnostic[];
}

function createWalk(index: Index, bodies: Bodies): Walk {
  const memories = new Map<string, Memory>(index.plan.regions.map(({ name }) => [name, createMemory()]));
  /** What must come out of a step unharmed although it does not read it: values for the next turn, and results. */
  const needed = new Map<number, PlanTensor[]>();
  const need = (tensor: PlanTensor, step: number): void => {
    const known = needed.get(step);
    if (known === undefined) needed.set(step, [tensor]);
    else known.push(tensor);
  };
  for (const [tensor, { allEnd }] of bodies.received) need(tensor, allEnd - 1);
  for (const [tensor, { end }] of bodies.results) need(tensor, end - 1);
  /** Parts whose bytes have become those of the output of a Concat. */
  const joined = new Map<PlanTensor, PlanTensor>();
  const content = (tensor: PlanTensor): PlanTensor => contentOf(index, joined, tensor);
  const owner = (tensor: PlanTensor): string => nameOf(index, content(tensor));
  /** A loop's second turn finds the same faults again: they are said once. */
  const faults = new Map<string, Diagnostic>();
  const say = (text: string, tensor: PlanTensor, node?: string): void => {
    faults.set(text, fault(text, { tensor: tensor.name, node }));
  };
  const take = (tensor: PlanTensor): void => {
    joined.delete(tensor);
    if (tensor.offset === null) return;
    memories.get(tensor.region!)!.take(tensor.offset, tensor.offset + tensor.bytes, owner(tensor));
  };
  const check = (tensor: PlanTensor, when: string | PlanStep, does?: string): void => {
    const { name, offset, bytes, region } = tensor;
    if (offset === null) return;
    const found = memories.get(region!)!.intruder(offset, offset + bytes, owner(tensor));
    if (found === undefined) return;
    const instead = found === null ? 'nobody has written there' : `bytes of ${found} lie there`;
    const [claim, node] =
      typeof when === 'string'
        ? [`${when}, ${name} should still be there`]
        : [`${at(when)} ${does} ${name}`, when.node];
    say(`${claim} in ${region} at [${offset},${offset + bytes}), but ${instead}.`, tensor, node);
  };
  const writes = (step: PlanStep): void => {
    const { reads, writes: written } = index.uses(step.step);
    for (const tensor of written) {
      if (index.chains.isShown(tensor)) continue;
      const parts = partsInPlace(index, step, tensor, reads).parts.map(content);
      take(tensor);
      // A part from outside of a loop is the whole's already when the loop turns again.
      for (const part of parts) if (part !== tensor) joined.set(part, tensor);
    }
  };
  const step = (step: PlanStep): void => {
    const { reads, writes: written, scratch: working } = index.uses(step.step);
    for (const tensor of working) take(tensor);
    for (const tensor of reads) check(tensor, step, 'reads');
    const touching = touchingAmong([...reads, ...written]);
    const turn = { index, step, reads, written, row: CUTS.has(step.op) ? rowOf(written) : NO_ROW, touching };
    for (const tensor of written) {
      for (const text of sharingFaults(turn, tensor)) say(text, written[0]!, step.node);
    }
    writes(step);
    for (const tensor of working) check(tensor, step, 'works in');
    for (const tensor of written) check(tensor, step, 'leaves');
    for (const tensor of needed.get(step.step) ?? []) check(tensor, step, 'should leave');
  };
  return { take, step, writes, check, faults: () => [...faults.values()] };
}

/** A step in a message. */
function at({ step, op, node }: PlanStep): string {
  return `Step ${step} (${op} ${node})`;
}

/** The tensor whose bytes a view shows in the end, or which a part has become, or that was handed over; of any other tensor itself. */
function contentOf(index: Index, joined: Map<PlanTensor, PlanTensor>, tensor: PlanTensor): PlanTensor {
  const passed: PlanTensor[] = [];
  let content = index.chains.owner(tensor);
  // What is handed over comes from an earlier model.
  for (;;) {
    const next = joined.get(content) ?? index.handed(content);
    if (next === undefined) break;
    passed.push(content);
    content = index.chains.owner(next);
  }
  // Parts of parts of parts are followed once.
  for (const part of passed) if (joined.has(part)) joined.set(part, content);
  return content;
}

/** Names are unique within a model. */
function nameOf({ plan: { models } }: Index, { name, model }: PlanTensor): string {
  return models.length === 1 ? name : `${models[model]!.name}:${name}`;
}

const NO_ROW: Row = rowOf([]);

/** What a step has in hand while it runs. */
interface Turn {
  readonly index: Index;
  readonly step: PlanStep;
  readonly reads: readonly PlanTensor[];
  readonly written: readonly PlanTensor[];
  /** Of an operator whose outputs are parts of an operand. */
  readonly row: Row;
  /** What the step uses that has a byte in common with the tensor, which is among it. */
  readonly touching: (tensor: PlanTensor) => readonly PlanTensor[];
}

/** A step reads and writes at once: what it writes may touch an operand only where the plan says and the rules allow. */
function sharingFaults(turn: Turn, output: PlanTensor): readonly string[] {
  const { index, step, reads, written } = turn;
  const { name, how } = output;
  const source = index.source(output);
  const inPlace = partsInPlace(index, step, output, reads);
  const faults: string[] = [...inPlace.faults];
  const isLater = index.chains.isPart(output);
  if (source !== undefined && !reads.includes(source) && !isLater) {
    faults.push(`${at(step)} puts ${name} on ${source.name}, which it does not read.`);
  }
  if (index.chains.isShown(output)) {
    const why = shownFault(turn, source!, output);
    return why === undefined
      ? faults
      : [...faults, `${at(step)} is said to show ${source!.name} as ${name}, ${why}.`];
  }
  if (how === 'in-place' && !mayWriteInPlace(index.assumptions(step.model).kernels, step.op)) {
    faults.push(`${at(step)} writes ${name} over its operand, which this operator does not allow.`);
  }
  const parts = new Set(inPlace.parts);
  for (const other of turn.touching(output)) {
    if (other === output || apart(index, output, other)) continue;
    if (how === 'in-place' && other === source) continue;
    if (parts.has(other) || inPlace.parts.some((part) => contains(part, other))) continue;
    if (index.chains.isShown(other) && written.includes(other)) continue;
    faults.push(`${at(step)} writes ${name} over ${other.name} while it uses both.`);
  }
  return faults;
}

/** Why the output cannot have the bytes of the operand as they are, or undefined. */
function shownFault({ index, step, row }: Turn, source: PlanTensor, output: PlanTensor): string | undefined {
  const { layout } = index.assumptions(step.model);
  if (CUTS.has(step.op)) return cutFault(layout, step, source, output, row);
  if (!MOVES_NOTHING.has(step.op)) return 'but it computes';
  return movesInLayout(layout, step.op, source, output) ? 'but the layout moves its elements' : undefined;
}

/** Of two in one region: `b` lies within the bytes of `a`. */
function contains(a: PlanTensor, b: PlanTensor): boolean {
  return a.offset! <= b.offset! && b.offset! + b.bytes <= a.offset! + a.bytes;
}

/** Some byte belongs to both. */
function touch(a: PlanTensor, b: PlanTensor): boolean {
  if (a.region === null || a.region !== b.region) return false;
  return Math.max(a.offset!, b.offset!) < Math.min(a.offset! + a.bytes, b.offset! + b.bytes);
}

/** So few are looked at one by one; a Loop may carry thousands. */
const FEW = 16;

function touchingAmong(tensors: readonly PlanTensor[]): Turn['touching'] {
  if (tensors.length <= FEW) return (tensor) => tensors.filter((other) => touch(tensor, other));
  const regions = new Map<string, Addresses<PlacedTensor>>();
  for (const tensor of tensors.filter(isPlaced)) {
    const addresses = regions.get(tensor.region) ?? createAddresses<PlacedTensor>();
    regions.set(tensor.region, addresses);
    addresses.add(tensor);
  }
  return (tensor) => (isPlaced(tensor) ? regions.get(tensor.region)!.touching(tensor) : []);
}

type PlacedTensor = PlanTensor & { readonly region: string; readonly offset: number };

/** A tensor has a region and an offset, or neither. */
function isPlaced(tensor: PlanTensor): tensor is PlacedTensor {
  return tensor.offset !== null && tensor.bytes > 0;
}

/** A partial overlap at a distance that is stated to be safe. */
function apart(index: Index, a: PlanTensor, b: PlanTensor): boolean {
  const permits = (above: PlanTensor, below: PlanTensor): boolean =>
    index
      .buffer(above.buffer!)!
      .mayOverlap.some(
        ({ buffer, distance }) => buffer === below.buffer && above.offset! - below.offset! >= distance,
      );
  return permits(a, b) || permits(b, a);
}
