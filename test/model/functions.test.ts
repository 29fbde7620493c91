/** Local functions: what a call becomes. */
import { describe, expect, test } from 'vitest';
import { type FunctionSpec, float, graph, type ModelSpec, node, ref, tensor } from '../support/onnx.ts';
import { faults, lines, read, tensorOf } from '../support/read.ts';

const local = { domain: 'local' };
const OPSET = { '': 17, local: 1 };

function calling(
  functions: readonly FunctionSpec[],
  nodes: ModelSpec['nodes'],
  more: Partial<ModelSpec> = {},
): ModelSpec {
  return {
    inputs: { x: ['float32', [1, 4]] },
    outputs: ['y'],
    opset: OPSET,
    functions,
    ...(nodes === undefined ? {} : { nodes }),
    ...more,
  };
}

const TWICE: FunctionSpec = {
  name: 'Twice',
  inputs: ['a'],
  outputs: ['b'],
  nodes: [node('Relu', ['a'], ['t'], {}, { name: 'first' }), node('Abs', ['t'], ['b'])],
};

test('two calls of one function have tensors and labels of their own', () => {
  const { graph } = read(
    calling(
      [TWICE],
      [node('Twice', ['x'], ['m'], {}, { ...local, name: 'one' }), node('Twice', ['m'], ['y'], {}, local)],
    ),
  );
  expect(lines(graph)).toEqual([
    'one/first: Relu(x) -> one/t',
    'one/Abs #1: Abs(one/t) -> m',
    'Twice #1/first: Relu(m) -> Twice #1/t',
    'Twice #1/Abs #1: Abs(Twice #1/t) -> y',
  ]);
  expect(tensorOf(graph, 'y').role).toBe('output');
});

test('functions call functions, in whatever order they are defined', () => {
  const outer: FunctionSpec = {
    name: 'Outer',
    inputs: ['p'],
    outputs: ['q'],
    nodes: [node('Twice', ['p'], ['r'], {}, local), node('Neg', ['r'], ['q'])],
  };
  const { graph } = read(calling([outer, TWICE], [node('Outer', ['x'], ['y'], {}, { ...local, name: 'o' })]));
  expect(lines(graph)).toEqual([
    'o/Twice #0/first: Relu(x) -> o/Twice #0/t',
    'o/Twice #0/Abs #1: Abs(o/Twice #0/t) -> o/r',
    'o/Neg #1: Neg(o/r) -> y',
  ]);
});

test('nodes of a function may stand out of order, and a call before what feeds it', () => {
  const mixed: FunctionSpec = {
    name: 'F',
    inputs: ['a'],
    outputs: ['b'],
    nodes: [node('Abs', ['t'], ['b']), node('Relu', ['a'], ['t'])],
  };
  const { graph, diagnostics } = read(
    calling([mixed], [node('F', ['m'], ['y'], {}, local), node('Neg', ['x'], ['m'])]),
  );
  expect(graph.nodes.map((n) => n.op)).toEqual(['Neg', 'Relu', 'Abs']);
  expect(diagnostics.map((d) => d.code)).toEqual(['N_SORTED']);
});

