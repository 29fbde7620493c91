/** The walk over a graph: folding, declared shapes, operators without a rule, and the last look at sizes. */
import { describe, expect, it } from 'vitest';
import { inferShapes } from '../../src/shape/infer.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';
import { factText, factTexts, foldedLabels, infer } from '../support/infer.ts';
import { type ModelSpec, node, tensor } from '../support/onnx.ts';
import { faultsOf, read } from '../support/read.ts';

const named = (name: string) => ({ name });
const ints = (...values: number[]) => tensor('int64', [values.length], values);

describe('folding', () => {
  const flatten: ModelSpec = {
    inputs: { x: ['float32', ['N', 3, 4]] },
    outputs: ['y'],
    initializers: { zero: ints(0), rest: ints(-1) },
    nodes: [
      node('Shape', ['x'], ['shape'], {}, named('shape')),
      node('Gather', ['shape', 'zero'], ['batch'], {}, named('gather')),
      node('Concat', ['batch', 'rest'], ['to'], { axis: 0 }, named('concat')),
      node('Reshape', ['x', 'to'], ['y'], {}, named('reshape')),
    ],
  };

  it('carries dimensions by name through values', () => {
    expect(factTexts(flatten)).toMatchObject({
      shape: 'int64[3] = N,3,4',
      to: 'int64[2] = N,-1',
      y: 'float32[N,12]',
    });
    expect(foldedLabels(infer(flatten).graph)).toEqual([]);
  });

  it('makes constants of what is known once the sizes are', () => {
    const { graph } = infer(flatten, { all: 2 });
    expect(foldedLabels(graph)).toEqual(['shape', 'gather', 'concat']);
    expect(factTexts(flatten, { all: 2 }).to).toBe('int64[2] = 2,-1');
  });

  it('takes nodes of constants for constants, large or without a value, but not random numbers', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [300, 300]] },
      outputs: ['y'],
      initializers: {
        size: ints(300, 300),
        scale: tensor('float32', [], [0.5]),
        q: tensor('int8', [2], [1, 2]),
      },
      nodes: [
        node('ConstantOfShape', ['size'], ['w'], {}, named('weights')),
        node('Erf', ['w'], ['e'], {}, named('erf')),
        node('RandomNormalLike', ['w'], ['r'], {}, named('random')),
        node('Add', ['w', 'r'], ['a'], {}, named('add')),
        node('DequantizeLinear', ['q', 'scale'], ['d'], {}, named('dequantize')),
        node('MatMul', ['x', 'e'], ['y'], {}, named('matmul')),
      ],
    };
    const { graph } = infer(spec, {});
    expect(foldedLabels(graph)).toEqual(['weights', 'erf']);
    // 90,000 elements are more than are kept.
    expect(factTexts(spec, {}).w).toBe('float32[300,300]');
  });

  it('evaluates a long chain of constants without running out of stack', () => {
    const count = 5000;
    const nodes = Array.from({ length: count }, (_, i) => node('Add', [`v${i}`, 'one'], [`v${i + 1}`]));
    const spec: ModelSpec = {
      outputs: ['y'],
      initializers: {
        v0: ints(...new Array<number>(100).fill(0)),
        one: ints(1),
        at: tensor('int64', [], [7]),
      },
      nodes: [...nodes, node('Gather', [`v${count}`, 'at'], ['y'])],
    };
    expect(factTexts(spec).y).toBe(`int64[] = ${count}`);
  });
});

