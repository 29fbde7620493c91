/** Joins nodes into one. */
import type { Node } from '../graph/types.ts';

/** The nodes whose work a node does: itself, unless it is a group. */
export function membersOf(node: Node): readonly Node[] {
  return node.group?.members ?? [node];
}

export interface Joining {
  readonly before?: readonly Node[];
  readonly after?: readonly Node[];
  /** Constants that the joined nodes need besides the inputs. */
  readonly parameters?: readonly number[];
  readonly inputs?: Node['inputs'];
  readonly outputs?: Node['outputs'];
  readonly attributes?: Node['attributes'];
}

/** `node` with the work of others: it keeps its name, operator and place. */
export function joined(node: Node, joining: Joining): Node {
  const { before = [], after = [], parameters = [], ...changes } = joining;
  const all = [...before, node, ...after];
  return {
    ...node,
    ...changes,
    group: {
      members: [...new Set(all.flatMap(membersOf))],
      parameters: [...new Set([...all.flatMap((part) => part.group?.parameters ?? []), ...parameters])],
    },
  };
}
