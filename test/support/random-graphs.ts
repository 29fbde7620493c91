/** Random graphs for tests of sharing. */
import type { GraphSketch } from './graphs.ts';
import { createRandom } from './random.ts';

/** Small graphs of views, in-place writers and others; every tensor is an output now and then. */
export function randomGraph(seed: number, most = 8): GraphSketch {
  const random = createRandom(seed);
  const tensors: Record<string, readonly number[]> = { t0: [16], t1: [16] };
  const nodes: string[] = [];
  const outputs: string[] = [];
  const names = ['t0', 't1'];
  const pick = (): string => names[Math.max(0, names.length - 1 - random(4))]!;
  const count = 4 + random(most - 4);
  for (let i = 0; i < count; i++) {
    const output = `t${i + 2}`;
    const [a, b] = [pick(), pick()];
    const same = tensors[a]!;
    const kind = random(4);
    if (kind === 0) nodes.push(`Identity ${a} -> ${output}`);
    else if (kind === 1) nodes.push(`Relu ${a} -> ${output}`);
    else if (kind === 2) nodes.push(`Add ${a} ${tensors[b]![0] === same[0] ? b : a} -> ${output}`);
    else nodes.push(`Conv ${a} ${b} -> ${output}`);
    tensors[output] = kind === 3 && random(2) === 0 ? [8] : same;
    names.push(output);
    if (random(6) === 0) outputs.push(output);
  }
  outputs.push(names.at(-1)!);
  return { inputs: ['t0', 't1'], outputs: [...new Set(outputs)], tensors, nodes };
}
