/** Names of models in the C: macros of several models are never one, and names with `__` trouble no C++ compiler. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import type { Plan } from '../../src/plan/types.ts';
import { cli, emptyFolder } from '../cli/run.ts';
import { compile, SOME_COMPILERS } from '../support/compilers.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { targetOf } from '../support/plans.ts';
import { planSeveral } from '../support/several.ts';
import { missing, twoAtATime } from '../support/tools.ts';

/** From x over tensors of these names to y. */
function chain(...names: string[]): GraphSketch {
  const all = ['x', ...names, 'y'];
  return {
    inputs: ['x'],
    outputs: ['y'],
    tensors: Object.fromEntries(all.map((name) => [name, [10]])),
    nodes: names.concat('y').map((name, i) => `Conv ${all[i]} -> ${name}`),
  };
}

const plan = (first: GraphSketch, second: GraphSketch, prefixes: Record<string, string>): Plan =>
  planSeveral([first, second], { prefixes: new Map(Object.entries(prefixes)) });

const headerOf = (made: Plan) => renderFiles(made, targetOf(made))[0]!.text;

describe('prefixes of several models', () => {
  it.each([
    ['tensors', chain('T_x'), chain('q'), 'A_T', 'A_T_T_x_OFFSET'],
    ['indexes', chain('I_x'), chain('q'), 'A_I', 'A_I_I_x'],
    ['an index and a size', chain('T_q_SIZE'), chain('q'), 'A_I', 'A_I_T_q_SIZE'],
    ['a tensor and the arena of the other', chain('ARENA'), chain('q'), 'A_T', 'A_T_ARENA_SIZE'],
    ['a tensor and a memory', chain('R_AXISRAM'), chain('q'), 'A_T', 'A_T_R_AXISRAM_SIZE'],
  ])('do not make one macro of two: %s', (_, first, second, prefix, macro) => {
    const made = plan(first, second, { a: 'A', b: prefix });
    expect(() => headerOf(made)).toThrow(
      `With the C prefixes A and ${prefix}, ${macro} would name two things.`,
    );
    // As the hint says.
    expect(headerOf(plan(first, second, { a: 'A', b: `${prefix}2` }))).toContain(`${prefix}2_T_q_SIZE`);
  });

  it('may look alike as long as no macros meet', () => {
    expect(headerOf(plan(chain('p'), chain('q'), { a: 'A', b: 'A_T' }))).toContain('#define A_T_T_q_SIZE');
  });
});

const SQUARE = tensor(
  'float32',
  [4, 4],
  Array.from({ length: 16 }, (_, i) => i),
);

/** y = x times weights of these names. */
function weighted(...names: string[]): Uint8Array {
  return model({
    inputs: { x: ['float32', [4, 4]] },
    outputs: { y: ['float32', [4, 4]] },
    initializers: names.map((name) => [name, SQUARE] as const),
    nodes: names.map((name, i) =>
      node('MatMul', [i === 0 ? 'x' : `t${i}`, name], [i === names.length - 1 ? 'y' : `t${i + 1}`]),
    ),
  });
}

async function ran(models: Readonly<Record<string, Uint8Array>>, ...flags: string[]) {
  const cwd = emptyFolder();
  for (const [name, bytes] of Object.entries(models)) writeFileSync(join(cwd, name), bytes);
  return { cwd, ...(await cli([...Object.keys(models), '--target', 'stm32h743', ...flags], { cwd })) };
}

describe('names of weights', () => {
  it('do not meet the tensors of another model', async () => {
    const models = { 'a.onnx': weighted('T_x'), 'a_w.onnx': weighted('w') };
    const refused = await ran(models, '--weights', 'ram');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('With the C prefixes A and A_W, A_W_T_x_OFFSET would name two things.');
    expect(refused.stderr).toContain('--prefix "a_w=A_W2"');
    expect(await ran(models, '--weights', 'ram', '--prefix', 'a_w=A_W2')).toMatchObject({ code: 0 });
    // Without copies there is nothing to meet.
    expect(await ran(models)).toMatchObject({ code: 0 });
  });

  it.skipIf(missing('clang++') !== undefined)('may hold two underscores, here as in a runner', async () => {
    const job = ['--weights', 'ram', '--emit', 'h,c,runner'];
    const { cwd, code } = await ran({ 'net.onnx': weighted('a__b', 'c') }, ...job);
    expect(code).toBe(0);
    const headers = ['', '_weights', '_runner'].map((end) => `#include "tensor_memory_pool${end}.h"\n`);
    writeFileSync(join(cwd, 'use.cpp'), headers.join(''));
    const compilers = SOME_COMPILERS.filter(({ language }) => language === 'c++');
    const said = await twoAtATime(compilers, (compiler) => compile(compiler, cwd, ['use.cpp']));
    expect(said.filter((words) => words !== '')).toEqual([]);
  });
});
