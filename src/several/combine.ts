/** One packing problem of several models, its solution, and what it says about how they share the chip. */
import { diagnostic, MemplanError } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { JointBuffers, Schedule } from '../lifetime/types.ts';
import { stack } from '../place/stack.ts';
import type { SharedRun } from '../plan/parts.ts';
import type { PlanRequest } from '../plan/request.ts';
import type { TensorName } from '../plan/types.ts';
import type { SolveWith } from '../planner/solve.ts';
import type { Solution } from '../planner/types.ts';
import type { Arranged } from './arrange.ts';
import { joinModels, onItsOwn } from './join.ts';
import { checkLinks } from './links.ts';
import { type Called, labelOf } from './names.ts';
import { solveParts } from './solve.ts';
import type { LaidModel, Link, Part, TensorAt } from './types.ts';

/** A model laid out on its own, with a place for each of its tensors. */
export interface SolvedModel extends LaidModel {
  readonly graph: TypedGraph;
  readonly solution: Solution;
  /** How its tensors lie in memory. */
  readonly layout: 'nchw' | 'nhwc';
}

export interface Combined {
  readonly schedules: readonly Schedule[];
  readonly joint: JointBuffers;
  /** All buffers in one arena. */
  readonly solution: Solution;
  /** Buffers by index that share no byte with those of other lists. */
  readonly parts: readonly (readonly number[])[] | undefined;
  /** Undefined for a single model. */
  readonly run: SharedRun | undefined;
}

/** What all models have in common. */
export interface Shared {
  readonly request: PlanRequest;
  /** C prefix of what they share. */
  readonly cPrefix: string;
  /** As in the planner. */
  readonly observe?: SolveWith['observe'];
}

/**
 * Throws E_RULE for links between tensors that differ and for models that have no steps in memory, and what the
 * planner throws.
 */
export function combine(models: readonly SolvedModel[], arranged: Arranged, shared: Shared): Combined {
  const schedules = models.map(({ schedule }) => schedule);
  if (models.length === 1) {
    const { solution } = models[0]!;
    return { schedules, joint: onItsOwn(models[0]!), solution, parts: undefined, run: undefined };
  }
  checkSteps(models, arranged);
  const { request, cPrefix, observe } = shared;
  const nameOf = ({ model, tensor }: TensorAt): TensorName => {
    return { model, tensor: arranged.models[model]!.model.graph.tensors[tensor]!.name };
  };
  const holds = arranged.holds.map(nameOf);
  const links = arranged.links.map(({ from, to }) => ({ from: nameOf(from), to: nameOf(to) }));
  const named = arranged.models.map(({ model: { name }, given }) => ({ name, given }));
  const find = finder(models, named);
  const found = links.map(({ from, to }) => ({ from: find('--link', from), to: find('--link', to) }));
  /** As users type it. */
  const typed = ({ model, tensor }: TensorAt) =>
    `${labelOf(named, model)}:${models[model]!.graph.tensors[tensor]!.name}`;
  checkLinks(found, models, typed);
  const pack = (parts: readonly Part[], joined: readonly Link[]) => {
    const sharing = {
      ...{ parts, links: joined, asyncIo: request.asyncIo },
      holds: holds.map((name) => find('--hold', name)),
    };
    const joint = joinModels(models, sharing, {
      sizeRound: request.sizeRound,
      nameOf: typed,
      ports: models.map(portsOf),
    });
    const { strategy, effort } = request;
    const alone = models.map(({ solution }) => solution);
    return { joint, ...solveParts(joint, parts, alone, { strategy, effort, observe }) };
  };
  const packed = pack(arranged.parts, found);
  const all = [{ models: models.map((_, i) => i), order: 'any' as const }];
  const turns = arranged.parts.length === 1 ? packed : pack(all, []);
  return {
    schedules,
    joint: packed.joint,
    solution: packed.solution,
    parts: packed.parts,
    run: {
      mode: request.run,
      cPrefix,
      parts: arranged.parts,
      holds,
      links,
      isolation: { ...isolation(models), sharedBytes: turns.solution.bytes },
    },
  };
}

/** A model without steps has no place on the axis. */
function checkSteps(models: readonly SolvedModel[], arranged: Arranged): void {
  const [first, ...others] = models.flatMap(({ schedule }, i) => {
    if (schedule.steps.length > 0) return [];
    const { file } = arranged.models[i]!.model;
    const text = `${file} has no steps: all its outputs are constants or inputs, so there is nothing to share.`;
    return [diagnostic('E_RULE', text, { hint: 'Leave it out.' })];
  });
  if (first !== undefined) throw new MemplanError([first, ...others]);
}

/** By name, because fusion and inference may have moved the tensors. Throws E_RULE for one that is not in memory. */
function finder(models: readonly SolvedModel[], named: readonly Called[]) {
  return (flag: string, { model, tensor }: TensorName): TensorAt => {
    const { graph, buffers } = models[model]!;
    const index = graph.tensors.findIndex(({ name }) => name === tensor);
    const placed = buffers.buffers.some(({ members }) => members.some((one) => one.tensor === index));
    if (placed) return { model, tensor: index };
    const outside = buffers.external.some((one) => one.tensor === index);
    const why = outside ? 'the caller owns its bytes (--io external)' : 'it lies in no buffer';
    const typed = `${labelOf(named, model)}:${tensor}`;
    throw new MemplanError([diagnostic('E_RULE', `${flag} ${typed}: ${why}.`, { tensor })]);
  };
}

function portsOf({ graph }: SolvedModel): ReadonlySet<number> {
  const constants = constantTensors(graph);
  return new Set([...graph.inputs, ...graph.outputs].filter((tensor) => !constants.has(tensor)));
}

/** Every model with bytes of its own. */
function isolation(models: readonly SolvedModel[]) {
  const blocks = models.map(({ solution, buffers }) => ({ buffers: buffers.buffers, solution }));
  return {
    alone: blocks.map(({ solution }) => solution.bytes),
    isolatedBytes: stack(blocks).solution.bytes,
  };
}
