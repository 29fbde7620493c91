/** Lists the tensors and steps of a plan under the names of the model. */
import type { Body, Role, TypedGraph } from '../graph/types.ts';
import { tensorSizes } from '../lifetime/sizes.ts';
import type { Buffers, Member, Schedule } from '../lifetime/types.ts';
import type { PlanBody, PlanStep, PlanTensor } from './types.ts';

export interface Placing {
  readonly graph: TypedGraph;
  readonly schedule: Schedule;
  readonly buffers: Buffers;
  /** By index of the buffer: its region, and the offset from the start of that region's arena. */
  readonly places: readonly { readonly region: string; readonly offset: number }[];
  /** C names for names that differ. */
  readonly cNames: (names: readonly string[]) => readonly string[];
}

/** Graph inputs in the order of the graph, then every tensor in the order of the steps, scratch after what is written. */
export function planTensors(placing: Placing, model: number): readonly PlanTensor[] {
  const { graph, schedule, buffers } = placing;
  const places = new Map<number, { member: Member; buffer: number | null }>();
  buffers.buffers.forEach(({ members }, buffer) => {
    for (const member of members) places.set(member.tensor, { member, buffer });
  });
  for (const member of buffers.external) places.set(member.tensor, { member, buffer: null });

  const touched = schedule.steps.flatMap(({ writes, scratch }) => [...writes, ...scratch]);
  const order = [...new Set([...graph.inputs, ...touched])];
  const placed = order.filter((tensor) => places.has(tensor));
  const sizes = tensorSizes(graph, placed);
  const names = placed.map((tensor) => graph.tensors[tensor]!.name);
  const c = placing.cNames(names);
  const inputs = new Set(graph.inputs);
  const outputs = new Set(graph.outputs);
  const roleOf = (tensor: number): Role => {
    if (graph.tensors[tensor]!.role === 'scratch') return 'scratch';
    if (inputs.has(tensor)) return 'input';
    return outputs.has(tensor) ? 'output' : 'activation';
  };
  return placed.map((tensor, index) => {
    const { member, buffer } = places.get(tensor)!;
    const { fact, shape, bytes } = sizes.get(tensor)!;
    return {
      model,
      name: names[index]!,
      c: c[index]!,
      type: fact.type,
      shape,
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

/** `live` and `scratchBytes`: bytes by step. */
export function planSteps(
  placing: Placing,
  model: number,
  live: readonly number[],
  scratchBytes: readonly number[],
): readonly PlanStep[] {
  const nameOf = (tensor: number): string => placing.graph.tensors[tensor]!.name;
  const bodyOf = ({ path, inputs, outputs }: Body): PlanBody => {
    return { path, inputs: inputs.map(nameOf), outputs: outputs.map(nameOf) };
  };
  return placing.schedule.steps.map(({ step, node, path, reads, writes, scratch }) => ({
    step,
    model,
    node: node.label,
    op: node.op,
    path,
    fused: node.group?.members.map(({ label }) => label) ?? [],
    ...(node.bodies.length === 0 ? {} : { bodies: node.bodies.map(bodyOf) }),
    reads: reads.map(nameOf),
    writes: writes.map(nameOf),
    ...(scratch.length === 0 ? {} : { scratch: scratch.map(nameOf) }),
    scratchBytes: scratchBytes[step]!,
    liveBytes: live[step]!,
  }));
}
