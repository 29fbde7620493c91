/** Names, scopes and order: what every node reads and writes, and what is refused. */
import { describe, expect, test } from 'vitest';
import { graph, node, tensor } from '../support/onnx.ts';
import { faults, lines, namesOf, read, tensorOf } from '../support/read.ts';

const X = { x: ['float32', [1, 4]] } as const;

describe('roles and lists', () => {
  test('an initializer that is listed as an input is a weight, in every IR version', () => {
    for (const ir of [3, 4, 8]) {
      const { graph } = read({
        ir,
        inputs: { w: ['float32', [4]], x: ['float32', [1, 4]] },
        outputs: { y: ['float32', [1, 4]] },
        initializers: { w: tensor('float32', [4], [1, 2, 3, 4]) },
        nodes: [node('Add', ['x', 'w'], ['y'])],
      });
      expect(namesOf(graph, graph.inputs)).toEqual(['x']);
      expect(tensorOf(graph, 'w')).toMatchObject({
        role: 'weight',
        declared: { type: 'float32', shape: [4] },
      });
    }
  });

  test('an output may be an input, a weight, or named twice', () => {
    const { graph } = read({
      inputs: X,
      outputs: ['x', 'y', 'w', 'y'],
      initializers: { w: tensor('int8', [2], [1, 2]) },
      nodes: [node('Relu', ['x'], ['y'])],
    });
    expect(namesOf(graph, graph.outputs)).toEqual(['x', 'y', 'w', 'y']);
    expect(graph.tensors.map((t) => [t.name, t.role])).toEqual([
      ['w', 'weight'],
      ['x', 'input'],
      ['y', 'output'],
    ]);
  });

  test('omitted inputs and outputs keep their places', () => {
    const { graph } = read({
      inputs: X,
      outputs: ['y'],
      nodes: [node('LSTM', ['x', 'x', 'x', '', '', 'x'], ['', 'h', '']), node('Relu', ['h'], ['y'])],
    });
    expect(lines(graph)).toEqual(['LSTM #0: LSTM(x, x, x, -, -, x) -> -, h, -', 'Relu #1: Relu(h) -> y']);
  });

  test('domains: ai.onnx and the empty one are the same', () => {
    const { graph } = read({
      inputs: X,
      outputs: ['y'],
      opset: { 'ai.onnx': 12, 'ai.onnx.ml': 2 },
      nodes: [
        node('Relu', ['x'], ['a'], {}, { domain: 'ai.onnx' }),
        node('Scaler', ['a'], ['y'], {}, { domain: 'ai.onnx.ml' }),
      ],
    });
    expect(graph.opsets).toEqual(
      new Map([
        ['', 12],
        ['ai.onnx.ml', 2],
      ]),
    );
    expect(graph.nodes.map((n) => n.domain)).toEqual(['', 'ai.onnx.ml']);
  });
});

describe('labels', () => {
  test('a repeated or missing name is told apart by its place', () => {
    const { graph } = read({
      inputs: X,
      outputs: ['d'],
      nodes: [
        node('Relu', ['x'], ['a'], {}, { name: 'act' }),
        node('Relu', ['a'], ['b'], {}, { name: 'act' }),
        node('Relu', ['b'], ['c']),
        node('Relu', ['c'], ['d'], {}, { name: 'Relu #2' }),
      ],
    });
    expect(graph.nodes.map((n) => n.label)).toEqual(['act', 'act #1', 'Relu #2', 'Relu #2 #3']);
    expect(graph.nodes.map((n) => n.name)).toEqual(['act', 'act', '', 'Relu #2']);
    expect(graph.nodes.map((n) => n.index)).toEqual([0, 1, 2, 3]);
  });

  test('odd names survive as they are', () => {
    const odd = ['日本', '*/ #if', 'a\nb', ' ', '../x', '__proto__', 'constructor'];
    const { graph } = read({
      inputs: X,
      outputs: [odd.at(-1)!],
      nodes: odd.map((name, i) => node('Relu', [odd[i - 1] ?? 'x'], [name], {}, { name })),
    });
    expect(graph.nodes.map((n) => n.label)).toEqual(odd);
    expect(
      namesOf(
        graph,
        graph.nodes.map((n) => n.outputs[0]!),
      ),
    ).toEqual(odd);
  });

  test('an input without a name gets one', () => {
    const { graph } = read({
      inputs: [
        ['', ['float32', [1]]],
        ['x', ['float32', [1]]],
      ],
      outputs: ['x'],
    });
    expect(namesOf(graph, graph.inputs)).toEqual(['input[0]', 'x']);
  });
});

