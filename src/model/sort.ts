/** Puts nodes into an executable order that keeps the file's order where it can, and finds circles. */
import type { Node } from '../graph/types.ts';

const NEW = 0;
const OPEN = 1;
const DONE = 2;

/** A graph can hold more circles than nodes; a few show where to look. */
const SHOWN_CIRCLES = 20;

export interface Sorted {
  readonly nodes: readonly Node[];
  /** Nodes that stood before one that feeds them. */
  readonly moved: number;
  /** Circles: nodes in order, each of which reads a tensor of the next; the last reads from the first. */
  readonly circles: readonly (readonly Link[])[];
}

export interface Link {
  readonly node: Node;
  /** The tensor it reads from the next node of the circle. */
  readonly reads: number;
}

/** Calls `use` with every tensor that a node and its bodies refer to, those of the bodies' own included. */
function forEachUse(node: Node, use: (tensor: number) => void): void {
  for (const input of node.inputs) if (input !== undefined) use(input);
  for (const body of node.bodies) {
    for (const inner of body.nodes) forEachUse(inner, use);
    body.outputs.forEach(use);
  }
}

/**
 * Depth-first from the file's first node to its last: a node comes right after the last of what it needs.
 * Linear in nodes and their inputs; without recursion, for chains may be as long as the model.
 */
export function sortNodes(nodes: readonly Node[]): Sorted {
  const producer = new Map<number, number>();
  nodes.forEach((node, i) => {
    for (const output of node.outputs) if (output !== undefined) producer.set(output, i);
  });
  let moved = 0;
  let tangled = false;
  nodes.forEach((node, i) => {
    let late = false;
    forEachUse(node, (tensor) => {
      const from = producer.get(tensor) ?? -1;
      late ||= from > i;
      tangled ||= from >= i;
    });
    if (late) moved += 1;
  });
  return tangled ? { moved, ...untangle(nodes, producer) } : { nodes, moved, circles: [] };
}

function untangle(nodes: readonly Node[], producer: ReadonlyMap<number, number>): Omit<Sorted, 'moved'> {
  const needs = nodes.map((node) => {
    const used = new Set<number>();
    forEachUse(node, (tensor) => used.add(tensor));
    return [...used].flatMap((tensor) => {
      const from = producer.get(tensor);
      return from === undefined ? [] : [{ from, tensor }];
    });
  });
  const order: Node[] = [];
  const circles: Link[][] = [];
  const state = new Uint8Array(nodes.length);
  const next = new Uint32Array(nodes.length);
  const path: number[] = [];
  for (let root = 0; root < nodes.length; root++) {
    if (state[root] !== NEW) continue;
    path.push(root);
    state[root] = OPEN;
    while (path.length > 0) {
      const at = path.at(-1)!;
      const link = needs[at]![next[at]!++];
      if (link === undefined) {
        state[at] = DONE;
        order.push(nodes[at]!);
        path.pop();
      } else if (state[link.from] === NEW) {
        state[link.from] = OPEN;
        path.push(link.from);
      } else if (state[link.from] === OPEN && circles.length < SHOWN_CIRCLES) {
        const circle = path.slice(path.indexOf(link.from));
        circles.push(circle.map((i) => ({ node: nodes[i]!, reads: needs[i]![next[i]! - 1]!.tensor })));
      }
    }
  }
  return { nodes: order, circles };
}
