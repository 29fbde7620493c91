import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { buffersOf, groupsOf, NO_SHARING, type OptionSketch } from '../support/lifetimes.ts';

const S = [2, 8] as const;
const HALF = [1, 8] as const;
/** A weight. */
const W = { shape: S, weight: true } as const;

const graph = (
  tensors: GraphSketch['tensors'],
  nodes: GraphSketch['nodes'],
  outputs: readonly string[] = ['y'],
): GraphSketch => ({ inputs: ['x'], outputs, tensors: { x: S, ...tensors }, nodes });

interface Row {
  readonly name: string;
  readonly graph: GraphSketch;
  readonly options?: OptionSketch;
  /** One text per buffer. */
  readonly groups: readonly string[];
}

const CHAIN = graph({ a: S, b: S, y: S, w: W }, ['Conv x w -> a', 'Relu a -> b', 'Conv b w -> y']);
const OVER_INPUT = graph({ a: S, y: S }, ['Relu x -> a', 'Relu a -> y']);
const VIEWS = graph({ a: S, r: [16], s: [16], y: [16], w: W }, [
  'Conv x w -> a',
  'Flatten a -> r',
  'Reshape r w -> s',
  'Relu s -> y',
]);

/** Conditions of in-place writes and views: what shares, and what must not. */
const ROWS: readonly Row[] = [
  { name: 'an element-wise operator writes over its dying operand', graph: CHAIN, groups: ['x', 'a b', 'y'] },
  { name: '--no-in-place', graph: CHAIN, options: { inPlace: false }, groups: ['x', 'a', 'b', 'y'] },
  { name: 'an input may be overwritten after its last reader', graph: OVER_INPUT, groups: ['x a y'] },
  {
    name: '--no-in-place-inputs',
    graph: OVER_INPUT,
    options: { inPlaceInputs: false },
    groups: ['x', 'a y'],
  },
  { name: '--preserve-inputs', graph: OVER_INPUT, options: { preserveInputs: true }, groups: ['x', 'a y'] },
  {
    name: '--async-io: nothing shares with inputs or outputs',
    graph: OVER_INPUT,
    options: { asyncIo: true },
    groups: ['x', 'a', 'y'],
  },
  { name: '--keep', graph: OVER_INPUT, options: { keep: ['a'] }, groups: ['x a', 'y'] },
  {
    name: 'not over an operand that is read later',
    graph: graph({ a: S, y: S }, ['Relu x -> a', 'Add a x -> y']),
    groups: ['x', 'a y'],
  },
  {
    name: 'not over the same tensor read twice',
    graph: graph({ y: S }, ['Mul x x -> y']),
    groups: ['x', 'y'],
  },
  {
    name: 'not over a broadcast operand',
    graph: graph({ a: HALF, y: S, v: { shape: S, weight: true } }, ['Conv x v -> a', 'Add a v -> y']),
    groups: ['x', 'a', 'y'],
  },
  {
    name: 'not over an operand of other element width',
    graph: graph({ y: { type: 'bool', shape: S } }, ['Equal x w -> y'], ['y']),
    groups: ['x', 'y'],
  },
  { name: 'not over a weight', graph: graph({ y: S, w: W }, ['Add w x -> y']), groups: ['x y'] },
  {
    name: 'not over a graph output, even in the last step',
    graph: graph({ a: S, y: S, w: W }, ['Conv x w -> a', 'Relu a -> y'], ['a', 'y']),
    groups: ['x', 'a', 'y'],
  },
  { name: 'a chain of views shares one buffer', graph: VIEWS, groups: ['x', 'a r s y'] },
  { name: '--no-views', graph: VIEWS, options: { views: false }, groups: ['x', 'a', 'r', 's y'] },
  {
    name: 'neither views nor in-place',
    graph: VIEWS,
    options: NO_SHARING,
    groups: ['x', 'a', 'r', 's', 'y'],
  },
  {
    name: 'a view may have many readers, also of its source',
    graph: graph({ r: [16], a: S, b: [16], y: [16], w: W }, [
      'Reshape x w -> r',
      'Conv x w -> a',
      'Conv r w -> b',
      'Conv a b -> y',
    ]),
    groups: ['x r', 'a', 'b', 'y'],
  },
  {
    name: 'an output may be a view of an input',
    graph: graph({ y: [16], w: W }, ['Reshape x w -> y']),
    options: { inPlaceInputs: false },
    groups: ['x y'],
  },
  {
    name: 'no write into the bytes of an input through a view, if inputs are left alone',
    graph: graph({ r: [16], y: [16], w: W }, ['Reshape x w -> r', 'Relu r -> y']),
    options: { inPlaceInputs: false },
    groups: ['x r', 'y'],
  },
  {
    name: 'no write while a view of the operand is read later',
    graph: graph({ a: S, r: [16], b: S, y: [16], w: W }, [
      'Conv x w -> a',
      'Reshape a w -> r',
      'Relu a -> b',
      'Conv b r -> y',
    ]),
    // Either r or b shares with a: a tie, and the first that can be had is taken.
    groups: ['x', 'a r', 'b', 'y'],
  },
  {
    name: 'no write over an operand whose view the step reads too',
    graph: graph({ a: S, r: S, y: S, w: W }, ['Conv x w -> a', 'Identity a -> r', 'Sub a r -> y']),
    groups: ['x', 'a r', 'y'],
  },
];

