/** Node messages to nodes: attributes bound, names resolved, Constants made weights, local functions inlined. */
import type { Attribute, Body, Node } from '../graph/types.ts';
import { attributeOf, TYPE, typeOf } from './attributes.ts';
import { type CallSite, closeCall, openCall } from './call.ts';
import { constantNodeValue } from './constant-node.ts';
import type { Bound, Draft, Surroundings } from './draft.ts';
import { functionKey, type LocalFunction } from './functions.ts';
import { countNode, declare, inputsOf, joined, labelOf } from './names.ts';
import { domainOf } from './opsets.ts';
import type { NodeProto } from './proto.ts';
import { OVERLOAD_ATTRIBUTE } from './wire.ts';

/** All names that the nodes produce are entered before any is looked up, for files need not be in order. */
export function buildNodes(protos: readonly NodeProto[], surroundings: Surroundings, draft: Draft): Node[] {
  const { scope } = surroundings;
  const labels = protos.map((proto, index) => labelOf(draft, scope, proto, index));
  const allOutputs = protos.map(({ output }, index) =>
    (output ?? []).map((name) =>
      name === '' ? undefined : declare(draft, scope, name, 'activation', labels[index]!),
    ),
  );
  const nodes: Node[] = [];
  protos.forEach((proto, index) => {
    countNode(draft);
    const [label, outputs] = [labels[index]!, allOutputs[index]!];
    const bound = bindAttributes(proto, surroundings);
    const called = draft.functions.get(
      functionKey(domainOf(proto.domain), proto.opType ?? '', overloadOf(bound)),
    );
    if (called !== undefined) {
      const site = { label, inputs: inputsOf(proto, label, scope, draft), outputs, bound };
      for (const node of inlined(called, site, surroundings, draft)) nodes.push(node);
    } else if (proto.opType === 'Constant' && domainOf(proto.domain) === '') {
      makeWeight(label, outputs[0], bound, draft);
    } else nodes.push(plainNode(proto, { label, index, outputs, bound }, surroundings, draft));
  });
  return nodes;
}

/** The nodes that stand in the place of a call. */
function inlined(
  called: LocalFunction,
  site: CallSite,
  surroundings: Surroundings,
  draft: Draft,
): readonly Node[] {
  const call = openCall(called, site, surroundings, draft);
  if (call === undefined) return [];
  const nodes = buildNodes(called.proto.node ?? [], call.surroundings, draft);
  return nodes.concat(closeCall(call, draft));
}

function overloadOf(bound: ReadonlyMap<string, Bound>): string {
  const overload = bound.get(OVERLOAD_ATTRIBUTE)?.proto.s;
  return overload == null ? '' : new TextDecoder().decode(overload);
}

// Shared, for most nodes of a large model have none.
const NOTHING_BOUND: ReadonlyMap<string, Bound> = new Map();
const NOTHING: Pick<Node, 'attributes' | 'bodies'> = { attributes: new Map(), bodies: [] };

/** Bodies are in the order in which they are laid out: files may name the else-branch first. */
function placeOf(body: Body): number {
  return body.name === 'else_branch' ? 1 : 0;
}

/** Replaces references to attributes of the function at hand; one that the caller leaves out is left out. */
function bindAttributes(proto: NodeProto, surroundings: Surroundings): ReadonlyMap<string, Bound> {
  if (!proto.attribute?.length) return NOTHING_BOUND;
  const bound = new Map<string, Bound>();
  for (const attribute of proto.attribute) {
    const value = attribute.refAttrName
      ? surroundings.references?.get(attribute.refAttrName)
      : { proto: attribute, surroundings };
    if (value !== undefined) bound.set(attribute.name ?? '', value);
  }
  return bound;
}

function makeWeight(
  label: string,
  output: number | undefined,
  bound: ReadonlyMap<string, Bound>,
  draft: Draft,
): void {
  if (output === undefined) return;
  const tensor = draft.tensors[output]!;
  tensor.role = 'weight';
  tensor.constant = constantNodeValue(bound, label, tensor.name, draft.source);
}

/** A node whose outputs have been entered. */
interface Entered {
  readonly label: string;
  /** Its place among the nodes of its graph. */
  readonly index: number;
  readonly outputs: readonly (number | undefined)[];
  readonly bound: ReadonlyMap<string, Bound>;
}

function plainNode(
  proto: NodeProto,
  { label, index, outputs, bound }: Entered,
  surroundings: Surroundings,
  draft: Draft,
): Node {
  const domain = domainOf(proto.domain);
  const { attributes, bodies } = bound.size === 0 ? NOTHING : attributesAndBodies(label, bound, draft);
  const own = surroundings.opsets.get(domain);
  return {
    name: proto.name ?? '',
    label,
    index,
    op: proto.opType ?? '',
    domain,
    ...(own === undefined || own === draft.opsets.get(domain) ? {} : { opset: own }),
    attributes,
    inputs: inputsOf(proto, label, surroundings.scope, draft),
    outputs,
    bodies,
  };
}

function attributesAndBodies(
  label: string,
  bound: ReadonlyMap<string, Bound>,
  draft: Draft,
): Pick<Node, 'attributes' | 'bodies'> {
  const attributes = new Map<string, Attribute>();
  const bodies: Body[] = [];
  for (const [name, { proto: attribute, surroundings: around }] of bound) {
    const type = typeOf(attribute);
    if (type === TYPE.graph || type === TYPE.graphs) {
      const graphs = type === TYPE.graph ? [attribute.g ?? {}] : (attribute.graphs ?? []);
      graphs.forEach((graph, i) => {
        const bodyName = graphs.length === 1 ? name : `${name}[${i}]`;
        bodies.push(draft.buildBody(graph, bodyName, joined(label, bodyName), around));
      });
      continue;
    }
    if (name === OVERLOAD_ATTRIBUTE) continue;
    const value = attributeOf(attribute, `${label} (${name})`, draft.source);
    if (value !== undefined) attributes.set(name, value);
  }
  return { attributes, bodies: bodies.sort((a, b) => placeOf(a) - placeOf(b)) };
}