describe('declared shapes', () => {
  const conv = (declared: ModelSpec['valueInfo']): ModelSpec => ({
    inputs: { x: ['float32', [1, 2, 12, 12]] },
    outputs: ['y'],
    valueInfo: declared!,
    nodes: [node('Relu', ['x'], ['h'], {}, named('relu_h')), node('Relu', ['h'], ['y'])],
  });

  it('never win over inference; the warning names tensor, node and both shapes', () => {
    const { graph, diagnostics } = infer(conv({ h: ['float32', [1, 2, 6, 6]] }), {});
    expect(factText(graph.facts[1])).toBe('float32[1,2,12,12]');
    expect(diagnostics).toMatchObject([{ code: 'W_DECLARED_SHAPE', node: 'relu_h', tensor: 'h' }]);
    for (const part of ['[1,2,6,6]', '[1,2,12,12]']) expect(diagnostics[0]!.text).toContain(part);
  });

  it.each<readonly [string, ModelSpec['valueInfo'], number]>([
    ['another type', { h: ['int8', [1, 2, 12, 12]] }, 1],
    ['another rank', { h: ['float32', [1, 2, 144]] }, 1],
    ['the same', { h: ['float32', [1, 2, 12, 12]] }, 0],
    ['a name that could be anything', { h: ['float32', ['batch', 2, 12, 12]] }, 0],
  ])('warn about %s as often as they must', (_, declared, count) => {
    expect(infer(conv(declared), {}).diagnostics).toHaveLength(count);
  });

  it('fill in what inference cannot know, and only that', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [2, 3]] },
      outputs: { y: ['int64', [9, 5]] },
      nodes: [node('NonZero', ['x'], ['y'])],
    };
    expect(factTexts(spec).y).toMatch(/^int64\[2,\?1\]$/);
    const declared: ModelSpec = { ...spec, outputs: { y: ['int64', [2, 5]] } };
    expect(factTexts(declared).y).toBe('int64[2,5]');
    // A plan takes it for the largest: nobody has proved that every run has it.
    const { graph, diagnostics } = infer(declared, {});
    expect(factText(graph.facts[1])).toBe('int64[2,?1]');
    expect(graph.ranges).toEqual(new Map([['?1', { least: 0, most: 5 }]]));
    expect(diagnostics).toMatchObject([
      {
        code: 'N_BOUND',
        tensor: 'y',
        text: expect.stringMatching(/declares at most 5; axis 1 of y is planned at 5/),
      },
    ]);
    // A name that nothing binds is no better than not knowing.
    expect(factTexts({ ...spec, outputs: { y: ['int64', [2, 'count']] } }).y).toBe('int64[2,?1]');
  });

  it('may use names like those of unknown dimensions', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', ['?1', 3]] },
      outputs: { y: ['int64', [2, '?1']] },
      nodes: [node('NonZero', ['x'], ['y'])],
    };
    expect(factTexts(spec)).toEqual({ x: 'float32[x[0] (?1),3]', y: 'int64[2,?1]' });
  });

  it('contradict a name that is bound', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', ['N', 3]], k: ['float32', [1, 3]] },
      outputs: { y: ['float32', ['N', 3]] },
      nodes: [node('Identity', ['k'], ['y'])],
    };
    expect(infer(spec, { all: 2 }).diagnostics.map(({ text }) => text)).toEqual([
      'The file declares y as float32[2,3], but Identity #0 (Identity) yields float32[1,3], which is planned.',
    ]);
  });
});

