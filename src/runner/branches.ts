/** If in a runner. */
import type { Node } from '../graph/types.ts';
import type { Span } from '../lifetime/types.ts';
import type { Block, Flow, Head } from './flow-types.ts';
import { handedOut, inMemory } from './handing.ts';
import type { StepScene } from './scene.ts';

/** Both branches, or the one that is always taken, where that was decided on while planning. */
export function choice(scene: StepScene, node: Node, span: Span): Flow {
  const { bodies, end } = span;
  const heads = bodies.length === 1 ? [] : headsOf(inMemory(scene, node.inputs[0]));
  const blocks = bodies.map(({ body, first, end: last }, i): Block => {
    const results = node.outputs.flatMap((to, k) => handedOut(scene, span, body.outputs[k]!, to));
    return { ...(heads[i] && { head: heads[i] }), first, end: last, begin: [], results };
  });
  return { before: [], blocks, behind: [], end };
}

function headsOf(condition: number): readonly Head[] {
  return [{ kind: 'if', condition }, { kind: 'else' }];
}
