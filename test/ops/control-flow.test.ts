/** If, Loop and Scan with their bodies, as whole models. */
import { describe, expect, it } from 'vitest';
import { rangeOf } from '../../src/graph/dim-range.ts';
import type { Symbolic } from '../../src/graph/dims.ts';
import { factTexts, foldedLabels, infer } from '../support/infer.ts';
import { type AttributeSpec, type GraphSpec, graph, type ModelSpec, node, tensor } from '../support/onnx.ts';
import { faultsOf } from '../support/read.ts';

const branch = (...nodes: NonNullable<GraphSpec['nodes']>): AttributeSpec =>
  graph({ nodes, outputs: ['out'] });

describe('If', () => {
  const model = (then: AttributeSpec, otherwise: AttributeSpec, condition?: number): ModelSpec => ({
    inputs: { x: ['float32', [2, 1, 8]], ...(condition === undefined && { c: ['bool', []] as const }) },
    outputs: ['y'],
    nodes: [node('If', ['c'], ['y'], { then_branch: then, else_branch: otherwise }, { name: 'if_1' })],
    ...(condition !== undefined && { initializers: { c: tensor('bool', [], [condition]) } }),
  });
  const relu = branch(node('Relu', ['x'], ['out']));
  const squeeze = branch(node('Squeeze', ['x', 'axes'], ['out']));
  const flatten = branch(node('Flatten', ['x'], ['out']));

  it('yields what both branches have in common', () => {
    expect(factTexts(model(relu, relu)).y).toBe('float32[2,1,8]');
    const sigmoid = branch(node('Expand', ['x', 'wide'], ['out']));
    const spec = { ...model(relu, sigmoid), initializers: { wide: tensor('int64', [3], [1, 4, 1]) } };
    expect(factTexts(spec).y).toMatch(/^float32\[2,\?\d+,8\]$/);
  });

  it.each([
    [relu, branch(node('Expand', ['x', 'wide'], ['out'])), '[2,1,8] and else_branch float32[2,4,8]'],
    [branch(node('Expand', ['x', 'wide'], ['out'])), relu, '[2,4,8] and else_branch float32[2,1,8]'],
  ])('yields at most the larger, and says so, when their shapes differ (%#)', (then, otherwise, shapes) => {
    const initializers = { wide: tensor('int64', [3], [1, 4, 1]) };
    const { graph: typed, diagnostics } = infer({ ...model(then, otherwise), initializers }, {});
    const y = typed.tensors.findIndex(({ name }) => name === 'y');
    const size = typed.facts[y]!.shape![1] as Symbolic;
    expect(typed.ranges?.get(size.text)).toEqual({ least: 0, most: 4 });
    expect(diagnostics).toMatchObject([{ code: 'N_BOUND', node: 'if_1', tensor: 'y' }]);
    expect(diagnostics[0]!.text).toBe(
      `if_1 (If): then_branch yields float32${shapes}; axis 1 of y is planned at 4.`,
    );
  });

  it('yields at most the larger of open sizes where one is proved to be it', () => {
    const wide = branch(node('Concat', ['x', 'x'], ['out'], { axis: 1 }));
    const spec = { ...model(relu, wide), inputs: { x: ['float32', [2, 'n', 8]], c: ['bool', []] } as const };
    const { graph: typed } = infer(spec, { ranges: new Map([['n', { least: 1, most: 5 }]]) });
    const y = typed.tensors.findIndex(({ name }) => name === 'y');
    expect(typed.ranges?.get((typed.facts[y]!.shape![1] as Symbolic).text)).toEqual({ least: 0, most: 10 });
  });

  it('names itself, both shapes and the flag when neither is the larger, and takes the sizes that the user states', () => {
    const wide = branch(node('Expand', ['x', 'wide'], ['out']));
    const tall = branch(node('Tile', ['x', 'twice'], ['out']));
    const initializers = {
      wide: tensor('int64', [3], [1, 4, 1]),
      twice: tensor('int64', [3], [3, 1, 1]),
    };
    const spec = { ...model(wide, tall), initializers };
    const faults = faultsOf(() => infer(spec, {}));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({
      ...{ code: 'E_UNRESOLVED', node: 'if_1', tensor: 'y' },
      text: expect.stringContaining('yields float32[2,4,8] and else_branch float32[6,1,8], so the size of y'),
      hint: '--op-shape if_1:float32,6,4,8 states the largest sizes; or memory at run time: --emit pool',
    });
    const opShapes = new Map([['if_1', [{ type: 'float32', shape: [6, 4, 8] } as const]]]);
    const { graph: typed } = infer(spec, { opShapes });
    const y = typed.tensors.findIndex(({ name }) => name === 'y');
    expect(typed.facts[y]!.shape!.map((dim) => rangeOf(dim, typed.ranges!)?.most)).toEqual([6, 4, 8]);
  });

  it('does not know a rank that differs', () => {
    expect(factTexts(model(relu, flatten)).y).toBe('float32[?]');
    const faults = faultsOf(() => infer(model(relu, flatten), {}));
    expect(faults).toMatchObject([{ code: 'E_UNRESOLVED', node: 'if_1', tensor: 'y' }]);
    expect(faults[0]!.text).toContain(
      'then_branch yields float32[2,1,8] and else_branch float32[2,8], so not even',
    );
  });

  it('takes the branch of a constant condition alone, and never looks into the other', () => {
    const broken = branch(node('Reshape', ['x', 'five'], ['out']));
    const spec = model(relu, broken, 1);
    const initializers = { ...(spec.initializers as object), five: tensor('int64', [1], [5]) };
    const { graph: typed } = infer({ ...spec, initializers }, {});
    expect(typed.nodes[0]!.bodies.map((body) => body.name)).toEqual(['then_branch']);
    expect(foldedLabels(typed)).toEqual([]);
    expect(factTexts({ ...spec, initializers }).y).toBe('float32[2,1,8]');
  });

  it('proves nothing about outer values by what a branch demands', () => {
    // The cut at a position from data has an unknown size; only then_branch says that it must be 1.
    const spec: ModelSpec = {
      ...model(squeeze, flatten),
      inputs: { data: ['float32', [9, 8]], at: ['int64', [1]], to: ['int64', [1]], c: ['bool', []] },
      initializers: { axes: tensor('int64', [1], [0]) },
    };
    const nodes = [node('Slice', ['data', 'at', 'to', 'axes'], ['x']), ...spec.nodes!];
    expect(factTexts({ ...spec, nodes }).x).toMatch(/^float32\[\?\d+,8\]$/);
    const outside = [nodes[0]!, node('Squeeze', ['x', 'axes'], ['y'])];
    expect(factTexts({ ...spec, nodes: outside })).toMatchObject({ x: 'float32[1,8]', y: 'float32[8]' });
  });
});

