/** Random graphs for tests of sharing. */
import type { GraphSketch, NodeSketch } from './graphs.ts';
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

/** Small graphs in which tensors are split and joined: parts of parts, parts that are read again, parts joined twice. */
export function randomJoins(seed: number, most = 10): GraphSketch {
  const random = createRandom(seed);
  const sizes = new Map<string, number>([
    ['t0', 4],
    ['t1', 8],
  ]);
  const nodes: (string | NodeSketch)[] = [];
  const outputs: string[] = [];
  const name = (size: number): string => {
    const made = `t${sizes.size}`;
    sizes.set(made, size);
    if (random(7) === 0) outputs.push(made);
    return made;
  };
  const pick = (): string => [...sizes.keys()][Math.max(0, sizes.size - 1 - random(5))]!;
  const count = 4 + random(most - 4);
  for (let i = 0; i < count; i++) {
    const a = pick();
    const size = sizes.get(a)!;
    const kind = random(8);
    if (kind < 3) {
      const parts = [a, pick(), ...(random(2) === 0 ? [pick()] : [])];
      const whole = parts.reduce((sum, part) => sum + sizes.get(part)!, 0);
      if (whole > 64) continue;
      nodes.push(`Concat ${parts.join(' ')} -> ${name(whole)}`);
    } else if (kind === 3 && size % 2 === 0) {
      nodes.push(`Split ${a} -> ${name(size / 2)} ${name(size / 2)}`);
    } else if (kind === 4) nodes.push(`Identity ${a} -> ${name(size)}`);
    else if (kind === 5) nodes.push(`Relu ${a} -> ${name(size)}`);
    else nodes.push(`Conv ${a} ${pick()} -> ${name(4 * (1 + random(3)))}`);
  }
  outputs.push([...sizes.keys()].at(-1)!);
  const tensors = Object.fromEntries([...sizes].map(([tensor, size]) => [tensor, [size]]));
  return { inputs: ['t0', 't1'], outputs: [...new Set(outputs)], tensors, nodes };
}