describe('order', () => {
  test('nodes in order stay as they are, without a note', () => {
    const { graph, diagnostics } = read({
      inputs: X,
      outputs: ['c'],
      nodes: [node('A', ['x'], ['a']), node('B', ['x'], ['b']), node('C', ['a', 'b'], ['c'])],
    });
    expect(graph.nodes.map((n) => n.op).join('')).toBe('ABC');
    expect(diagnostics).toEqual([]);
  });

  test('nodes out of order are sorted, with a note that counts them', () => {
    const { graph, diagnostics } = read({
      inputs: X,
      outputs: ['c'],
      nodes: [node('C', ['a', 'b'], ['c']), node('B', ['x'], ['b']), node('A', ['b'], ['a'])],
    });
    expect(graph.nodes.map((n) => n.op).join('')).toBe('BAC');
    expect(graph.nodes.map((n) => n.index)).toEqual([1, 2, 0]);
    expect(diagnostics.map((d) => [d.kind, d.code, d.text])).toEqual([
      ['note', 'N_SORTED', '1 node stood before a node that feeds it; the nodes have been sorted.'],
    ]);
  });

  test('what a body reads from outside counts as an input of its node', () => {
    const { graph } = read({
      inputs: { c: ['bool', []], ...X },
      outputs: ['y'],
      nodes: [
        node('If', ['c'], ['y'], {
          then_branch: graph_([node('Relu', ['late'], ['o'])], ['o']),
          else_branch: graph_([node('Neg', ['x'], ['o'])], ['o']),
        }),
        node('Abs', ['x'], ['late']),
      ],
    });
    expect(graph.nodes.map((n) => n.op)).toEqual(['Abs', 'If']);
  });

  test('a chain of 20,000 nodes in reverse', () => {
    const count = 20_000;
    const nodes = Array.from({ length: count }, (_, k) => {
      const i = count - 1 - k;
      return node('Relu', [i === 0 ? 'x' : `t${i - 1}`], [`t${i}`]);
    });
    const { graph } = read({ inputs: X, outputs: [`t${count - 1}`], nodes });
    expect(graph.nodes.map((n) => n.index)).toEqual(Array.from({ length: count }, (_, i) => count - 1 - i));
  });
});

function graph_(nodes: NonNullable<Parameters<typeof read>[0]['nodes']>, outputs: string[], inputs = {}) {
  return graph({ inputs, outputs, nodes });
}