describe('attributes', () => {
  const leaky: FunctionSpec = {
    name: 'Leaky',
    inputs: ['a'],
    outputs: ['b'],
    attributes: ['slope', 'axis'],
    defaults: { k: 7, gain: float(0.5) },
    nodes: [
      node('LeakyRelu', ['a'], ['s'], { alpha: ref('slope', 1) }),
      node('TopK', ['s'], ['b'], { k: ref('k', 2), axis: ref('axis', 2), gain: ref('gain', 1), fixed: 3 }),
    ],
  };

  test('come from the call, else from the default, else are left out', () => {
    const { graph } = read(
      calling(
        [leaky],
        [
          node('Leaky', ['x'], ['m'], { slope: float(0.25), k: 2 }, local),
          node('Leaky', ['m'], ['y'], { axis: -1, gain: float(4) }, local),
        ],
      ),
    );
    const attributes = graph.nodes.map((n) =>
      Object.fromEntries([...n.attributes].map(([k, a]) => [k, a.value])),
    );
    expect(attributes).toEqual([
      { alpha: 0.25 },
      { k: 2, gain: 0.5, fixed: 3 },
      {},
      { k: 7, axis: -1, gain: 4, fixed: 3 },
    ]);
  });

  test('are handed on through nested calls, also as constants', () => {
    const inner: FunctionSpec = {
      name: 'Inner',
      inputs: ['a'],
      outputs: ['b'],
      attributes: ['to'],
      nodes: [
        node('Constant', [], ['shape'], { value_ints: ref('to', 7) }),
        node('Reshape', ['a', 'shape'], ['b']),
      ],
    };
    const outer: FunctionSpec = {
      name: 'Outer',
      inputs: ['a'],
      outputs: ['b'],
      attributes: ['target'],
      nodes: [node('Inner', ['a'], ['b'], { to: ref('target', 7) }, local)],
    };
    const { graph } = read(
      calling([inner, outer], [node('Outer', ['x'], ['y'], { target: [2, 2] }, { ...local, name: 'o' })]),
    );
    expect(lines(graph)).toEqual(['o/Inner #0/Reshape #1: Reshape(x, o/Inner #0/shape) -> y']);
    expect(tensorOf(graph, 'o/Inner #0/shape').constant!.value()).toEqual([2, 2]);
  });

  test('a graph handed in belongs to the scope of the caller', () => {
    const choose: FunctionSpec = {
      name: 'Choose',
      inputs: ['c', 'v'],
      outputs: ['b'],
      attributes: ['yes'],
      nodes: [
        node('If', ['c'], ['b'], {
          then_branch: ref('yes', 5),
          else_branch: graph({ outputs: ['o'], nodes: [node('Neg', ['v'], ['o'])] }),
        }),
      ],
    };
    const yes = graph({ outputs: ['o'], nodes: [node('Abs', ['x'], ['o'])] });
    const { graph: g } = read(
      calling([choose], [node('Choose', ['c', 'x'], ['y'], { yes }, { ...local, name: 'ch' })], {
        inputs: { c: ['bool', []], x: ['float32', [1]] },
      }),
    );
    expect(lines(g)).toEqual([
      'ch/If #0: If(c) -> y',
      '  ch/If #0/then_branch() -> ch/If #0/then_branch/o',
      '    ch/If #0/then_branch/Abs #0: Abs(x) -> ch/If #0/then_branch/o',
      '  ch/If #0/else_branch() -> ch/If #0/else_branch/o',
      '    ch/If #0/else_branch/Neg #0: Neg(x) -> ch/If #0/else_branch/o',
    ]);
  });
});

test('overloads are told apart by node and function', () => {
  const one: FunctionSpec = {
    name: 'F',
    overload: 'a',
    inputs: ['i'],
    outputs: ['o'],
    nodes: [node('Relu', ['i'], ['o'])],
  };
  const two: FunctionSpec = {
    name: 'F',
    overload: 'b',
    inputs: ['i'],
    outputs: ['o'],
    nodes: [node('Abs', ['i'], ['o'])],
  };
  const { graph } = read(
    calling(
      [one, two],
      [
        node('F', ['x'], ['m'], {}, { ...local, overload: 'b' }),
        node('F', ['m'], ['n'], {}, { ...local, overload: 'a' }),
        node('F', ['n'], ['y'], { size: 1 }, local),
      ],
    ),
  );
  expect(graph.nodes.map((n) => n.op)).toEqual(['Abs', 'Relu', 'F']);
  expect([...graph.nodes[2]!.attributes.keys()]).toEqual(['size']);
});

test('omitted arguments stay omitted inside; unused outputs become tensors of the function', () => {
  const f: FunctionSpec = {
    name: 'F',
    inputs: ['a', 'low', 'high'],
    outputs: ['b', 'c'],
    nodes: [node('Clip', ['a', 'low', 'high'], ['b']), node('Neg', ['b'], ['c'])],
  };
  const { graph } = read(
    calling([f], [node('F', ['x', '', 'top'], ['', 'y'], {}, { ...local, name: 'f' })], {
      initializers: { top: tensor('float32', [], [6]) },
    }),
  );
  expect(lines(graph)).toEqual(['f/Clip #0: Clip(x, -, top) -> f/b', 'f/Neg #1: Neg(f/b) -> y']);
  const short = read(calling([f], [node('F', ['x'], ['y'], {}, { ...local, name: 'f' })]));
  expect(lines(short.graph)).toEqual(['f/Clip #0: Clip(x, -, -) -> y', 'f/Neg #1: Neg(y) -> f/c']);
});

test('an output that is an input, or the same twice, is copied by an Identity', () => {
  const f: FunctionSpec = {
    name: 'F',
    inputs: ['a'],
    outputs: ['a', 'b', 'b'],
    nodes: [node('Relu', ['a'], ['b'])],
  };
  const { graph } = read(
    calling(
      [f],
      [node('F', ['x'], ['p', 'q', 'r'], {}, { ...local, name: 'f' }), node('Sum', ['p', 'q', 'r'], ['y'])],
    ),
  );
  expect(lines(graph)).toEqual([
    'f/Relu #0: Relu(x) -> q',
    'f/Identity of a: Identity(x) -> p',
    'f/Identity of b: Identity(q) -> r',
    'Sum #1: Sum(p, q, r) -> y',
  ]);
});

