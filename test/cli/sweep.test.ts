/** --scale-input on the command line: a table of arenas, nothing written. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { model, node, tensor } from '../support/onnx.ts';
import { cli, emptyFolder } from './run.ts';

/** Softmax needs its input and its output: two images of 3 colours. */
const IMAGE = model({
  inputs: { x: ['float32', [1, 3, 64, 64]] },
  outputs: ['y'],
  nodes: [node('Softmax', ['x'], ['y'], {}, { name: 'softmax' })],
});
const arena = (size: number, bytes = 4) => 2 * 3 * size * size * bytes;

/** A classifier whose weights fix the resolution at 8 x 8. */
const FIXED = model({
  inputs: { x: ['float32', [1, 3, 8, 8]] },
  outputs: ['y'],
  initializers: { w: tensor('float32', [192, 10]) },
  nodes: [node('Flatten', ['x'], ['f']), node('Gemm', ['f', 'w'], ['y'], {}, { name: 'fc' })],
});

let cwd = '';
beforeEach(() => {
  cwd = emptyFolder();
  writeFileSync(join(cwd, 'image.onnx'), IMAGE);
  writeFileSync(join(cwd, 'fixed.onnx'), FIXED);
});

const run = (file: string, ...flags: string[]) => cli([file, '--target', 'stm32h743', ...flags], { cwd });

describe('--scale-input', () => {
  test('prints a line per resolution, and writes nothing', async () => {
    const { code, stdout } = await run('image.onnx', '--scale-input', '0.5,1,4');
    expect(code).toBe(0);
    expect(stdout).toContain('ESTIMATE');
    expect(stdout).toMatch(/0\.5 {2}x \[1,3,32,32\] +24,576 /);
    expect(stdout).toMatch(/1 {2}x \[1,3,64,64\] +98,304 /);
    expect(stdout).toMatch(/4 {2}x \[1,3,256,256\] +1,572,864 .*DOES NOT FIT/);
    expect(readdirSync(cwd).sort()).toEqual(['fixed.onnx', 'image.onnx']);
  });

  test('with --json says the same as data', async () => {
    const { code, stdout } = await run('image.onnx', '--json', '--assume', 'int8', '--scale-input', '0.5,1');
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    expect(document.schema).toBe(1);
    expect(document.sweep).toMatchObject([
      { factor: 0.5, inputs: [{ name: 'x', shape: [1, 3, 32, 32] }], arenaBytes: arena(32, 1), fits: true },
      { factor: 1, inputs: [{ name: 'x', shape: [1, 3, 64, 64] }], arenaBytes: arena(64, 1), fits: true },
    ]);
  });

  test('keeps the place of a resolution that the model cannot have', async () => {
    const { code, stdout } = await run('fixed.onnx', '--scale-input', '0.5,1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/0\.5 .*cannot be planned/);
    expect(stdout).toMatch(/1 {2}x \[1,3,8,8\]/);
    expect(stdout).toMatch(/0\.5: fc: /);
  });

  test('ends with 1 where none fits, with 2 where none can be planned', async () => {
    expect((await run('image.onnx', '--scale-input', '4')).code).toBe(1);
    const none = await run('fixed.onnx', '--scale-input', '0.5');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('fc: ');
  });

  test.each(['0', '-1', 'x', '0.5,,x', ''])('refuses "%s"', async (factors) => {
    const { code, stderr } = await run('image.onnx', '--scale-input', factors);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--scale-input/);
  });

  test.each([['--check'], ['--depfile', 'd'], ['--stamp', 's'], ['--emit', 'json']])(
    'has no place beside %s',
    async (...flags) => {
      const { code, stderr } = await run('image.onnx', '--scale-input', '0.5', ...flags);
      expect(code).toBe(2);
      expect(stderr).toContain(`writes no files: ${flags[0]}`);
    },
  );
});

describe('--assume', () => {
  test('knows int8 alone', async () => {
    const { code, stdout, stderr } = await run('image.onnx', '--assume', 'int8', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      assumptions: { assume: 'int8' },
      totals: { arenaBytes: arena(64, 1) },
    });
    expect(stderr).toContain('W_ESTIMATE');
    expect((await run('image.onnx', '--assume', 'int4')).code).toBe(2);
  });
});

describe('--fuse default', () => {
  const CHAIN = model({
    inputs: { x: ['float32', [1, 3, 8, 8]] },
    outputs: ['y'],
    initializers: { w: tensor('float32', [3, 3, 1, 1]) },
    nodes: [
      node('Identity', ['x'], ['i'], {}, { name: 'pass' }),
      node('Conv', ['i', 'w'], ['c'], {}, { name: 'conv' }),
      node('Relu', ['c'], ['y'], {}, { name: 'relu' }),
    ],
  });

  test('says how many steps there are, what it changes, and with --verbose which', async () => {
    writeFileSync(join(cwd, 'chain.onnx'), CHAIN);
    const { code, stdout } = await run('chain.onnx', '--fuse', 'default', '--no-in-place', '-v');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /without fusion +1,536 +1\.5 KiB +fusion changes no byte, and runs 1 step instead of 3/,
    );
    expect(stdout).toContain('fused: 1 step of several nodes\n  0  conv (Conv) with relu\n');
    expect(stdout).toContain('left out, as they change nothing: pass\n');
  });

  test('is not on by itself', async () => {
    writeFileSync(join(cwd, 'chain.onnx'), CHAIN);
    const { stdout } = await run('chain.onnx', '--json');
    const plan = JSON.parse(stdout);
    expect(plan.assumptions.fuse).toBe('none');
    expect('fusion' in plan).toBe(false);
    expect(plan.steps.length).toBe(3);
  });

  test('explains that a tensor is gone', async () => {
    writeFileSync(join(cwd, 'chain.onnx'), CHAIN);
    const argv = [
      'explain',
      'chain.onnx',
      '--target',
      'stm32h743',
      '--fuse',
      'default',
      '--tensor',
      'between',
    ];
    const { code, stderr } = await cli(argv, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('--fuse none');
  });
});
