/** Sizes that are only bounds (--dim seq=1..64, --max-size): the C says of each tensor whether its size is one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, emptyFolder } from '../cli/run.ts';
import { compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { missing, run, twoAtATime } from '../support/tools.ts';

/** x and a are as long as the sequence, m and y are not. */
const OPEN = model({
  inputs: { x: ['float32', [1, 'seq', 16]] },
  outputs: { y: ['float32', [1, 1, 4]] },
  initializers: { w: tensor('float32', [16, 4]) },
  nodes: [
    node('Relu', ['x'], ['a']),
    node('ReduceMax', ['a'], ['m'], { axes: [1], keepdims: 1 }),
    node('MatMul', ['m', 'w'], ['y']),
  ],
});
/** How many elements differ from 0 is not known; two rows of indexes. */
const FOUND = model({
  inputs: { x: ['float32', [4, 16]] },
  outputs: { y: ['int64', [2, 'n']] },
  nodes: [node('NonZero', ['x'], ['a']), node('Neg', ['a'], ['y'])],
});

async function generated(net: Uint8Array, ...flags: string[]): Promise<string> {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'net.onnx'), net);
  const argv = ['net.onnx', '--target', 'stm32h743', '--quiet', ...flags];
  expect(await cli(argv, { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

const headerOf = (dir: string) => readFileSync(join(dir, 'tensor_memory_pool.h'), 'utf8');

describe('a plan for a range of sizes', () => {
  it('names them in the comments, and what a run may have less of', async () => {
    const header = headerOf(await generated(OPEN, '--dim', 'seq=1..64'));
    expect(header).toContain('/* x: float32[1,64,16] at most, in a run [1,seq,16], input, live [0, 1) */');
    expect(header).toContain('/* y: float32[1,1,4], output, live [2, 3) */');
    expect(header).toContain('BOUNDS: valid for seq from 1 to 64.');
    const found = headerOf(await generated(FOUND, '--max-size', 'a=40'));
    // 40 elements in 2 rows.
    expect(found).toMatch(/\/\* a: int64\[2,20\] at most, in a run \[2,\?\d+\], live/);
  });

  it('of one size has no word of it', async () => {
    const header = headerOf(await generated(OPEN, '--dim', 'seq=64'));
    expect(header).not.toMatch(/at most|varies|BOUNDS/);
  });
});

describe.skipIf(missing(...PROGRAMS) !== undefined)('its table', () => {
  it('tells a firmware which sizes are bounds', async () => {
    const dir = await generated(OPEN, '--dim', 'seq=1..64', '--prefix', 'NET');
    const names = ['x', 'a', 'm', 'y'];
    const rows = names.map(
      (name) => `    printf("${name} %u\\n", (unsigned)net_table[NET_I_${name}].varies);`,
    );
    const main = `#include "tensor_memory_pool.h"\n#include <stdio.h>\nint main(void)\n{\n${rows.join('\n')}\n    return 0;\n}\n`;
    writeFileSync(join(dir, 'main.c'), main);
    const built = await run(
      'gcc',
      ['-std=c99', '-Wall', '-Werror', 'main.c', 'tensor_memory_pool.c', '-o', 'main'],
      dir,
    );
    expect(built.output).toBe('');
    expect((await run(join(dir, 'main'), [], dir)).output).toBe('x 1\na 1\nm 0\ny 0\n');
  });

  it('compiles without a warning', async () => {
    const dir = await generated(OPEN, '--dim', 'seq=1..64');
    writeFileSync(join(dir, 'use.cpp'), '#include "tensor_memory_pool.h"\n');
    const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
      compile(compiler, dir, [compiler.language === 'c' ? 'tensor_memory_pool.c' : 'use.cpp']),
    );
    expect(said.filter((words) => words !== '')).toEqual([]);
  });
});
