/** A model whose tensors live at random, so that the search for its smallest arena does not end soon. */
import { model, node, tensor } from './onnx.ts';
import { createRandom } from './random.ts';

/**
 * Tensor i is written by a Tile and read by a ReduceMax some steps later. Sizes are whole floats, so that with an odd
 * alignment the lower bound is out of reach.
 */
export function hardModel(tensors: number, seed = 1): Uint8Array {
  const random = createRandom(seed);
  const at: { readonly step: number; readonly make: ReturnType<typeof node> }[] = [];
  const initializers: Record<string, ReturnType<typeof tensor>> = { axis: tensor('int64', [1], [0]) };
  const scalars: string[] = [];
  for (let i = 0; i < tensors; i++) {
    const first = random(tensors);
    const end = first + 1 + random(tensors / 3);
    initializers[`n${i}`] = tensor('int64', [1], [1 + random(1000)]);
    at.push({ step: first, make: node('Tile', ['x', `n${i}`], [`t${i}`]) });
    at.push({ step: end, make: node('ReduceMax', [`t${i}`, 'axis'], [`s${i}`], { keepdims: 1 }) });
    scalars.push(`s${i}`);
  }
  at.sort((a, b) => a.step - b.step);
  return model({
    opset: 18,
    inputs: { x: ['float32', [1]] },
    outputs: { y: ['float32', [1]] },
    nodes: [...at.map(({ make }) => make), node('Sum', scalars, ['y'])],
    initializers,
  });
}
