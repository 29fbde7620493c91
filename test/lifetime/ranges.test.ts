import { describe, expect, it } from 'vitest';
import type { GraphSketch } from '../support/graphs.ts';
import { type OptionSketch, rangesOf, stepsOf } from '../support/lifetimes.ts';

const S = [4] as const;

/** x and late come in; a is read twice, dead by nobody; y and a leave. */
const PLAIN: GraphSketch = {
  inputs: ['x', 'late', 'unread'],
  outputs: ['y'],
  tensors: { x: S, late: S, unread: S, w: { shape: S, weight: true }, a: S, dead: S, b: S, y: S },
  nodes: ['Conv x w -> a', 'Split a -> b dead', 'Add b a -> y', 'Sub late y -> _'],
};

const CHAIN: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: S, a: S, b: S, y: S },
  nodes: ['Relu x -> a', 'Relu a -> b', 'Relu b -> y'],
};

const BRANCH: GraphSketch = {
  inputs: ['c', 'x'],
  outputs: ['z'],
  tensors: { c: [1], x: S, o: S, t1: S, t: S, e: S, y: S, z: S },
  nodes: [
    'Relu x -> o',
    {
      run: 'If c -> y',
      name: 'if',
      bodies: [
        { name: 'then_branch', outputs: ['t'], nodes: ['Relu o -> t1', 'Relu t1 -> t'] },
        { name: 'else_branch', outputs: ['e'], nodes: ['Neg x -> e'] },
      ],
    },
    'Relu y -> z',
  ],
};

/** The body reads `outer` early, carries i to o, and hands `outer` out unchanged as well. */
const LOOP: GraphSketch = {
  inputs: ['n', 'x', 'outer'],
  outputs: ['y'],
  tensors: { n: [1], x: S, outer: S, k: [1], go: [1], i: S, p: S, o: S, y: S, same: S, z: S },
  nodes: [
    {
      run: 'Loop n _ x -> z same',
      name: 'loop',
      bodies: [
        {
          name: 'body',
          inputs: ['k', 'go', 'i'],
          outputs: ['go', 'o', 'outer'],
          nodes: ['Add i outer -> p', 'Relu p -> o', 'Neg o -> _'],
        },
      ],
    },
    'Add z same -> y',
  ],
};

const NOTHING: GraphSketch = { inputs: ['x'], outputs: ['x'], tensors: { x: S }, nodes: [] };

const INPUT_IS_OUTPUT: GraphSketch = {
  inputs: ['x'],
  outputs: ['y', 'x'],
  tensors: { x: S, y: S, z: S },
  nodes: ['Relu x -> y', 'Relu y -> z'],
};

const CONSTANT_OUTPUT: GraphSketch = {
  inputs: ['x'],
  outputs: ['y', 'f', 'w'],
  tensors: { x: S, w: { shape: S, weight: true }, f: S, y: S },
  nodes: [{ run: 'Relu w -> f', folded: true }, 'Add x f -> y'],
};

interface Row {
  readonly name: string;
  readonly graph: GraphSketch;
  readonly options?: OptionSketch;
  readonly expected: Readonly<Record<string, readonly [number, number]>>;
}

/** Worked out by hand from the conversion rule: [f, l] with n steps is [max(f,0), max(first+1, min(l+1, n))). */
const ROWS: readonly Row[] = [
  {
    name: 'inputs from 0 to their last reader, outputs to the end, unread outputs during their step',
    graph: PLAIN,
    expected: { x: [0, 1], late: [0, 4], unread: [0, 1], a: [0, 3], dead: [1, 2], b: [1, 3], y: [2, 4] },
  },
  {
    name: '--preserve-inputs',
    graph: PLAIN,
    options: { preserveInputs: true },
    expected: { x: [0, 4], late: [0, 4], unread: [0, 4], a: [0, 3], dead: [1, 2], b: [1, 3], y: [2, 4] },
  },
  {
    name: '--keep',
    graph: PLAIN,
    options: { keep: ['dead', 'x', 'w'] },
    expected: { x: [0, 4], late: [0, 4], unread: [0, 1], a: [0, 3], dead: [1, 4], b: [1, 3], y: [2, 4] },
  },
  {
    name: '--async-io: inputs and outputs at every step',
    graph: CHAIN,
    options: { asyncIo: true },
    expected: { x: [0, 3], a: [0, 2], b: [1, 3], y: [0, 3] },
  },
  {
    name: 'what a branch reads from outside lives through both branches, its result to its own end',
    graph: BRANCH,
    // steps: 0 Relu, 1 If, 2 and 3 then, 4 else, 5 Relu
    expected: { c: [0, 5], x: [0, 5], o: [0, 5], t1: [2, 4], t: [3, 4], e: [4, 5], y: [1, 6], z: [5, 6] },
  },
  {
    name: 'a loop keeps what it reads, what it carries and what it hands on through its body',
    graph: LOOP,
    // steps: 0 Loop, 1 to 3 body, 4 Add
    expected: {
      ...{ n: [0, 4], x: [0, 4], outer: [0, 4], k: [0, 4], go: [0, 4], i: [0, 4] },
      ...{ p: [1, 3], o: [1, 4], z: [0, 5], same: [0, 5], y: [4, 5] },
    },
  },
  { name: 'a graph without nodes has one moment', graph: NOTHING, expected: { x: [0, 1] } },
  {
    name: 'an input that is an output lives to the end',
    graph: INPUT_IS_OUTPUT,
    expected: { x: [0, 2], y: [0, 2], z: [1, 2] },
  },
  {
    name: 'constants have no range, even as outputs',
    graph: CONSTANT_OUTPUT,
    expected: { x: [0, 1], y: [0, 1] },
  },
];

describe('live ranges', () => {
  it.each(ROWS)('$name', ({ graph, options, expected }) => {
    expect(rangesOf(graph, options)).toEqual(expected);
  });
});

describe('steps', () => {
  it('leave out folded nodes and constants', () => {
    expect(stepsOf(CONSTANT_OUTPUT)).toEqual(['0: Add x -> y']);
  });

  it('name each tensor once', () => {
    const graph: GraphSketch = { ...CHAIN, nodes: ['Mul x x -> a', 'Relu a -> b', 'Relu b -> y'] };
    expect(stepsOf(graph)[0]).toBe('0: Mul x -> a');
  });

  it('put the branches of an If after it, one after the other', () => {
    expect(stepsOf(BRANCH)).toEqual([
      '0: Relu x -> o',
      '1: If c -> y',
      '2: if/then_branch: Relu o -> t1',
      '3: if/then_branch: Relu t1 -> t',
      '4: if/else_branch: Neg x -> e',
      '5: Relu y -> z',
    ]);
  });

  it('let a loop write the inputs of its body and read what the body hands out from outside', () => {
    expect(stepsOf(LOOP).slice(0, 2)).toEqual([
      '0: Loop n x outer -> z same k go i',
      '1: loop/body: Add i outer -> p',
    ]);
  });
});
