/** Operators without a row: planned when their outputs are declared or stated, else named all together. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import type { Fact, Node } from '../graph/types.ts';
import { markFolded, skipBody } from './fold.ts';
import type { State } from './state.ts';

export interface UnknownOperators {
  /** Nodes whose declared outputs are trusted, by operator. */
  readonly trusted: Map<string, Node[]>;
  /** Nodes with an output that nobody says anything about. */
  readonly refused: { readonly node: Node; readonly outputs: readonly string[] }[];
}

interface Parts {
  readonly state: State;
  readonly unknown: UnknownOperators;
}

/** Takes the facts of the outputs from `declared`. The node is never folded: nobody knows what it does. */
export function inferUnknown(
  { state, unknown }: Parts,
  node: Node,
  declared: (output: number) => Fact | undefined,
): void {
  const missing: string[] = [];
  for (const [i, tensor] of node.outputs.entries()) {
    if (tensor === undefined) continue;
    const fact = declared(i);
    state.facts[tensor] = fact;
    if (fact?.shape === undefined && fact?.container === undefined)
      missing.push(state.graph.tensors[tensor]!.name);
  }
  markFolded(state, node, false, []);
  for (const body of node.bodies) skipBody(state, body);
  if (missing.length > 0) {
    unknown.refused.push({ node, outputs: missing });
    return;
  }
  const key = operatorText(node);
  const nodes = unknown.trusted.get(key);
  if (nodes === undefined) unknown.trusted.set(key, [node]);
  else if (!nodes.includes(node)) nodes.push(node);
}

/** One warning per operator. */
export function trustedWarnings({ trusted }: UnknownOperators): readonly Diagnostic[] {
  return [...trusted].map(([operator, nodes]) => {
    const first = nodes[0]!.label;
    const who = nodes.length === 1 ? `node ${first}` : `${nodes.length} nodes, the first is ${first}`;
    return diagnostic(
      'W_UNKNOWN_OP',
      `There is no shape rule for ${operator} (${who}); its declared outputs are trusted.`,
      {
        node: first,
      },
    );
  });
}

/** One error per node. */
export function refusals({ refused }: UnknownOperators): readonly Diagnostic[] {
  return refused.map(({ node, outputs }) => {
    const what =
      outputs.length === 1 ? `its output ${outputs[0]} is` : `its outputs ${outputs.join(', ')} are`;
    return diagnostic(
      'E_UNKNOWN_OP',
      `${node.label}: there is no shape rule for ${operatorText(node)}, and ${what} not declared.`,
      {
        hint: `--op-shape ${node.label}:float32,1,8,8 (type and sizes of its outputs, separated by /)`,
        node: node.label,
      },
    );
  });
}

function operatorText(node: Node): string {
  return `operator ${node.op} of domain ${node.domain === '' ? 'ai.onnx' : node.domain}`;
}