describe('Loop', () => {
  const loop = (body: GraphSpec, more: Partial<ModelSpec> = {}, trips = 5): ModelSpec => ({
    inputs: { x: ['float32', [2, 3]] },
    outputs: ['y', 's'],
    initializers: { trips: tensor('int64', [], [trips]), on: tensor('bool', [], [1]) },
    nodes: [node('Loop', ['trips', 'on', 'x'], ['y', 's'], { body: graph(body) }, { name: 'loop' })],
    ...more,
  });
  const body = (...nodes: NonNullable<GraphSpec['nodes']>): GraphSpec => ({
    inputs: { i: ['int64', []], go: ['bool', []], v: ['float32', undefined] },
    outputs: ['go_out', 'v_out', 'scan'],
    nodes,
  });
  const goes = node('Identity', ['go'], ['go_out']);
  const relu = node('Relu', ['v'], ['v_out']);
  const scan = node('Identity', ['v_out'], ['scan']);

  it('stacks a scanned value by a known number of turns', () => {
    const texts = factTexts(loop(body(goes, relu, scan)));
    expect(texts).toMatchObject({ y: 'float32[2,3]', s: 'float32[5,2,3]' });
    expect(texts['loop/body/v']).toBe('float32[2,3]');
  });

  it.each([
    [0, 'float32[0,2,3]'],
    [-4, 'float32[0,2,3]'],
    [1, 'float32[1,2,3]'],
  ])('runs %i times', (trips, expected) => {
    expect(factTexts(loop(body(goes, relu, scan), {}, trips)).s).toBe(expected);
  });

  it('does not know how often it turns when data decide', () => {
    const stops = node('Greater', ['peak', 'zero'], ['go_out']);
    const peak = node('ReduceMax', ['v'], ['peak'], { keepdims: 0 });
    const initializers = {
      trips: tensor('int64', [], [5]),
      on: tensor('bool', [], [1]),
      zero: tensor('float32', [], [0]),
    };
    const spec = loop(body(peak, stops, relu, scan), { initializers });
    expect(factTexts(spec).s).toMatch(/^float32\[\?\d+,2,3\]$/);
    expect(faultsOf(() => infer(spec, {}))[0]).toMatchObject({
      code: 'E_UNRESOLVED',
      node: 'loop',
      tensor: 's',
    });
  });

  it('carries an open size that grows, and one that stays', () => {
    const grows = node('Concat', ['v', 'x'], ['v_out'], { axis: 0 });
    const texts = factTexts(loop(body(goes, grows, scan)));
    expect(texts.y).toMatch(/^float32\[\?\d+,3\]$/);
    expect(texts.s).toMatch(/^float32\[5,[^,]*\?\d+ \+ 2,3\]$/);
    const initializers = { trips: tensor('int64', [], [5]), on: tensor('bool', [], [1]) };
    const [fault] = faultsOf(() => infer(loop(body(goes, grows, scan), { initializers }), {}));
    expect(fault).toMatchObject({ code: 'E_UNRESOLVED', node: 'loop' });
    expect(fault!.text).toContain(
      'a turn takes loop/body/v as float32[2,3] and hands loop/body/v_out on as float32[4,3]',
    );
  });

  it('gives up the rank of a value that grows axes', () => {
    const grows = node('Unsqueeze', ['v', 'front'], ['v_out']);
    const initializers = {
      trips: tensor('int64', [], [5]),
      on: tensor('bool', [], [1]),
      front: tensor('int64', [1], [0]),
    };
    const spec = loop(body(goes, grows, scan), { initializers });
    expect(factTexts(spec).y).toBe('float32[?]');
    expect(faultsOf(() => infer(spec, {}))[0]!.text).toMatch(
      /a turn takes loop\/body\/v as .* and hands loop\/body\/v_out on as .*, so not even the rank/,
    );
  });

  it('follows two values that swap places', () => {
    const swap: GraphSpec = {
      inputs: { i: ['int64', []], go: ['bool', []], a: ['float32', undefined], b: ['float32', undefined] },
      outputs: ['go_out', 'b_out', 'a_out'],
      nodes: [goes, node('Identity', ['a'], ['a_out']), node('Identity', ['b'], ['b_out'])],
    };
    const spec = loop(swap, {
      inputs: { x: ['float32', [2, 3]], z: ['float32', [4, 3]] },
      outputs: ['y', 'w'],
      nodes: [node('Loop', ['trips', 'on', 'x', 'z'], ['y', 'w'], { body: graph(swap) })],
    });
    const { y, w } = factTexts(spec);
    expect([y, w]).toEqual([
      expect.stringMatching(/^float32\[\?\d+,3\]$/),
      expect.stringMatching(/^float32\[\?\d+,3\]$/),
    ]);
  });

  it('sees that one turn cuts one row, whichever it is', () => {
    const row: GraphSpec = {
      inputs: { i: ['int64', [1]], go: ['bool', []], v: ['float32', [2, 3]] },
      outputs: ['go_out', 'v_out', 'row_out'],
      initializers: { one: tensor('int64', [1], [1]), axis: tensor('int64', [1], [0]) },
      nodes: [
        goes,
        relu,
        node('Add', ['i', 'one'], ['next']),
        node('Slice', ['x', 'i', 'next', 'axis'], ['cut']),
        node('Squeeze', ['cut', 'axis'], ['row_out']),
      ],
    };
    const texts = factTexts(loop(row), {});
    expect(texts).toMatchObject({ 'loop/body/i': expect.stringMatching(/^int64\[1\]/), s: 'float32[5,3]' });
    expect(texts['loop/body/cut']).toBe('float32[1,3]');
  });

  it('refuses a body of another arity', () => {
    const short: GraphSpec = { ...body(goes, relu, scan), inputs: { i: ['int64', []], go: ['bool', []] } };
    const spec = loop({ ...short, nodes: [goes, node('Relu', ['x'], ['v_out']), scan] });
    expect(faultsOf(() => infer(spec))[0]!.text).toContain('2 inputs and 3 outputs for 1 carried values');
  });
});

