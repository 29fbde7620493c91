/** Graphs with very long chains and very many neighbours: planned, with the arena that one can work out by hand. */
import { describe, expect, it } from 'vitest';
import { planModel } from '../src/pipeline.ts';
import { type ModelSpec, model, node, tensor, writeTemp } from './support/onnx.ts';
import { requestOf } from './support/planned.ts';

const COUNT = 3000;
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const X = { x: ['float32', [1, 16]] } as const;
const FLOATS = 64;

function arenaOf(spec: ModelSpec): number {
  return planModel(requestOf({ models: [writeTemp(model(spec))], target: 'cortex-a53' })).plan.totals
    .arenaBytes;
}

/** `op` after `op`, each of what the one before it made. */
const chain = (op: string, from = 'x', more: readonly string[] = []) =>
  upTo(COUNT).map((i) => node(op, [i === 0 ? from : `t${i - 1}`, ...more], [`t${i}`]));
const last = `t${COUNT - 1}`;

describe('a graph', () => {
  it.each([
    ['written in place from end to end', { inputs: X, outputs: [last], nodes: chain('Relu') }, FLOATS],
    ['of views of views', { inputs: X, outputs: [last], nodes: chain('Identity') }, FLOATS],
    [
      'of views in two shapes',
      {
        inputs: X,
        outputs: [last],
        initializers: { s: tensor('int64', [2], [16, 1]) },
        nodes: chain('Reshape', 'x', ['s']),
      },
      FLOATS,
    ],
    [
      'of views that are read one by one',
      {
        inputs: X,
        outputs: ['y'],
        nodes: [
          ...chain('Identity'),
          ...upTo(COUNT).map((i) => node('Relu', [`t${i}`], [`r${i}`])),
          node(
            'Sum',
            upTo(COUNT).map((i) => `r${i}`),
            ['y'],
          ),
        ],
      },
      FLOATS * COUNT,
    ],
    [
      'with one operator of many operands',
      {
        inputs: X,
        outputs: ['y'],
        nodes: [
          ...upTo(COUNT).map((i) => node('Exp', ['x'], [`t${i}`])),
          node(
            'Sum',
            upTo(COUNT).map((i) => `t${i}`),
            ['y'],
          ),
        ],
      },
      FLOATS * COUNT,
    ],
    [
      'with one operator that names one operand often',
      {
        inputs: X,
        outputs: ['y'],
        nodes: [
          node(
            'Concat',
            upTo(COUNT).map(() => 'x'),
            ['y'],
            { axis: 1 },
          ),
        ],
      },
      FLOATS * (COUNT + 1),
    ],
    [
      'whose Concat finds its parts in place',
      {
        inputs: X,
        outputs: ['y'],
        nodes: [
          ...upTo(COUNT).map((i) => node('Exp', ['x'], [`t${i}`])),
          node(
            'Concat',
            upTo(COUNT).map((i) => `t${i}`),
            ['y'],
            { axis: 1 },
          ),
        ],
      },
      FLOATS * COUNT,
    ],
    [
      'with very many outputs',
      {
        inputs: X,
        outputs: upTo(COUNT).map((i) => `t${i}`),
        nodes: upTo(COUNT).map((i) => node('Exp', ['x'], [`t${i}`])),
      },
      FLOATS * COUNT,
    ],
  ] satisfies readonly [string, ModelSpec, number][])('%s', (_, spec, bytes) => {
    expect(arenaOf(spec)).toBe(bytes);
  });

  it('of parts in parts in parts, each of which is read', () => {
    const spec: ModelSpec = {
      inputs: X,
      outputs: ['y'],
      nodes: [
        ...upTo(COUNT).map((i) => node('Concat', [i === 0 ? 'x' : `t${i - 1}`, 'x'], [`t${i}`], { axis: 1 })),
        node('ReduceSum', [last], ['y']),
      ],
    };
    // The last one, and at most the one before it and x beside it.
    expect(arenaOf(spec)).toBeGreaterThanOrEqual(FLOATS * (COUNT + 1));
    expect(arenaOf(spec)).toBeLessThanOrEqual(FLOATS * (2 * COUNT + 3));
  });
});
