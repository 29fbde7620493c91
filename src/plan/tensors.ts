/** Lists the tensors and steps of a plan under the names of the model. */
import { formatDim, isKnown } from '../graph/dims.ts';
import type { Body, Node, Role, TypedGraph } from '../graph/types.ts';
import { tensorSizes } from '../lifetime/sizes.ts';
import type { PlacedState } from '../lifetime/states.ts';
import type { JointBuffers, Schedule, Step } from '../lifetime/types.ts';
import { placesOf } from '../place/lookup.ts';
import type { PlanBody, PlanState, PlanStep, PlanTensor } from './types.ts';

/** A model with its steps, counted from 0. */
export interface ScheduledModel {
  readonly graph: TypedGraph;
  readonly schedule: Schedule;
  /** Values that are kept from run to run. */
  readonly states?: readonly PlacedState[];
}

export interface Placing {
  readonly models: readonly ScheduledModel[];
  readonly joint: JointBuffers;
  /** By index of the buffer: its region, and the offset from the start of that region's arena. */
  readonly places: readonly { readonly region: string; readonly offset: number }[];
  /** C names for names that differ. */
  readonly cNames: (names: readonly string[]) => readonly string[];
}

/**
 * Of one model: graph inputs in the order of the graph, then every tensor in the order of the steps, scratch after what
 * is written.
 */
export function planTensors(placing: Placing, model: number): readonly PlanTensor[] {
  const { joint } = placing;
  const { graph, schedule } = placing.models[model]!;
  const places = placesOf(joint, model);
  const order = new Set(graph.inputs);
  for (const { writes, scratch } of schedule.steps) {
    for (const tensor of writes) order.add(tensor);
    for (const tensor of scratch) order.add(tensor);
  }
  const placed = [...order].filter((tensor) => places.member(tensor) !== undefined);
  const sizes = tensorSizes(graph, placed);
  const names = placed.map((tensor) => graph.tensors[tensor]!.name);
  const c = placing.cNames(names);
  const inputs = new Set(graph.inputs);
  const outputs = new Set(graph.outputs);
  const kept = new Set(
    (placing.models[model]!.states ?? []).flatMap(({ tensor, from, how }) =>
      how === 'shared' ? [tensor, from!] : [tensor],
    ),
  );
  const roleOf = (tensor: number): Role => {
    if (kept.has(tensor)) return 'state';
    if (graph.tensors[tensor]!.role === 'scratch') return 'scratch';
    if (inputs.has(tensor)) return 'input';
    return outputs.has(tensor) ? 'output' : 'activation';
  };
  return placed.map((tensor, index) => {
    const member = places.member(tensor)!;
    const buffer = places.buffer(tensor) ?? null;
    const { fact, shape, bytes } = sizes[tensor]!;
    return {
      model,
      name: names[index]!,
      c: c[index]!,
      type: fact.type,
      shape,
      ...(fact.shape!.every(isKnown) ? {} : { sizes: fact.shape!.map(formatDim) }),
      bytes,
      quant: fact.quant ?? null,
      role: roleOf(tensor),
      first: member.first,
      end: member.end,
      buffer,
      region: buffer === null ? null : placing.places[buffer]!.region,
      offset: buffer === null ? null : placing.places[buffer]!.offset + member.offset,
      how: member.how,
      aliasOf: member.aliasOf === undefined ? null : graph.tensors[member.aliasOf]!.name,
    };
  });
}

const NONE: readonly never[] = [];

function someWeights(weights: readonly string[]): Pick<PlanStep, 'weights'> {
  return weights.length === 0 ? {} : { weights };
}

/** Of one model. `live` and `scratchBytes`: bytes by step of all models. */
export function planSteps(
  placing: Placing,
  model: number,
  live: readonly number[],
  scratchBytes: readonly number[],
): readonly PlanStep[] {
  const { graph, schedule } = placing.models[model]!;
  const start = placing.joint.starts[model]!;
  const copies = new Set(placing.joint.buffers.flatMap(({ kind, id }) => (kind === 'copy' ? [id] : [])));
  const weightsOf = ({ inputs, group }: Node): readonly string[] =>
    copies.size === 0
      ? NONE
      : [...new Set([...inputs, ...(group?.parameters ?? NONE)])].flatMap((tensor) => {
          const name = tensor === undefined ? undefined : nameOf(tensor);
          return name !== undefined && copies.has(name) ? [name] : [];
        });
  const nameOf = (tensor: number): string => graph.tensors[tensor]!.name;
  const bodyOf = ({ path, inputs, outputs }: Body): PlanBody => {
    return { path, inputs: inputs.map(nameOf), outputs: outputs.map(nameOf) };
  };
  const isMoved = isReordered(schedule.steps);
  return schedule.steps.map(({ step, node, path, reads, writes, scratch }) => ({
    step: start + step,
    model,
    node: node.label,
    ...(isMoved ? { index: node.index } : {}),
    op: node.op,
    path,
    fused: node.group?.members.map(({ label }) => label) ?? NONE,
    ...(node.bodies.length === 0 ? {} : { bodies: node.bodies.map(bodyOf) }),
    reads: reads.map(nameOf),
    writes: writes.map(nameOf),
    ...(scratch.length === 0 ? {} : { scratch: scratch.map(nameOf) }),
    ...someWeights(weightsOf(node)),
    scratchBytes: scratchBytes[start + step]!,
    liveBytes: live[start + step]!,
  }));
}

/** The steps of a graph, or of a body, do not stand in the order in which the file has their nodes. */
function isReordered(steps: readonly Step[]): boolean {
  const last = new Map<string, number>();
  return steps.some(({ node, path }) => {
    const before = last.get(path) ?? -1;
    last.set(path, node.index);
    return node.index < before;
  });
}

/** The states of all models under their names. */
export function planStates(models: readonly ScheduledModel[]): readonly PlanState[] {
  return models.flatMap(({ graph, states = [] }, model) =>
    states.map(({ tensor, from, how, places, stride }) => ({
      model,
      tensor: graph.tensors[tensor]!.name,
      from: from === undefined ? null : graph.tensors[from]!.name,
      how,
      ...(places !== undefined && stride !== undefined && { places, stride }),
    })),
  );
}
