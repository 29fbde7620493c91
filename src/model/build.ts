/** ModelProto to Graph: scopes opened, names resolved, bodies built, functions inlined, nodes sorted. */
import type { Body, Graph, Node } from '../graph/types.ts';
import { annotate } from './annotations.ts';
import { constantOf, type TensorSource } from './constant.ts';
import type { Draft, Scope, Surroundings } from './draft.ts';
import { factOf } from './facts.ts';
import type { Faults } from './faults.ts';
import { localFunctions } from './functions.ts';
import { declare, joined, newScope, resolve } from './names.ts';
import { buildNodes } from './nodes.ts';
import { domainOf, readOpsets } from './opsets.ts';
import { exact, type GraphProto, type ModelProto, type TensorProto, type ValueInfoProto } from './proto.ts';
import { type Link, sortNodes } from './sort.ts';
import { sparseConstantOf } from './sparse.ts';
import type { FunctionExtras } from './wire.ts';

/** Faults are added to `source.faults`, not thrown: the caller decides when all have been seen. */
export function buildGraph(
  model: ModelProto,
  extras: readonly FunctionExtras[],
  source: TensorSource,
): Graph {
  const { faults } = source;
  const opsets = modelOpsets(model, faults);
  const draft: Draft = {
    tensors: [],
    tensorNames: { taken: new Set(), numbers: new Map() },
    labels: { taken: new Set(), numbers: new Map() },
    opsets,
    functions: localFunctions(model.functions ?? [], extras, faults),
    source,
    faults,
    buildBody: (proto, name, path, surroundings) => buildBody(proto, name, path, surroundings, draft),
    nodeCount: 0,
    nameCharacters: 0,
    moved: 0,
  };
  const proto = model.graph ?? {};
  const scope = scopeOf(proto, '', undefined, draft);
  const inputs = enterInputs(proto, scope, 'input', draft);
  const nodes = buildSorted(proto, { scope, references: undefined, opsets, calls: [] }, draft);
  const outputs = resolveOutputs(proto, scope, draft);
  for (const output of outputs) {
    const tensor = draft.tensors[output]!;
    if (tensor.role === 'activation') tensor.role = 'output';
  }
  if (draft.moved > 0) {
    const text = draft.moved === 1 ? '1 node stood' : `${draft.moved} nodes stood`;
    faults.add('N_SORTED', `${text} before a node that feeds it; the nodes have been sorted.`);
  }
  return { name: proto.name ?? '', opsets, tensors: draft.tensors, nodes, inputs, outputs };
}

/** Files of IR version 1 and 2 follow version 1 of ai.onnx and say nothing about it; later ones must say it. */
function modelOpsets(model: ModelProto, faults: Faults): ReadonlyMap<string, number> {
  const opsets = readOpsets(model.opsetImport ?? [], 'The model', faults);
  if (opsets.has('')) return opsets;
  opsets.set('', 1);
  if (Number(exact(model.irVersion ?? 0)) >= 3 && usesStandardOperators(model)) {
    faults.add(
      'W_OPSET',
      'The model does not say which version of ai.onnx it follows; version 1 is assumed.',
    );
  }
  return opsets;
}

function usesStandardOperators(model: ModelProto): boolean {
  return (model.graph?.node ?? []).some(({ domain }) => domainOf(domain) === '');
}

function buildBody(proto: GraphProto, name: string, path: string, around: Surroundings, draft: Draft): Body {
  const scope = scopeOf(proto, path, around.scope, draft);
  const inputs = enterInputs(proto, scope, 'activation', draft);
  const nodes = buildSorted(proto, { ...around, scope }, draft);
  return { name, path, nodes, inputs, outputs: resolveOutputs(proto, scope, draft) };
}

/** Opens the scope of a graph or body. */
function scopeOf(proto: GraphProto, path: string, outer: Scope | undefined, draft: Draft): Scope {
  const infos = new Map<string, ValueInfoProto[]>();
  for (const list of [proto.input, proto.output, proto.valueInfo]) {
    for (const info of list ?? []) {
      const name = info.name ?? '';
      const known = infos.get(name);
      if (known === undefined) infos.set(name, [info]);
      else known.push(info);
    }
  }
  return newScope(path, outer, (name, tensor) => {
    const facts = (infos.get(name) ?? []).map((info) => factOf(info.type, tensor, draft.faults));
    return facts.find((fact) => fact?.shape !== undefined) ?? facts.find((fact) => fact !== undefined);
  });
}

/** Enters weights and inputs; an input that is also a weight is a weight (IR version 3 lists them so). */
function enterInputs(proto: GraphProto, scope: Scope, role: 'input' | 'activation', draft: Draft): number[] {
  const weights = new Set<string>();
  const enterWeight = (tensor: TensorProto, constant: () => ReturnType<typeof constantOf>): void => {
    const name = tensor.name ?? '';
    if (name === '') return;
    weights.add(name);
    const index = declare(draft, scope, name, 'weight', 'an initializer');
    draft.tensors[index]!.constant = constant();
  };
  for (const tensor of proto.initializer ?? []) {
    enterWeight(tensor, () => constantOf(tensor, joined(scope.path, tensor.name!), draft.source));
  }
  for (const sparse of proto.sparseInitializer ?? []) {
    const values = sparse.values ?? {};
    enterWeight(values, () => sparseConstantOf(sparse, joined(scope.path, values.name!), draft.source));
  }
  const inputs: number[] = [];
  (proto.input ?? []).forEach(({ name }, i) => {
    if (name && weights.has(name)) return;
    inputs.push(declare(draft, scope, name || `input[${i}]`, role, `the input ${i}`));
  });
  return inputs;
}

function buildSorted(proto: GraphProto, surroundings: Surroundings, draft: Draft): readonly Node[] {
  const { nodes, moved, circles } = sortNodes(buildNodes(proto.node ?? [], surroundings, draft));
  draft.moved += moved;
  const { scope } = surroundings;
  for (const annotation of proto.quantizationAnnotation ?? []) annotate(annotation, scope, draft);
  for (const circle of circles) {
    draft.faults.add('E_CYCLE', `Nodes depend on each other in a circle: ${describe(circle, draft)}.`, {
      node: circle[0]!.node.label,
      tensor: draft.tensors[circle[0]!.reads]!.name,
      hint: 'No order can run them; export the model again.',
    });
  }
  return nodes;
}

/** `add_a reads b from relu_b, which reads a from add_a`. */
function describe(circle: readonly Link[], draft: Draft): string {
  const shown = circle.length > 8 ? [...circle.slice(0, 6), ...circle.slice(-1)] : circle;
  const parts = shown.map(({ node, reads }, i) => {
    const from = circle[(circle.indexOf(shown[i]!) + 1) % circle.length]!.node;
    return `${i === 0 ? `${node.label} reads` : 'which reads'} ${draft.tensors[reads]!.name} from ${from.label}`;
  });
  if (shown.length < circle.length) parts.splice(6, 0, `and ${circle.length - 7} nodes on`);
  return parts.join(', ');
}

function resolveOutputs(proto: GraphProto, scope: Scope, draft: Draft): number[] {
  const outputs: number[] = [];
  (proto.output ?? []).forEach(({ name }, i) => {
    const index = name ? resolve(scope, name) : 'missing';
    if (typeof index === 'number') outputs.push(index);
    else {
      const full = name ? joined(scope.path, name) : `number ${i} (without a name)`;
      const of = scope.path === '' ? 'the model' : scope.path;
      draft.faults.add('E_DANGLING', `The output ${full} of ${of} is produced by nothing.`, { tensor: full });
    }
  });
  return outputs;
}