describe('bodies', () => {
  test('tensors and nodes are named after the path; outer values are shared; the then-branch comes first', () => {
    const { graph } = read({
      inputs: { c: ['bool', []], ...X },
      outputs: ['y'],
      initializers: { w: tensor('float32', [4], [0, 0, 0, 0]) },
      nodes: [
        node('Abs', ['x'], ['outer']),
        node(
          'If',
          ['c'],
          ['y'],
          {
            else_branch: graph_([node('Add', ['outer', 'w'], ['t'])], ['t']),
            then_branch: graph_(
              [node('Mul', ['outer', 'x'], ['t'], {}, { name: 'mul' }), node('Relu', ['t'], ['u'])],
              ['u'],
            ),
          },
          { name: 'if_1' },
        ),
      ],
    });
    expect(lines(graph)).toEqual([
      'Abs #0: Abs(x) -> outer',
      'if_1: If(c) -> y',
      '  if_1/then_branch() -> if_1/then_branch/u',
      '    if_1/then_branch/mul: Mul(outer, x) -> if_1/then_branch/t',
      '    if_1/then_branch/Relu #1: Relu(if_1/then_branch/t) -> if_1/then_branch/u',
      '  if_1/else_branch() -> if_1/else_branch/t',
      '    if_1/else_branch/Add #0: Add(outer, w) -> if_1/else_branch/t',
    ]);
    expect(tensorOf(graph, 'if_1/then_branch/u').role).toBe('activation');
  });

  test('an inner name shadows an outer one, and only inside', () => {
    const { graph } = read({
      inputs: { n: ['int64', []], c: ['bool', []], ...X },
      outputs: ['y'],
      nodes: [
        node('Loop', ['n', 'c', 'x'], ['y'], {
          body: graph_([node('Identity', ['c'], ['go']), node('Relu', ['x'], ['x2'])], ['go', 'x2'], {
            i: ['int64', []],
            c: ['bool', []],
            x: ['float32', undefined],
          }),
        }),
      ],
    });
    expect(lines(graph)).toEqual([
      'Loop #0: Loop(n, c, x) -> y',
      '  Loop #0/body(Loop #0/body/i, Loop #0/body/c, Loop #0/body/x) -> Loop #0/body/go, Loop #0/body/x2',
      '    Loop #0/body/Identity #0: Identity(Loop #0/body/c) -> Loop #0/body/go',
      '    Loop #0/body/Relu #1: Relu(Loop #0/body/x) -> Loop #0/body/x2',
    ]);
  });

  test('bodies in bodies see every level; nodes of a body are sorted too', () => {
    const inner = graph_([node('Add', ['mid', 'x'], ['sum'])], ['sum']);
    const { graph, diagnostics } = read({
      inputs: { c: ['bool', []], ...X },
      outputs: ['y'],
      nodes: [
        node('If', ['c'], ['y'], {
          then_branch: graph_(
            [
              node('If', ['c'], ['o'], { then_branch: inner, else_branch: inner }),
              node('Abs', ['x'], ['mid']),
            ],
            ['o'],
          ),
          else_branch: graph_([], ['x']),
        }),
      ],
    });
    expect(lines(graph).slice(1, 5)).toEqual([
      '  If #0/then_branch() -> If #0/then_branch/o',
      '    If #0/then_branch/Abs #1: Abs(x) -> If #0/then_branch/mid',
      '    If #0/then_branch/If #0: If(c) -> If #0/then_branch/o',
      '      If #0/then_branch/If #0/then_branch() -> If #0/then_branch/If #0/then_branch/sum',
    ]);
    expect(lines(graph).at(-1)).toBe('  If #0/else_branch() -> x');
    expect(diagnostics.map((d) => d.code)).toEqual(['N_SORTED']);
  });

  test('a top-level tensor that is called like one of a body keeps its name', () => {
    const { graph } = read({
      inputs: { c: ['bool', []], 'f/then_branch/t': ['float32', [1]] },
      outputs: ['y'],
      nodes: [
        node(
          'If',
          ['c'],
          ['y'],
          {
            then_branch: graph_([node('Relu', ['f/then_branch/t'], ['t'])], ['t']),
            else_branch: graph_([node('Abs', ['f/then_branch/t'], ['t'])], ['t']),
          },
          { name: 'f' },
        ),
      ],
    });
    expect(lines(graph)[2]).toBe('    f/then_branch/Relu #0: Relu(f/then_branch/t) -> f/then_branch/t~2');
  });

  test('weights of a body, also when listed as its inputs', () => {
    const body = graph({
      inputs: { i: ['int64', []], c: ['bool', []], k: ['float32', [2]] },
      outputs: ['c', 'z'],
      initializers: { k: tensor('float32', [2], [1, 2]) },
      nodes: [node('Add', ['x', 'k'], ['z'])],
    });
    const { graph: g } = read({
      ir: 3,
      inputs: { n: ['int64', []], c: ['bool', []], x: ['float32', [2]] },
      outputs: ['zs'],
      nodes: [node('Loop', ['n', 'c'], ['zs'], { body })],
    });
    expect(namesOf(g, g.nodes[0]!.bodies[0]!.inputs)).toEqual(['Loop #0/body/i', 'Loop #0/body/c']);
    expect(tensorOf(g, 'Loop #0/body/k').role).toBe('weight');
  });
});