describe('Scan', () => {
  const body: GraphSpec = {
    inputs: { state: ['float32', undefined], element: ['float32', undefined] },
    outputs: ['state_out', 'result'],
    nodes: [node('Add', ['state', 'element'], ['state_out']), node('Relu', ['state_out'], ['result'])],
  };
  const scan = (
    opset: number,
    inputs: ModelSpec['inputs'],
    names: readonly string[],
    more = {},
  ): ModelSpec => ({
    opset,
    inputs: inputs!,
    outputs: ['last', 'all'],
    nodes: [node('Scan', names, ['last', 'all'], { body: graph(body), num_scan_inputs: 1, ...more })],
  });

  it('walks along the first axis', () => {
    const spec = scan(9, { s: ['float32', [4]], x: ['float32', ['T', 4]] }, ['s', 'x']);
    expect(factTexts(spec)).toMatchObject({ last: 'float32[4]', all: 'float32[T,4]' });
  });

  it('walks and stacks along other axes', () => {
    const axes = { scan_input_axes: [1], scan_output_axes: [-1] };
    const spec = scan(11, { s: ['float32', [4]], x: ['float32', [4, 7]] }, ['s', 'x'], axes);
    expect(factTexts(spec)).toMatchObject({ last: 'float32[4]', all: 'float32[4,7]' });
  });

  it('has a batch and sequence lengths in opset 8', () => {
    const spec = scan(8, { s: ['float32', [2, 4]], x: ['float32', [2, 7, 4]] }, ['', 's', 'x']);
    expect(factTexts(spec)).toMatchObject({ last: 'float32[2,4]', all: 'float32[2,7,4]' });
  });

  it('refuses more scanned inputs than there are', () => {
    const spec = scan(9, { x: ['float32', [7, 4]] }, ['x'], { num_scan_inputs: 2 });
    expect(faultsOf(() => infer(spec))[0]!.text).toContain('num_scan_inputs is 2 of 1');
  });
});