describe('operators without a rule', () => {
  const gadgets = (declared: ModelSpec['valueInfo'], opset = { '': 17, acme: 1 }): ModelSpec => ({
    opset,
    inputs: { x: ['float32', [1, 8]] },
    outputs: ['y'],
    ...(declared && { valueInfo: declared }),
    nodes: [
      node('Gadget', ['x'], ['g'], {}, { name: 'gadget_1', domain: 'acme' }),
      node('Widget', ['g'], ['w'], {}, { name: 'widget_1', domain: 'acme' }),
      node('Relu', ['w'], ['y']),
    ],
  });

  it('are named all together, with the flag', () => {
    const faults = faultsOf(() => infer(gadgets(undefined), {}));
    expect(faults.map(({ code, node: at }) => [code, at])).toEqual([
      ['E_UNKNOWN_OP', 'gadget_1'],
      ['E_UNKNOWN_OP', 'widget_1'],
    ]);
    expect(faults[0]!.text).toBe(
      'gadget_1: there is no shape rule for operator Gadget of domain acme, and its output g is not declared.',
    );
    expect(faults[0]!.hint).toContain('--op-shape gadget_1:');
  });

  it('are planned by what the file declares, with one warning per operator', () => {
    const { graph, diagnostics } = infer(gadgets({ g: ['float32', [1, 4]], w: ['float32', [1, 2]] }), {});
    expect(graph.facts.map(factText)).toEqual([
      'float32[1,8]',
      'float32[1,4]',
      'float32[1,2]',
      'float32[1,2]',
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['W_UNKNOWN_OP', 'W_UNKNOWN_OP']);
    expect(foldedLabels(graph)).toEqual([]);
  });

  const stated = (facts: Bindings['opShapes']) => ({ opShapes: facts });
  const fact = (...shape: number[]) => ({ type: 'float32', shape }) as const;

  it('are planned by what the user states, by label or place', () => {
    const opShapes = new Map([
      ['gadget_1', [fact(1, 4)]],
      ['#1', [fact(1, 2)]],
    ]);
    expect(factTexts(gadgets(undefined), stated(opShapes)).y).toBe('float32[1,2]');
  });

  it.each<readonly [string, string, readonly ReturnType<typeof fact>[], string]>([
    ['a node that is not there', 'nobody', [fact(1)], 'no node of that name'],
    ['another number of outputs', 'gadget_1', [fact(1), fact(2)], '2 facts do not fit the 1 outputs'],
    ['what a rule says otherwise', 'Relu #2', [fact(7)], 'yields float32[1,2]'],
  ])('refuse %s', (_, name, facts, text) => {
    const spec = gadgets({ g: ['float32', [1, 4]], w: ['float32', [1, 2]] });
    expect(faultsOf(() => infer(spec, stated(new Map([[name, facts]]))))).toMatchObject([
      { code: 'E_BINDING', text: expect.stringContaining(text) },
    ]);
  });
});

describe('sizes that stay open', () => {
  const nonZero: ModelSpec = {
    inputs: { x: ['float32', [3, 4]] },
    outputs: ['t'],
    nodes: [node('NonZero', ['x'], ['nz'], {}, named('nonzero_nz')), node('Transpose', ['nz'], ['t'])],
  };

  it('are traced back to the node that leaves them open', () => {
    expect(faultsOf(() => infer(nonZero, {}))).toEqual([
      {
        kind: 'error',
        code: 'E_UNRESOLVED',
        text:
          'nonzero_nz (NonZero): how many elements are not 0 depends on data, so the size of nz (int64[2,?1]) cannot ' +
          'be known before the model runs. The sizes of 1 more tensors depend on it.',
        hint: '--max-size nz=N elements, or --op-shape nonzero_nz:int64,2,N with the largest sizes you allow; or memory at run time: --emit pool',
        node: 'nonzero_nz',
        tensor: 'nz',
      },
    ]);
  });

  it('can be stated by the user', () => {
    const opShapes = new Map([['nonzero_nz', [{ type: 'int64', shape: [2, 12] } as const]]]);
    const { graph, diagnostics } = infer(nonZero, { opShapes });
    expect(factText(graph.facts[graph.outputs[0]!])).toBe('int64[?1,2]');
    expect(graph.ranges).toEqual(new Map([['?1', { least: 0, most: 12 }]]));
    expect(diagnostics).toEqual([]);
  });

  it('do not matter where nothing needs memory for them', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [3, 4]] },
      outputs: ['y'],
      initializers: { mask: tensor('bool', [4], [1, 0, 0, 1]) },
      nodes: [node('NonZero', ['mask'], ['nz']), node('Gather', ['x', 'nz'], ['y'], { axis: 1 })],
    };
    expect(factTexts(spec, {}).y).toBe('float32[3,1,2]');
  });
});