describe('faults', () => {
  test('all dangling inputs and outputs together, with the names', () => {
    expect(
      faults({
        inputs: X,
        outputs: ['y', 'nowhere'],
        nodes: [node('Add', ['x', 'ghost'], ['y'], {}, { name: 'add' }), node('Relu', ['spirit'], ['z'])],
      }),
    ).toEqual([
      ['E_DANGLING', 'The node add (Add) reads the tensor ghost, which nothing produces.'],
      ['E_DANGLING', 'The node Relu #1 (Relu) reads the tensor spirit, which nothing produces.'],
      ['E_DANGLING', 'The output nowhere of the model is produced by nothing.'],
    ]);
  });

  test('a name of a body is not seen outside it', () => {
    const branch = graph_([node('Relu', ['x'], ['inner'])], ['inner']);
    const found = faults({
      inputs: { c: ['bool', []], ...X },
      outputs: ['z'],
      nodes: [
        node('If', ['c'], ['y'], { then_branch: branch, else_branch: branch }),
        node('Relu', ['inner'], ['z']),
      ],
    });
    expect(found).toEqual([
      ['E_DANGLING', 'The node Relu #1 (Relu) reads the tensor inner, which nothing produces.'],
    ]);
  });

  test.each<[string, Parameters<typeof faults>[0], string]>([
    [
      'two nodes',
      {
        inputs: X,
        outputs: ['y'],
        nodes: [node('Relu', ['x'], ['y'], {}, { name: 'r' }), node('Abs', ['x'], ['y'])],
      },
      'The tensor y is produced twice: by r and by Abs #1.',
    ],
    [
      'a node and an input',
      { inputs: X, outputs: ['x'], nodes: [node('Relu', ['x'], ['x'])] },
      'The tensor x is produced twice: by the input 0 and by Relu #0.',
    ],
    [
      'a node and a weight',
      {
        inputs: X,
        outputs: ['w'],
        initializers: { w: tensor('int8', [1], [1]) },
        nodes: [node('Relu', ['x'], ['w'])],
      },
      'The tensor w is produced twice: by an initializer and by Relu #0.',
    ],
    [
      'two inputs',
      {
        inputs: [
          ['x', ['float32', [1]]],
          ['x', ['float32', [2]]],
        ],
        outputs: ['x'],
      },
      'The tensor x is produced twice: by the input 0 and by the input 1.',
    ],
    [
      'one node twice',
      { inputs: X, outputs: ['y'], nodes: [node('Split', ['x'], ['y', 'y'])] },
      'The tensor y is produced twice: by Split #0 and by Split #0.',
    ],
  ])('two producers: %s', (_, spec, text) => {
    expect(faults(spec)).toEqual([['E_DUPLICATE', text]]);
  });

  test('circles name nodes and tensors, all of them together', () => {
    expect(
      faults({
        inputs: X,
        outputs: ['d'],
        nodes: [
          node('Add', ['x', 'b'], ['a'], {}, { name: 'add' }),
          node('Relu', ['a'], ['b'], {}, { name: 'relu' }),
          node('Mul', ['x', 'c'], ['c'], {}, { name: 'self' }),
          node('Sub', ['b', 'c'], ['d']),
        ],
      }),
    ).toEqual([
      ['E_CYCLE', 'Nodes depend on each other in a circle: add reads b from relu, which reads a from add.'],
      ['E_CYCLE', 'Nodes depend on each other in a circle: self reads c from self.'],
    ]);
  });

  test('a circle through a body', () => {
    const branch = graph_([node('Relu', ['y'], ['o'])], ['o']);
    const found = faults({
      inputs: { c: ['bool', []] },
      outputs: ['y'],
      nodes: [node('If', ['c'], ['y'], { then_branch: branch, else_branch: branch })],
    });
    expect(found).toEqual([['E_CYCLE', 'Nodes depend on each other in a circle: If #0 reads y from If #0.']]);
  });

  test('a long circle is cut short', () => {
    const nodes = Array.from({ length: 100 }, (_, i) =>
      node('Relu', [`t${(i + 1) % 100}`], [`t${i}`], {}, { name: `n${i}` }),
    );
    const [code, text] = faults({ inputs: X, outputs: ['t0'], nodes })[0]!;
    expect(code).toBe('E_CYCLE');
    expect(text).toContain('which reads t6 from n6');
    expect(text).toContain('and 93 nodes on, which reads t0 from n0');
  });

  test('faults of different kinds come together, grouped; a flood is counted', () => {
    const found = faults({
      inputs: X,
      outputs: ['y'],
      nodes: [
        ...Array.from({ length: 60 }, (_, i) => node('Relu', [`g${i}`], [`t${i}`])),
        node('Relu', ['x'], ['y']),
        node('Abs', ['x'], ['y']),
        node('Neg', ['u'], ['u']),
      ],
    });
    const counts = new Map<string, number>();
    for (const [code] of found) counts.set(code, (counts.get(code) ?? 0) + 1);
    expect([...counts]).toEqual([
      ['E_DUPLICATE', 1],
      ['E_DANGLING', 51],
      ['E_CYCLE', 1],
    ]);
    expect(found).toContainEqual(['E_DANGLING', 'And 10 more of this kind.']);
  });
});

describe('operator sets', () => {
  test('no import: version 1, and a warning where the file should have one', () => {
    const spec = { inputs: X, outputs: ['y'], opset: null, nodes: [node('Relu', ['x'], ['y'])] };
    expect(read({ ...spec, ir: 2 })).toMatchObject({
      diagnostics: [],
      graph: { opsets: new Map([['', 1]]) },
    });
    expect(read({ ...spec, ir: 3 }).diagnostics.map((d) => d.code)).toEqual(['W_OPSET']);
    const foreign = [node('Own', ['x'], ['y'], {}, { domain: 'own' })];
    expect(read({ ...spec, opset: { own: 3 }, nodes: foreign }).diagnostics).toEqual([]);
  });

  test('a version from the future is taken at its word; two versions of one domain are refused', () => {
    const spec = { inputs: X, outputs: ['y'], nodes: [node('Relu', ['x'], ['y'])] };
    expect(read({ ...spec, opset: 314159 }).graph.opsets.get('')).toBe(314159);
    expect(faults({ ...spec, opset: { '': 12, 'ai.onnx': 13 } })).toEqual([
      ['E_MODEL', 'The model follows two versions of the operator set ai.onnx: 12 and 13.'],
    ]);
  });
});
