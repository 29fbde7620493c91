/** The bare-metal example builds with make, runs, and builds anew only what changed. */
import { cpSync, existsSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { install } from '../cli/installed.ts';
import { emptyFolder } from '../support/generated.ts';
import { missing, run } from '../support/tools.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SCORES = /^output 0: 0\.\d{3}\n(output \d+: 0\.\d{3}\n){11}arena (\d+) bytes, weights (\d+) bytes$/m;

describe.skipIf(missing('make', 'arm-none-eabi-gcc', 'qemu-system-arm') !== undefined)('bare metal', () => {
  let home = '';
  let memplan = '';
  let folder = '';

  beforeAll(async () => {
    const installed = await install();
    home = installed.home;
    memplan = `MEMPLAN='${process.execPath}' '${installed.bin}'`;
    cpSync(join(ROOT, 'runtime'), join(home, 'runtime'), { recursive: true });
    folder = join(emptyFolder(), 'bare-metal-m7');
    for (const part of ['bare-metal-m7', 'kws', 'kws-int8']) {
      cpSync(join(ROOT, 'examples', part), join(folder, '..', part), { recursive: true });
    }
    rmSync(join(folder, 'build'), { recursive: true, force: true });
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const make = (...args: readonly string[]) => run('make', [memplan, '-j2', ...args], folder);

  it('prints the scores of the float and of the int8 network', async () => {
    const float = await make('run');
    expect(float).toMatchObject({ status: 0, output: expect.stringMatching(SCORES) });
    const int8 = await make('run', 'BUILD=build/int8', 'MODEL=../kws-int8/kws-int8.onnx');
    expect(int8).toMatchObject({ status: 0, output: expect.stringMatching(SCORES) });
    const best = (output: string) =>
      [...output.matchAll(/output (\d+): (0\.\d+)/g)].sort((a, b) => Number(b[2]) - Number(a[2]))[0]![1];
    expect(best(int8.output)).toBe(best(float.output));
  });

  it.each(['an386', 'an547'])('gives the same results on %s', async (board) => {
    const here = (...more: readonly string[]) => make('run', ...more);
    const results = (output: string) => output.slice(output.indexOf('output 0'));
    const m7 = await here('BUILD=build/int8', 'MODEL=../kws-int8/kws-int8.onnx');
    const other = await here(`BOARD=${board}`, `BUILD=build/${board}`, 'MODEL=../kws-int8/kws-int8.onnx');
    expect(other).toMatchObject({ status: 0, output: expect.stringMatching(SCORES) });
    expect(results(other.output)).toBe(results(m7.output));
  });

  it('compiles nothing when nothing changed, and nothing when only the time of the model did', async () => {
    expect((await make('all')).output).not.toContain('gcc');
    const model = join(folder, '../kws/kws.onnx');
    const later = new Date(statSync(join(folder, 'build/net.stamp')).mtimeMs + 5000);
    utimesSync(model, later, later);
    const { status, output } = await make('all');
    expect(status).toBe(0);
    expect(output).toContain('--emit runner');
    expect(output).not.toContain('gcc');
  });

  it('runs under the check build', async () => {
    expect(await make('check')).toMatchObject({ status: 0, output: expect.stringMatching(SCORES) });
    expect(existsSync(join(folder, 'build/check/firmware.elf'))).toBe(true);
  });
});