describe('sharing', () => {
  it.each(ROWS)('$name', ({ graph, options, groups }) => {
    const weights = { w: W, ...graph.tensors };
    expect(groupsOf({ ...graph, tensors: weights }, options)).toEqual(groups);
  });

  it("leaves the caller's memory alone and shows inputs there", () => {
    const sketch = graph({ r: [16], a: [16], y: [16], w: W }, [
      'Reshape x w -> r',
      'Relu r -> a',
      'Reshape a w -> y',
    ]);
    const names = Object.keys(sketch.tensors);
    const { buffers, external } = buffersOf(sketch, { io: 'external' });
    expect(buffers.map(({ members }) => members.map(({ tensor }) => names[tensor]))).toEqual([['a']]);
    expect(
      external.map(({ tensor, how, aliasOf }) => [
        names[tensor],
        how,
        aliasOf === undefined ? undefined : names[aliasOf],
      ]),
    ).toEqual([
      ['x', 'external', undefined],
      ['r', 'external', 'x'],
      ['y', 'external', undefined],
    ]);
  });
});

describe('sharing inside control flow', () => {
  const inLoop = (nodes: readonly string[], outputs: readonly string[]): GraphSketch => ({
    inputs: ['x', 'outer'],
    outputs: ['y'],
    tensors: { x: S, outer: S, k: [1], go: [1], i: S, p: S, o: S, y: S, w: W },
    nodes: [
      {
        run: 'Loop _ _ x -> y',
        name: 'loop',
        bodies: [{ name: 'body', inputs: ['k', 'go', 'i'], outputs: ['go', ...outputs], nodes }],
      },
    ],
  });

  it('never writes over an outer value, which the next turn reads again', () => {
    expect(groupsOf(inLoop(['Conv i w -> p', 'Add outer p -> o'], ['o']))).toContain('outer');
  });

  it('never writes over what the body received', () => {
    expect(groupsOf(inLoop(['Relu i -> o'], ['o']))).toEqual(expect.arrayContaining(['i', 'o']));
  });

  it('does not hand on what was received under another name', () => {
    expect(groupsOf(inLoop(['Identity i -> o'], ['o']))).toEqual(expect.arrayContaining(['i', 'o']));
  });

  it('shares freely among values of one turn', () => {
    expect(groupsOf(inLoop(['Conv i w -> p', 'Relu p -> o'], ['o']))).toContain('p o');
  });

  it('does not write over the result of a branch', () => {
    const sketch: GraphSketch = {
      inputs: ['c', 'x'],
      outputs: ['y'],
      tensors: { c: [1], x: S, t: S, u: S, e: S, y: S, w: W },
      nodes: [
        {
          run: 'If c -> y',
          name: 'if',
          bodies: [
            { name: 'then_branch', outputs: ['t'], nodes: ['Conv x w -> t', 'Relu t -> u'] },
            { name: 'else_branch', outputs: ['e'], nodes: ['Conv x w -> e'] },
          ],
        },
      ],
    };
    expect(groupsOf(sketch)).toEqual(expect.arrayContaining(['t', 'u', 'e']));
  });
});

describe('buffers', () => {
  it('round sizes up, never adding to what is already round', () => {
    const sketch = graph({ a: [3], y: S, w: W }, ['Conv x w -> a', 'Conv a w -> y']);
    const sizes = (sizeRound: number) => buffersOf(sketch, { sizeRound }).buffers.map(({ bytes }) => bytes);
    expect(sizes(1)).toEqual([64, 12, 64]);
    expect(sizes(64)).toEqual([64, 64, 64]);
    expect(sizes(48)).toEqual([96, 48, 96]);
  });

  it('leave a tensor of no elements at no bytes, whatever the rounding', () => {
    const sketch = graph({ a: [0, 4], y: S, w: W }, ['Conv x w -> a', 'Conv a w -> y']);
    expect(buffersOf(sketch, { sizeRound: 32 }).buffers[1]).toMatchObject({ bytes: 0 });
  });

  it.each([
    { align: 4, exactly: false, type: 'int64', expected: 8 },
    { align: 16, exactly: false, type: 'float32', expected: 16 },
    { align: 12, exactly: false, type: 'float64', expected: 24 },
    { align: 2, exactly: true, type: 'float64', expected: 2 },
    { align: 1, exactly: false, type: 'int4', expected: 1 },
  ] as const)(
    'align $type at $align (exactly: $exactly) to $expected',
    ({ align, exactly, type, expected }) => {
      const sketch: GraphSketch = {
        inputs: ['x'],
        outputs: ['x'],
        tensors: { x: { type, shape: [3] } },
        nodes: [],
      };
      expect(buffersOf(sketch, { align, alignExactly: exactly }).buffers[0]?.alignment).toBe(expected);
    },
  );

  it('are called after the most important tensor in them', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: S, a: S, b: S, y: S, w: W },
      nodes: ['Relu x -> a', 'Conv a w -> b', 'Relu b -> y'],
    };
    expect(buffersOf(sketch).buffers.map(({ kind }) => kind)).toEqual(['input', 'output']);
    expect(buffersOf(sketch, NO_SHARING).buffers.map(({ kind }) => kind)).toEqual([
      'input',
      'activation',
      'activation',
      'output',
    ]);
  });

  it('name every tensor without a size at once', () => {
    const sketch = graph({ a: { type: 'string', shape: [2] }, y: [2 ** 30, 2 ** 30], w: W }, [
      'Conv x w -> a',
      'Conv a w -> y',
    ]);
    try {
      buffersOf(sketch);
      expect.unreachable();
    } catch (error) {
      const faults = (error as MemplanError).diagnostics;
      expect(error).toBeInstanceOf(MemplanError);
      expect(faults.map(({ code, tensor }) => [code, tensor])).toEqual([
        ['E_TYPE', 'a'],
        ['E_TOO_LARGE', 'y'],
      ]);
    }
  });
});
