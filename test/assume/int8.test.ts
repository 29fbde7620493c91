/** --assume int8: every float counts one byte, biases four, everything else what it is. */
import { expect, it } from 'vitest';
import { parsePlan } from '../../src/plan/read.ts';
import { jsonText } from '../../src/report/json.ts';
import { markdown } from '../../src/report/markdown.ts';
import { plain } from '../../src/report/paint.ts';
import { summary } from '../../src/report/summary.ts';
import { planFused, planSpec } from '../support/fused.ts';
import { headerOf } from '../support/generated.ts';
import { graph, type ModelSpec, node, tensor } from '../support/onnx.ts';

const SPEC: ModelSpec = {
  inputs: { x: ['float32', [1, 4, 8, 8]], i: ['int64', [3]] },
  outputs: ['y', 'k'],
  initializers: {
    w: tensor('float32', [6, 4, 1, 1]),
    b: tensor('float32', [6]),
    scale: tensor('float32', [6]),
    rest: tensor('float32', [6, 1, 1]),
  },
  nodes: [
    node('Conv', ['x', 'w', 'b'], ['c'], {}, { name: 'c' }),
    node('Mul', ['c', 'rest'], ['m'], {}, { name: 'm' }),
    node('Cast', ['m'], ['h'], { to: 10 }, { name: 'h' }),
    node('Softmax', ['h'], ['y'], {}, { name: 'y' }),
    node('Gather', ['i', 'at'], ['k'], {}, { name: 'k' }),
  ],
};
const spec: ModelSpec = {
  ...SPEC,
  initializers: {
    ...(SPEC.initializers as Record<string, ReturnType<typeof tensor>>),
    at: tensor('int64', [1], [2]),
  },
};

it('counts elements, not bytes', () => {
  const plan = planSpec(spec, { assume: 'int8' });
  const bytes = Object.fromEntries(plan.tensors.map(({ name, type, bytes }) => [name, `${type} ${bytes}`]));
  expect(bytes).toEqual({
    x: 'int8 256',
    i: 'int64 24',
    c: 'int8 384',
    m: 'int8 384',
    // It was float16.
    h: 'int8 384',
    y: 'int8 384',
    k: 'int64 8',
  });
  expect(
    Object.fromEntries(plan.constants.map(({ name, type, bytes }) => [name, `${type} ${bytes}`])),
  ).toEqual({
    w: 'int8 24',
    b: 'int32 24',
    rest: 'int8 6',
    at: 'int64 8',
  });
});

it('knows a bias that became one by fusion', () => {
  const added: ModelSpec = {
    inputs: { x: ['float32', [1, 4, 8, 8]] },
    outputs: ['y'],
    initializers: { w: tensor('float32', [6, 4, 1, 1]), b: tensor('float32', [6, 1, 1]) },
    nodes: [node('Conv', ['x', 'w'], ['c']), node('Add', ['c', 'b'], ['y'])],
  };
  const typeOf = (fuse: 'none' | 'default') =>
    planSpec(added, { assume: 'int8', fuse }).constants.find(({ name }) => name === 'b')?.type;
  expect([typeOf('none'), typeOf('default')]).toEqual(['int8', 'int32']);
});

it('takes a bias that the network computes for an activation', () => {
  const computed: ModelSpec = {
    inputs: { x: ['float32', [1, 4, 8, 8]], b: ['float32', [6]] },
    outputs: ['y'],
    initializers: { w: tensor('float32', [6, 4, 1, 1]) },
    nodes: [node('Conv', ['x', 'w', 'b'], ['y'])],
  };
  const { tensors } = planSpec(computed, { assume: 'int8' });
  expect(tensors.find(({ name }) => name === 'b')).toMatchObject({ type: 'int8', bytes: 6 });
});

it('reaches into bodies', () => {
  const body = (op: string, out: string) => graph({ nodes: [node(op, ['x'], [out])], outputs: [out] });
  const { tensors } = planSpec(
    {
      inputs: { x: ['float32', [16]], c: ['bool', []] },
      outputs: ['y'],
      nodes: [
        node(
          'If',
          ['c'],
          ['y'],
          { then_branch: body('Relu', 't'), else_branch: body('Neg', 'e') },
          { name: 'if' },
        ),
      ],
    },
    { assume: 'int8' },
  );
  expect(tensors.map(({ name, bytes }) => `${name} ${bytes}`).sort()).toEqual(
    ['c 1', 'if/else_branch/e 16', 'if/then_branch/t 16', 'x 16', 'y 16'].sort(),
  );
});

it('is marked as an estimate wherever the plan is shown', () => {
  const plan = planFused(spec, { assume: 'int8' });
  expect(plan.assumptions.assume).toBe('int8');
  expect(plan.diagnostics.find(({ code }) => code === 'W_ESTIMATE')?.text).toContain('--assume int8');
  expect(parsePlan(jsonText(plan))).toEqual(plan);
  expect(summary(plan, { paint: plain, columns: 100 })).toContain('ESTIMATE');
  expect(markdown(plan)).toContain('ESTIMATE');
  expect(headerOf(plan)).toContain('ESTIMATE');
});

it('changes nothing without being asked', () => {
  const plan = planSpec(spec);
  expect('assume' in plan.assumptions).toBe(false);
  for (const text of [summary(plan, { paint: plain, columns: 100 }), markdown(plan), headerOf(plan)])
    expect(text).not.toContain('ESTIMATE');
});
