/** Sizes that cannot be counted, and formulas that grow without end: a diagnostic, at once. */
import { expect, it } from 'vitest';
import { infer } from '../support/infer.ts';
import { type ModelSpec, node, tensor } from '../support/onnx.ts';
import { faultsOf } from '../support/read.ts';

it('refuses a range of 2^62 elements, a constant though it is', () => {
  const spec: ModelSpec = {
    inputs: {},
    outputs: ['y'],
    initializers: {
      from: tensor('int64', [], [0]),
      to: tensor('int64', [], [2 ** 62]),
      step: tensor('int64', [], [1]),
    },
    nodes: [node('Range', ['from', 'to', 'step'], ['y'], {}, { name: 'endless' })],
  };
  expect(faultsOf(() => infer(spec))).toMatchObject([{ code: 'E_TOO_LARGE', node: 'endless' }]);
});

it('refuses a dimension beyond 2^53', () => {
  const tiles = (names: readonly string[]) =>
    names.slice(1).map((name, i) => node('Tile', [names[i]!, 'times'], [name], {}, { name }));
  const spec: ModelSpec = {
    inputs: { x: ['int8', [3]] },
    outputs: ['z'],
    initializers: { times: tensor('int64', [1], [2 ** 40]) },
    nodes: tiles(['x', 'y', 'z']),
  };
  expect(faultsOf(() => infer(spec))).toMatchObject([{ code: 'E_TOO_LARGE', node: 'z' }]);
});

/** (a0 + b0) * (a1 + b1) * ...: a sum of 2^factors products. */
function productOfSums(factors: number): ModelSpec {
  const each = <T>(make: (i: number) => T): T[] => Array.from({ length: factors }, (_, i) => make(i));
  return {
    inputs: Object.fromEntries(
      each((i) => [`a${i}`, `b${i}`]).flatMap((names) =>
        names.map((name) => [name, ['float32', [name.toUpperCase()]] as const]),
      ),
    ),
    outputs: [`p${factors - 1}`],
    initializers: { axis: tensor('int64', [1], [1]), open: tensor('int64', [1], [-1]) },
    nodes: each((i) => [
      node('Concat', [`a${i}`, `b${i}`], [i === 0 ? 'p0' : `s${i}`], { axis: 0 }),
      ...(i === 0
        ? []
        : [
            node('Unsqueeze', [`p${i - 1}`, 'axis'], [`u${i}`]),
            node('Mul', [`u${i}`, `s${i}`], [`q${i}`]),
            node('Reshape', [`q${i}`, 'open'], [`p${i}`]),
          ]),
    ]).flat(),
  };
}

it('ends where sums multiply each other', () => {
  const [first] = faultsOf(() => infer(productOfSums(60)));
  expect(first).toMatchObject({ code: 'E_TOO_LARGE' });
  expect(first!.text).toContain('Reshape');
  expect(first!.hint).toContain('--dim');
  expect(infer(productOfSums(8)).diagnostics).toEqual([]);
});

it('ends where a term stands twice in the next one', () => {
  // max(n, n / 2), and so on: the text doubles with every node.
  const depth = 60;
  const nodes = Array.from({ length: depth }, (_, i) => [
    node('Div', [`n${i}`, 'two'], [`h${i}`]),
    node('Mul', [`n${i}`, `h${i}`], [`m${i}`]),
    node('Max', [`h${i}`, `m${i}`], [`n${i + 1}`]),
  ]).flat();
  const spec: ModelSpec = {
    inputs: { x: ['float32', ['N']] },
    outputs: ['y'],
    initializers: { two: tensor('int64', [1], [2]) },
    nodes: [node('Shape', ['x'], ['n0']), ...nodes, node('ConstantOfShape', [`n${depth}`], ['y'])],
  };
  const faults = faultsOf(() => infer(spec));
  expect(faults[0]).toMatchObject({ code: 'E_TOO_LARGE' });
});

it('does not list a fault for each of a hundred thousand nodes', () => {
  const count = 3000;
  const spec: ModelSpec = {
    inputs: { x: ['float32', [2]] },
    outputs: ['y0'],
    nodes: Array.from({ length: count }, (_, i) => node('Relu', [], [`y${i}`])),
  };
  const faults = faultsOf(() => infer(spec));
  expect(faults).toHaveLength(1001);
  expect(faults[0]!.text).toBe('Relu #0: it has 0 inputs, but Relu takes 1.');
  expect(faults.at(-1)).toMatchObject({
    code: 'E_SHAPE',
    text: 'There may be more: the nodes behind these were not looked at.',
  });
});

it('follows no endless sequence tensor by tensor', () => {
  const count = 6000;
  const spec: ModelSpec = {
    inputs: { x: ['float32', [1, 4]], wide: ['float32', [2 ** 40, 4]] },
    outputs: ['length', 'split'],
    nodes: [
      node('SequenceEmpty', [], ['s']),
      ...Array.from({ length: count }, (_, i) =>
        node('SequenceInsert', [i === 0 ? 's' : `s${i - 1}`, 'x'], [`s${i}`]),
      ),
      node('SequenceLength', [`s${count - 1}`], ['length']),
      node('SplitToSequence', ['wide'], ['slices'], { axis: 0 }),
      node('SequenceAt', ['slices', 'length'], ['split']),
    ],
  };
  const { graph } = infer(spec);
  const factOf = (name: string) => graph.facts[graph.tensors.findIndex((one) => one.name === name)];
  expect(factOf('s4000')?.elements).toHaveLength(4001);
  expect(factOf(`s${count - 1}`)).toMatchObject({ shape: [1, 4] });
  expect(factOf(`s${count - 1}`)?.elements).toBeUndefined();
  expect(factOf('split')).toMatchObject({ shape: [1, 4] });
});