test('a constant may be an output of a function', () => {
  const f: FunctionSpec = {
    name: 'F',
    inputs: [],
    outputs: ['c'],
    nodes: [node('Constant', [], ['c'], { value_int: 5 })],
  };
  const { graph } = read(
    calling([f], [node('F', [], ['five'], {}, local), node('Add', ['x', 'five'], ['y'])]),
  );
  expect(lines(graph)).toEqual(['Add #1: Add(x, five) -> y']);
  expect(tensorOf(graph, 'five')).toMatchObject({ role: 'weight', constant: { type: 'int64', shape: [] } });
});

test('a function may follow another operator set than the model', () => {
  const f: FunctionSpec = {
    ...TWICE,
    opset: { '': 11, own: 2 },
    nodes: [...TWICE.nodes, node('Own', ['b'], ['z'], {}, { domain: 'own' })],
  };
  const { graph } = read(calling([f], [node('Twice', ['x'], ['m'], {}, local), node('Neg', ['m'], ['y'])]));
  expect(graph.nodes.map((n) => [n.op, n.opset])).toEqual([
    ['Relu', 11],
    ['Abs', 11],
    ['Own', 2],
    ['Neg', undefined],
  ]);
});

test('a local function goes before the operator of the same name', () => {
  const f: FunctionSpec = {
    name: 'Softsign',
    domain: '',
    inputs: ['a'],
    outputs: ['b'],
    nodes: [node('Tanh', ['a'], ['b'])],
  };
  expect(read(calling([f], [node('Softsign', ['x'], ['y'])])).graph.nodes.map((n) => n.op)).toEqual(['Tanh']);
});

describe('faults', () => {
  test('functions that call themselves, directly or not', () => {
    const self: FunctionSpec = {
      name: 'A',
      inputs: ['a'],
      outputs: ['b'],
      nodes: [node('A', ['a'], ['b'], {}, local)],
    };
    expect(faults(calling([self], [node('A', ['x'], ['y'], {}, local)]))).toEqual([
      ['E_CYCLE', 'The function local:A calls itself: local:A -> local:A.'],
    ]);
    const a: FunctionSpec = { ...self, nodes: [node('B', ['a'], ['b'], {}, local)] };
    const b: FunctionSpec = { ...self, name: 'B' };
    expect(faults(calling([a, b], [node('A', ['x'], ['y'], {}, local)]))).toEqual([
      ['E_CYCLE', 'The function local:A calls itself: local:A -> local:B -> local:A.'],
    ]);
  });

  test('a function sees only its inputs, and must make its outputs', () => {
    const f: FunctionSpec = {
      name: 'F',
      inputs: ['a'],
      outputs: ['b', 'c'],
      nodes: [node('Add', ['a', 'x'], ['b'])],
    };
    expect(faults(calling([f], [node('F', ['x'], ['y'], {}, { ...local, name: 'f' })]))).toEqual([
      ['E_DANGLING', 'The node f/Add #0 (Add) reads the tensor x, which nothing produces.'],
      ['E_DANGLING', 'The function local:F does not produce its output c.'],
    ]);
  });

  test('an input too many, and a function defined twice', () => {
    expect(
      faults(calling([TWICE, TWICE], [node('Twice', ['x', 'x'], ['y'], {}, { ...local, name: 't' })])),
    ).toEqual([
      ['E_DUPLICATE', 'The function local:Twice is defined twice.'],
      ['E_MODEL', 'The node t passes 2 inputs to the function local:Twice, which takes 1.'],
    ]);
  });

  test('functions that double at every level are stopped', () => {
    const level = (i: number): FunctionSpec => ({
      name: `f${i}`,
      inputs: ['a'],
      outputs: ['c'],
      // Long names reach the limit on names sooner than the limit on nodes.
      nodes: [
        node(`f${i + 1}`, ['a'], ['b'], {}, { ...local, name: 'n'.repeat(2000) }),
        node(`f${i + 1}`, ['b'], ['c'], {}, local),
      ],
    });
    const levels = Array.from({ length: 40 }, (_, i) => level(i));
    const spec = calling([...levels, { ...TWICE, name: 'f40' }], [node('f0', ['x'], ['y'], {}, local)]);
    expect(faults(spec).map(([code]) => code)).toEqual(['E_TOO_LARGE']);
  });

  test('calls nested too deep are stopped', () => {
    const chain = Array.from(
      { length: 150 },
      (_, i): FunctionSpec => ({
        name: `f${i}`,
        inputs: ['a'],
        outputs: ['b'],
        nodes: [i === 149 ? node('Relu', ['a'], ['b']) : node(`f${i + 1}`, ['a'], ['b'], {}, local)],
      }),
    );
    const [code, text] = faults(calling(chain, [node('f0', ['x'], ['y'], {}, local)]))[0]!;
    expect(code).toBe('E_MODEL');
    expect(text).toContain('calls functions more than 100 deep');
  });
});
