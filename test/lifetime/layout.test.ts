/** Which tensors show the same bytes in both layouts: rules, and every element looked up one by one. */
import { describe, expect, it } from 'vitest';
import { staysInLayout } from '../../src/lifetime/layout.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { planSketch } from '../support/planned.ts';
import { createRandom } from '../support/random.ts';

/** Elements of a tensor in the order of memory, channels last, as their positions channels first. */
function inMemory(shape: readonly number[]): readonly number[] {
  const order =
    shape.length < 3 ? shape.map((_, axis) => axis) : [0, ...shape.keys()].filter((a, i) => i === 0 || a > 1);
  const axes = shape.length < 3 ? order : [...order, 1];
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  return axes.reduce<readonly number[]>(
    (found, axis) =>
      found.flatMap((at) => Array.from({ length: shape[axis]! }, (_, i) => at + i * strides[axis]!)),
    [0],
  );
}

/** The same for a transposed tensor: positions in its source. */
function transposedInMemory(source: readonly number[], permutation: readonly number[]): readonly number[] {
  const strides = source.map((_, axis) => source.slice(axis + 1).reduce((a, b) => a * b, 1));
  const shape = permutation.map((axis) => source[axis]!);
  const own = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  return inMemory(shape).map((at) =>
    permutation.reduce((sum, axis, i) => sum + (Math.floor(at / own[i]!) % shape[i]!) * strides[axis]!, 0),
  );
}

describe('views with channels last', () => {
  it.each<[readonly number[], readonly number[], boolean]>([
    [[1, 8, 4, 4], [1, 128], false],
    [[1, 8, 1, 1], [1, 8], true],
    [[1, 1, 4, 4], [1, 16], true],
    [[1, 8, 4, 4], [1, 8, 4, 4], true],
    [[1, 8, 1, 4], [1, 8, 4], true],
    [[1, 8, 4, 1], [1, 8, 4], true],
    [[1, 8, 4, 4], [8, 4, 4], false],
    [[2, 3, 4], [6, 4], false],
    [[2, 3], [6], true],
    [[1, 1, 1, 5], [5], true],
    [[1, 4, 1, 5], [4, 5], false],
    [[2, 1, 4, 5], [2, 20], true],
    [[], [1, 1, 1, 1], true],
  ])('[%s] as [%s]: %s', (source, output, stays) => {
    expect(staysInLayout(source, output)).toBe(stays);
  });

  it('never claims that bytes stay where an element moves (2000 random shapes)', () => {
    let shown = 0;
    for (let seed = 1; seed <= 2000; seed++) {
      const random = createRandom(seed);
      const source = Array.from({ length: random(6) }, () => 1 + random(3));
      const output = regrouped(source, random);
      const same = String(inMemory(source)) === String(inMemory(output));
      const claimed = staysInLayout(source, output);
      if (claimed) expect(same, `seed ${seed}: [${source}] as [${output}]`).toBe(true);
      if (claimed) shown++;
    }
    expect(shown).toBeGreaterThan(300);
  });

  it('tells of every permutation whether it moves anything (1000 random ones)', () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const random = createRandom(seed);
      const source = Array.from({ length: 1 + random(4) }, () => 1 + random(3));
      const permutation = source
        .map((_, axis) => [random(1000), axis] as const)
        .sort((a, b) => a[0] - b[0])
        .map(([, axis]) => axis);
      const output = permutation.map((axis) => source[axis]!);
      const stays = String(inMemory(source)) === String(transposedInMemory(source, permutation));
      expect(staysInLayout(source, output, permutation), `seed ${seed}: [${source}] by ${permutation}`).toBe(
        stays,
      );
    }
  });
});

/** The same number of elements in other dimensions: some joined, some split, ones added. */
function regrouped(shape: readonly number[], random: (below: number) => number): readonly number[] {
  const output: number[] = [];
  for (const size of shape) {
    const last = output.length - 1;
    if (last >= 0 && random(3) === 0) output[last]! *= size;
    else output.push(size);
    if (random(4) === 0) output.push(1);
  }
  return output;
}

describe('plans with channels last', () => {
  const sketch = (pixels: number) => ({
    inputs: ['x'],
    outputs: ['y'],
    tensors: {
      x: [1, 4, pixels, pixels],
      w: { shape: [4, 4, 1, 1], weight: true } as const,
      a: [1, 4, pixels, pixels],
      f: [1, 4 * pixels * pixels],
      y: [1, 4 * pixels * pixels],
    },
    nodes: ['Conv x w -> a', 'Flatten a -> f', 'Relu f -> y'],
  });
  const howOf = (pixels: number, layout: 'nchw' | 'nhwc') => {
    const plan = planSketch(sketch(pixels), { layout });
    expect(verifyPlan(plan)).toEqual([]);
    return plan.tensors.find(({ name }) => name === 'f')!.how;
  };

  it('copy what a Flatten would have to move', () => {
    expect(howOf(3, 'nchw')).toBe('view');
    expect(howOf(3, 'nhwc')).toBe('own');
    expect(howOf(1, 'nhwc')).toBe('view');
  });
});
