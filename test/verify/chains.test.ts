/** Tensors that share bytes, followed to their ends. */
import { describe, expect, it } from 'vitest';
import type { PlanTensor } from '../../src/plan/types.ts';
import { chainsOf } from '../../src/verify/chains.ts';
import { planOf, type TensorSketch } from '../support/plans.ts';

/** Tensors in a row, each sharing bytes with the one that `aliasOf` names; the number is the step that writes it. */
function chains(sketches: readonly (readonly [TensorSketch, number?])[]) {
  const plan = planOf({
    file: 'm.onnx',
    tensors: sketches.map(([sketch]) => sketch),
    steps: [],
  });
  const byName = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]));
  const writers = new Map(sketches.map(([{ name }, step]) => [name, step]));
  let asked = 0;
  const found = chainsOf({
    tensors: plan.tensors,
    source: ({ aliasOf }) => {
      asked++;
      return aliasOf === null ? undefined : byName.get(aliasOf);
    },
    writer: ({ name }) => writers.get(name),
  });
  return { ...found, plan, of: (name: string): PlanTensor => byName.get(name)!, asked: () => asked };
}

const sketch = (name: string, how: PlanTensor['how'] = 'own', aliasOf?: string): TensorSketch => ({
  ...{ name, shape: [4], type: 'int8' as const, live: [0, 1], offset: 0, how },
  ...(aliasOf !== undefined && { aliasOf }),
});

describe('chainsOf', () => {
  const { isPart, isShown, hasParts, owner, isWithin, of } = chains([
    [sketch('a'), 0],
    [sketch('view', 'view', 'a'), 1],
    [sketch('over', 'in-place', 'view'), 2],
    [sketch('cut', 'elided', 'over'), 3],
    [sketch('part', 'elided', 'whole'), 4],
    [sketch('shown', 'view', 'part'), 5],
    [sketch('whole', 'elided', 'outer'), 6],
    [sketch('outer'), 7],
    [sketch('other', 'elided', 'second'), 8],
    [sketch('second'), 9],
    [sketch('row'), 10],
    [sketch('beside', 'elided', 'row'), 10],
    [sketch('start'), 0],
    [sketch('given', 'elided', 'start')],
  ]);

  it('tells what is shown from what a Concat will find', () => {
    const all = ['a', 'view', 'over', 'cut', 'part', 'shown', 'whole', 'outer', 'other', 'second'];
    expect(all.filter((name) => isShown(of(name)))).toEqual(['view', 'cut', 'shown']);
    expect(all.filter((name) => isPart(of(name)))).toEqual(['part', 'whole', 'other']);
    expect(all.filter((name) => hasParts(of(name)))).toEqual(['whole', 'outer', 'second']);
    // What one step writes is no part of what it writes beside it; what nothing writes is there before all steps.
    expect([isPart(of('beside')), isShown(of('beside')), isPart(of('given'))]).toEqual([false, true, true]);
  });

  it('follows what is shown to the tensor that was written', () => {
    const owners = ['a', 'view', 'over', 'cut', 'part', 'shown'].map((name) => owner(of(name)).name);
    expect(owners).toEqual(['a', 'a', 'over', 'over', 'part', 'part']);
  });

  it('finds no parts where there are none', () => {
    const alone = chains([[sketch('a'), 0]]);
    expect([alone.hasParts(alone.of('a')), alone.isWithin(alone.of('a'), alone.of('a'))]).toEqual([
      false,
      false,
    ]);
  });

  it('follows parts through the wholes that are parts themselves', () => {
    const wholes = ['whole', 'outer', 'second'];
    const within = (name: string) => wholes.filter((whole) => isWithin(of(name), of(whole)));
    expect(within('other')).toEqual(['second']);
    expect(within('shown')).toEqual(['whole', 'outer']);
    expect(within('part')).toEqual(['whole', 'outer']);
    expect(within('whole')).toEqual(['outer']);
    expect(within('cut')).toEqual([]);
  });

  it.each(['view', 'in-place', 'elided'] as const)('follows a long chain once: %s', (how) => {
    const count = 2000;
    const names = Array.from({ length: count }, (_, i) => `t${i}`);
    const row = names.map((name, i) => (i === 0 ? sketch(name) : sketch(name, how, names[i - 1]!)));
    const long = chains(row.map((one, i) => [one, i] as const));
    // The longest first: none is known before.
    for (const tensor of [...long.plan.tensors].reverse()) {
      expect(long.owner(tensor).name).toBe(how === 'in-place' ? tensor.name : 't0');
      expect(long.isWithin(tensor, long.of('t0'))).toBe(false);
    }
    expect(long.asked()).toBeLessThan(12 * count);
  });

  it('follows parts of parts once, however deep they lie', () => {
    const count = 2000;
    const names = Array.from({ length: count }, (_, i) => `t${i}`);
    const row = names.map((name, i) =>
      i === count - 1 ? sketch(name) : sketch(name, 'elided', names[i + 1]!),
    );
    const deep = chains(row.map((one, i) => [one, i] as const));
    const [inmost, outmost] = [deep.of('t0'), deep.of(`t${count - 1}`)];
    for (const tensor of deep.plan.tensors) {
      expect(deep.isWithin(inmost, tensor)).toBe(tensor !== inmost);
      expect(deep.isWithin(tensor, outmost)).toBe(tensor !== outmost);
    }
    expect(deep.asked()).toBeLessThan(40 * count);
  });
});
