/** A plan of several models whose page is tested. */
import type { GraphSketch } from './graphs.ts';
import { planSeveral } from './several.ts';

/** Of two parts, with copies of weights too thin to be told apart. */
export const SEVERAL = planSeveral([chain(12, 'conv'), chain(20, 'block/conv')], {
  run: 'concurrent',
  weights: 'ram',
});

/** A network of so many steps, each with a weight; its tensors are called `NAME_1` and so on. */
function chain(steps: number, name: string): GraphSketch {
  const list = Array.from({ length: steps }, (_, i) => i);
  return {
    inputs: [`${name}_0`],
    outputs: [`${name}_${steps}`],
    tensors: {
      ...Object.fromEntries([...list, steps].map((i) => [`${name}_${i}`, [64 + (i % 3) * 32]])),
      ...Object.fromEntries(list.map((i) => [`${name}_w${i}`, { shape: [1 + (i % 4)], weight: true }])),
    },
    nodes: list.map((i) => `Other ${name}_${i} ${name}_w${i} -> ${name}_${i + 1}`),
  };
}
