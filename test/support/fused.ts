/** Plans models made in tests with --fuse default, and replays what each step claims to do. */
import type { Node, TypedGraph } from '../../src/graph/types.ts';
import { planModel } from '../../src/pipeline.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan, PlanStep } from '../../src/plan/types.ts';
import { type ModelSpec, model, writeTemp } from './onnx.ts';
import { requestOf } from './planned.ts';

export function planSpec(spec: ModelSpec, request: Partial<PlanRequest> = {}): Plan {
  return planModel(
    requestOf({ models: [writeTemp(model(spec))], target: 'cortex-m7', kernels: 'none', ...request }),
  ).plan;
}

/** The plan with everything fused. The checker has passed it. */
export function planFused(spec: ModelSpec, request: Partial<PlanRequest> = {}): Plan {
  return planSpec(spec, { fuse: 'default', ...request });
}

/** `conv+relu: x -> y` for a step of two nodes. */
export function stepTexts({ steps }: Plan): readonly string[] {
  return steps.map(({ node, fused, reads, writes }) => {
    const who = fused.length > 0 ? fused.join('+') : node;
    return `${who}: ${reads.join(' ')} -> ${writes.join(' ')}`;
  });
}

/**
 * Runs the steps of a plan by the nodes of the original graph, on names alone: the members of a step, in their order,
 * find all they need among what the step reads, constants, and what members before them made. Everything the step
 * reads is used, everything it writes is made, and no node runs nowhere or (but for DequantizeLinear) twice.
 */
export function replayFaults(graph: TypedGraph, plan: Plan): readonly string[] {
  const nodes = new Map<string, Node>();
  const index = (list: readonly Node[]): void => {
    for (const node of list) {
      if (graph.folded.has(node)) continue;
      nodes.set(node.label, node);
      for (const body of node.bodies) index(body.nodes);
    }
  };
  index(graph.nodes);
  const leftOut = new Set(plan.fusion?.leftOut);
  const nameOf = (tensor: number): string => graph.tensors[tensor]?.name ?? '';
  /** What a tensor shows that only passes through nodes that were left out. */
  const shown = passedOn([...nodes.values()], leftOut, nameOf);
  const inMemory = new Set([...plan.steps.flatMap(({ reads, writes }) => [...reads, ...writes])]);
  const constants = constantNames(graph, nodes, nameOf);
  const faults: string[] = [];
  const runs = new Map<string, number>();
  for (const step of plan.steps) {
    const members = step.fused.length > 0 ? step.fused : [step.node];
    if (!members.includes(step.node)) faults.push(`${step.node} is not among its own members`);
    for (const label of members) runs.set(label, (runs.get(label) ?? 0) + 1);
    faults.push(...stepFaults(step, members, nodes, nameOf, shown, constants));
  }
  for (const [label, node] of nodes) {
    const count = runs.get(label) ?? 0;
    if (leftOut.has(label) ? count > 0 : count === 0) faults.push(`${label} runs ${count} times`);
    if (count > 1 && node.op !== 'DequantizeLinear') faults.push(`${label} runs ${count} times`);
  }
  for (const name of plan.models[0]!.outputs) {
    if (!inMemory.has(name) && !constants.has(name) && !plan.models[0]!.inputs.includes(name))
      faults.push(`output ${name} is never written`);
  }
  return faults;
}

function stepFaults(
  step: PlanStep,
  members: readonly string[],
  nodes: ReadonlyMap<string, Node>,
  nameOf: (tensor: number) => string,
  shown: (name: string) => readonly string[],
  constants: ReadonlySet<string>,
): readonly string[] {
  const faults: string[] = [];
  const there = new Set(step.reads);
  const used = new Set<string>();
  const bodies = new Set<string>();
  for (const label of members) {
    const node = nodes.get(label);
    if (node === undefined) {
      faults.push(`${step.node} has a member ${label} that is no node`);
      continue;
    }
    for (const tensor of node.inputs) {
      if (tensor === undefined || constants.has(nameOf(tensor))) continue;
      const found = shown(nameOf(tensor)).find((name) => there.has(name) || constants.has(name));
      if (found === undefined) faults.push(`${step.node} lacks ${nameOf(tensor)} for ${label}`);
      else used.add(found);
    }
    for (const tensor of node.outputs) if (tensor !== undefined) there.add(nameOf(tensor));
    // A control-flow node also reads what its bodies hand out, and writes what they receive.
    for (const body of node.bodies)
      for (const tensor of [...body.inputs, ...body.outputs]) bodies.add(nameOf(tensor));
  }
  for (const name of step.reads) {
    if (!used.has(name) && !bodies.has(name)) faults.push(`${step.node} reads ${name} for nothing`);
  }
  for (const name of step.writes) {
    if (!there.has(name) && !bodies.has(name))
      faults.push(`${step.node} writes ${name}, which no member makes`);
  }
  return faults;
}

/**
 * Names under which the content of a tensor may be found: its own, and what went into the nodes before it that were
 * left out, where what any Transpose moved is moved back.
 */
function passedOn(
  nodes: readonly Node[],
  leftOut: ReadonlySet<string>,
  nameOf: (tensor: number) => string,
): (name: string) => readonly string[] {
  const writers = new Map(nodes.map((node) => [nameOf(node.outputs[0] ?? -1), node]));
  return (name) => {
    const names = [name];
    let order: readonly number[] | undefined;
    /** Integers that were made by a QuantizeLinear, and not yet turned back. */
    let integer = false;
    for (let node = writers.get(name); node !== undefined; ) {
      const perm = node.op === 'Transpose' ? node.attributes.get('perm') : undefined;
      const undone = perm !== undefined || (node.op === 'DequantizeLinear' && integer);
      if (!leftOut.has(node.label) && !undone) break;
      if (node.op === 'QuantizeLinear') integer = true;
      if (node.op === 'DequantizeLinear') integer = false;
      if (perm?.kind === 'ints') {
        const moved = perm.value.map(Number);
        order = order?.map((axis) => moved[axis]!) ?? moved;
      }
      const source = nameOf(node.inputs[0]!);
      if (isInOrder(order)) names.push(source);
      node = writers.get(source);
    }
    return names;
  };
}

function isInOrder(order: readonly number[] | undefined): boolean {
  return order?.every((axis, i) => axis === i) ?? true;
}

function constantNames(
  graph: TypedGraph,
  nodes: ReadonlyMap<string, Node>,
  nameOf: (tensor: number) => string,
): ReadonlySet<string> {
  const written = new Set(
    [...nodes.values()].flatMap(({ outputs, bodies }) => [...outputs, ...bodies.flatMap((b) => b.inputs)]),
  );
  const inputs = new Set(graph.inputs.filter((tensor) => graph.tensors[tensor]!.constant === undefined));
  return new Set(
    graph.tensors.flatMap((_, tensor) => (written.has(tensor) || inputs.has(tensor) ? [] : [nameOf(tensor)])),
  );
}
