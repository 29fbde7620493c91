/** Random graphs with branches and loops, nested up to a depth; every tensor has four elements. */
import type { BodySketch, GraphSketch, NodeSketch } from './graphs.ts';
import { createRandom } from './random.ts';

export function randomControlFlow(seed: number): GraphSketch {
  const random = createRandom(seed);
  const tensors: Record<string, readonly number[]> = {};
  const fresh = (): string => {
    const name = `t${Object.keys(tensors).length}`;
    tensors[name] = [4];
    return name;
  };
  const inputs = [fresh(), fresh()];

  /** Nodes that may read what is visible; what they define is added to it. */
  const block = (visible: string[], count: number, depth: number): readonly NodeSketch[] =>
    Array.from({ length: count }, () => {
      const pick = (): string => visible[Math.max(0, visible.length - 1 - random(6))]!;
      const kind = random(depth === 0 ? 4 : 7);
      const operands = [pick(), pick()];
      const bodies = kind === 4 ? branches(visible, depth) : kind > 4 ? [turn(visible, depth)] : [];
      const outputs = kind > 4 ? [fresh(), fresh()] : [fresh()];
      visible.push(...outputs);
      const run = [
        `Identity ${operands[0]}`,
        `Relu ${operands[0]}`,
        `Add ${operands.join(' ')}`,
        `Conv ${operands.join(' ')}`,
        `If ${operands[0]}`,
      ];
      return { run: `${run[kind] ?? `Loop _ _ ${operands.join(' ')}`} -> ${outputs.join(' ')}`, bodies };
    });
  const oneOf = (names: readonly string[]): string => names[random(names.length)]!;
  const branches = (visible: readonly string[], depth: number): readonly BodySketch[] =>
    ['then_branch', 'else_branch'].map((name) => {
      const inside = [...visible];
      const nodes = block(inside, random(5), depth - 1);
      return { name, nodes, outputs: [oneOf(inside.slice(-4))] };
    });
  /** Both results are made inside: handing on what was received itself would need a place to swap in. */
  const turn = (visible: readonly string[], depth: number): BodySketch => {
    const received = [fresh(), fresh()];
    const inside = [...visible, ...received];
    const nodes = block(inside, 2 + random(4), depth - 1);
    const made = inside.slice(visible.length + received.length);
    return { name: 'body', inputs: received, nodes, outputs: [oneOf(made), oneOf(made)] };
  };

  const visible = [...inputs];
  const nodes = block(visible, 4 + random(5), 2);
  return { inputs, outputs: [visible.at(-1)!], tensors, nodes };
}