describe('refused types and sizes', () => {
  it('strings and sequences, by tensor and node', () => {
    const spec: ModelSpec = {
      inputs: { s: ['string', [4]] },
      outputs: ['y'],
      nodes: [node('Identity', ['s'], ['y'], {}, named('id'))],
    };
    expect(faultsOf(() => infer(spec, {})).map(({ code, tensor: t }) => [code, t])).toEqual([
      ['E_TYPE', 's'],
      ['E_TYPE', 'y'],
    ]);
  });

  it('what cannot be counted', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [2 ** 26, 1]], z: ['float32', [1, 2 ** 26]] },
      outputs: ['y'],
      nodes: [node('Add', ['x', 'z'], ['y'])],
    };
    expect(faultsOf(() => infer(spec, {}))).toMatchObject([{ code: 'E_TOO_LARGE', tensor: 'y' }]);
  });
});

describe('faults of nodes', () => {
  it('come all together, without those that follow from them', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [2, 3]], z: ['float32', [4, 5]] },
      outputs: ['y', 'w'],
      nodes: [
        node('Add', ['x', 'z'], ['a'], {}, named('first')),
        node('Reshape', ['a', 'to'], ['y'], {}, named('follows')),
        node('Concat', ['x', 'z'], ['w'], { axis: 0 }, named('second')),
      ],
      initializers: { to: ints(7) },
    };
    expect(faultsOf(() => infer(spec)).map(({ code, node: at }) => [code, at])).toEqual([
      ['E_SHAPE', 'first'],
      ['E_SHAPE', 'second'],
    ]);
  });

  it('include a wrong number of operands and a missing one', () => {
    const spec: ModelSpec = {
      inputs: { x: ['float32', [2]] },
      outputs: ['a', 'b'],
      nodes: [node('Relu', ['x', 'x'], ['a']), node('Add', ['', 'x'], ['b'])],
    };
    expect(faultsOf(() => infer(spec)).map(({ text }) => text)).toEqual([
      'Relu #0: it has 2 inputs, but Relu takes 1.',
      'Add #1: Add needs its input 0, which is missing.',
    ]);
  });
});

describe('quantisation', () => {
  it('rides along from readers and writers, through views', () => {
    const spec: ModelSpec = {
      inputs: { x: ['int8', [2, 3]] },
      outputs: ['y'],
      initializers: {
        s: tensor('float32', [], [0.5]),
        z: tensor('int8', [], [3]),
        w: tensor('int8', [3, 4], new Array<number>(12).fill(1)),
        ws: tensor('float32', [4], [1, 2, 3, 4]),
        to: ints(6),
      },
      nodes: [
        node('DequantizeLinear', ['x', 's', 'z'], ['f']),
        node('DequantizeLinear', ['w', 'ws'], ['wf']),
        node('MatMul', ['f', 'wf'], ['m']),
        node('QuantizeLinear', ['f', 's', 'z'], ['q']),
        node('Reshape', ['q', 'to'], ['y']),
      ],
    };
    const { graph } = infer(spec, {});
    const quant = (name: string) => graph.facts[graph.tensors.findIndex((t) => t.name === name)]!.quant;
    const perTensor = { scale: [0.5], zeroPoint: [3], axis: null };
    expect([quant('x'), quant('q'), quant('y')]).toEqual([perTensor, perTensor, perTensor]);
    expect(quant('w')).toEqual({ scale: [1, 2, 3, 4], zeroPoint: [0, 0, 0, 0], axis: 1 });
  });
});

it('says the same twice and leaves the graph as it was', () => {
  const { graph } = read({
    inputs: { x: ['float32', ['N', 4]] },
    outputs: ['y'],
    nodes: [
      node('NonZero', ['x'], ['nz']),
      node('Shape', ['nz'], ['s']),
      node('ConstantOfShape', ['s'], ['y']),
    ],
  });
  const texts = () => inferShapes(graph, NO_BINDINGS, { allowOpen: true }).graph.facts.map(factText);
  const before = JSON.stringify(graph);
  const first = texts();
  expect(texts()).toEqual(first);
  expect(JSON.stringify(graph)).toBe(before);
});
