import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { Plan } from '../../src/plan/types.ts';
import { model, node } from '../support/onnx.ts';
import { cli, emptyFolder, type Ran } from './run.ts';

/**
 * A residual block over 16 floats, 64 bytes per tensor. Relu writes over x, Add over one of its operands; Softmax
 * needs both a and b. So two tensors are live at the peak: 128 bytes, and no plan can be smaller.
 */
const BLOCK = model({
  inputs: { x: ['float32', ['batch', 16]] },
  outputs: { y: ['float32', ['batch', 16]] },
  nodes: [
    node('Relu', ['x'], ['a'], {}, { name: 'relu' }),
    node('Softmax', ['a'], ['b'], {}, { name: 'softmax' }),
    node('Add', ['a', 'b'], ['y'], {}, { name: 'add' }),
  ],
});
const ARENA = 128;
const C = ['tensor_memory_pool.c', 'tensor_memory_pool.h'];

let cwd = '';
beforeEach(() => {
  cwd = emptyFolder();
  writeFileSync(join(cwd, 'block.onnx'), BLOCK);
});

/** The main job with the model's open dimension bound. */
function plan(...flags: string[]): Promise<Ran> {
  return cli(['block.onnx', '--target', 'stm32h743', '--dim', 'batch=1', ...flags], { cwd });
}

const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
const json = (stdout: string): Plan => JSON.parse(stdout);
/** What is in the folder besides the model. */
const files = () =>
  readdirSync(cwd)
    .filter((name) => name !== 'block.onnx')
    .sort();

describe('a plan that fits', () => {
  test('writes the C, reports on stdout, warns on stderr, exits 0', async () => {
    const { code, stdout, stderr } = await plan();
    expect(code).toBe(0);
    expect(files()).toEqual(C);
    expect(stdout).toMatch(/^block\.onnx on stm32h743zi \(cortex-m7\)\n {2}3 steps in the order of the file/);
    expect(stdout).toMatch(/^ {2}arena +128 /m);
    expect(stdout).toMatch(/^ {2}lower bound +128 +reached: proved optimal/m);
    expect(stdout).toContain('  written    tensor_memory_pool.h\n  written    tensor_memory_pool.c\n');
    expect(stderr).toMatch(/^warning W_SCRATCH: /);
    expect(stderr).not.toContain('error');
  });

  test('again: nothing is written, and every byte is the same', async () => {
    const first = await plan();
    const before = C.map(text);
    for (const name of C) utimesSync(join(cwd, name), 1e6, 1e6);
    const { stdout } = await plan();
    expect(stdout).toBe(first.stdout.replaceAll('written  ', 'unchanged'));
    expect(C.map(text)).toEqual(before);
    for (const name of C) expect(statSync(join(cwd, name)).mtimeMs).toBe(1e9);
  });

  test('--out, --name and --emit say what is written where', async () => {
    const { stdout } = await plan('--out', 'gen/a b', '--name', 'kws', '--emit', 'h,json,csv,md');
    expect(readdirSync(join(cwd, 'gen/a b')).sort()).toEqual(['kws.h', 'plan.csv', 'plan.json', 'plan.md']);
    expect(stdout).toContain(`  written    ${join('gen/a b', 'kws.h')}\n`);
    expect(files()).toEqual(['gen']);
  });

  test('--json: stdout is the plan and nothing else, and plan.json is the same', async () => {
    const { code, stdout, stderr } = await plan('--json', '--emit', 'json');
    expect(code).toBe(0);
    expect(json(stdout)).toMatchObject({ schema: 1, fits: true, totals: { arenaBytes: ARENA } });
    expect(text('plan.json')).toBe(stdout);
    expect(stderr).toContain('written    plan.json');
  });

  test('-q: not a word', async () => {
    expect(await plan('-q')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('-q --json: the document alone', async () => {
    const { stdout, stderr } = await plan('-q', '--json');
    expect(json(stdout).fits).toBe(true);
    expect(stderr).toBe('');
  });

  test('--map draws it, --verbose and --debug do not hurt', async () => {
    const { stdout } = await plan('--map', '--verbose', '--debug');
    expect(stdout).toContain('map of AXISRAM: 128 bytes');
    expect(stdout).toMatch(/^ +0 +64 +\[0, 1\) +x +float32 \[1,16\]$/m);
    expect(stdout).toMatch(/^ +0 +64 +\[0, 3\) +a +float32 \[1,16\] +in-place of x$/m);
    expect((await plan()).stdout).not.toContain('map of');
  });

  test('--header-only and --table reach the C', async () => {
    await plan('--header-only', '--table', 'none', '--prefix', 'NET');
    expect(files()).toEqual(['tensor_memory_pool.h']);
    expect(text('tensor_memory_pool.h')).toContain('NET_ARENA_SIZE');
  });

  test('options reach the plan', async () => {
    const { stdout } = await plan(
      ...['--json', '--no-in-place', '--no-views', '--preserve-inputs', '--io', 'external'],
      ...['--keep', 'a', '--async-io', '--region', 'DTCM', '--reserve', 'DTCM=16K', '--align', '64'],
    );
    const found = json(stdout);
    expect(found.assumptions).toMatchObject({
      inPlace: false,
      views: false,
      preserveInputs: true,
      asyncIo: true,
      io: 'external',
      keep: ['a'],
    });
    expect(found.regions[0]).toMatchObject({ name: 'DTCM', reserved: 16384 });
    expect(found.buffers.every(({ alignment }) => alignment === 64)).toBe(true);
  });

  test('--size-round and --strategy', async () => {
    const { stdout } = await plan('--json', '--size-round', '100', '--strategy', 'size', '--effort', '10');
    const found = json(stdout);
    expect(found.buffers.every(({ bytes }) => bytes === 100)).toBe(true);
    expect(found.regions[0]!.strategy).toBe('size');
  });
});

describe('a gate that fails', () => {
  test('over budget: exit 1, no C, the report and what to do', async () => {
    const { code, stdout, stderr } = await plan('--budget', '100', '--emit', 'h,c,json,md');
    expect(code).toBe(1);
    expect(files()).toEqual(['plan.json', 'plan.md']);
    expect(json(text('plan.json'))).toMatchObject({ fits: false });
    expect(text('plan.md')).toContain('**E_OVER_BUDGET**');
    expect(stdout).toMatch(/^ {2}arena +128 /m);
    expect(stderr).toMatch(/^error E_OVER_BUDGET: /m);
    expect(stderr).toContain('28 over the budget of 100');
    expect(stderr).toContain('can fit: the lower bound is 128');
    expect(stdout).toContain('  gate failed: E_OVER_BUDGET\n');
    expect(stderr).toMatch(/^ {2}hint: /m);
  });

  test('over budget with --json: the plan, marked', async () => {
    const { code, stdout } = await plan('--budget', '100', '--json');
    expect(code).toBe(1);
    expect(json(stdout)).toMatchObject({
      fits: false,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'E_OVER_BUDGET' })]),
    });
    expect(files()).toEqual([]);
  });

  test('over capacity: what is missing', async () => {
    writeFileSync(
      join(cwd, 'tiny.json'),
      JSON.stringify({
        id: 'tiny',
        cpu: { core: 'cortex-m4' },
        regions: [{ name: 'RAM', origin: 0x20000000, size: 96 }],
      }),
    );
    const args = ['block.onnx', '--target', 'tiny.json', '--dim', 'batch=1'];
    const { code, stdout, stderr } = await cli(args, { cwd });
    expect(code).toBe(1);
    expect(files()).toEqual(['tiny.json']);
    expect(stdout).toContain('DOES NOT FIT into RAM');
    expect(stdout).toMatch(/^ {2}missing +32$/m);
    expect(stderr).toContain('E_OVER_CAPACITY');
  });

  test('a failing gate leaves old C, depfile and stamp alone', async () => {
    await plan('--depfile', 'a.d', '--stamp', 'a.stamp');
    const old = [...C, 'a.d', 'a.stamp'];
    const before = old.map(text);
    for (const name of old) utimesSync(join(cwd, name), 1e6, 1e6);
    expect((await plan('--budget', '1', '--depfile', 'a.d', '--stamp', 'a.stamp', '--align', '4')).code).toBe(
      1,
    );
    expect(old.map(text)).toEqual(before);
    for (const name of old) expect(statSync(join(cwd, name)).mtimeMs).toBe(1e9);
  });

  test('--baseline and --max-growth', async () => {
    await plan('--emit', 'json', '--out', 'old');
    const grown = (...flags: string[]) =>
      cli(
        ['block.onnx', '--target', 'stm32h743', '--dim', 'batch=2', '--baseline', 'old/plan.json', ...flags],
        { cwd },
      );
    const failed = await grown('--json');
    expect(failed.code).toBe(1);
    expect(json(failed.stdout).diagnostics).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'E_GROWTH' })]),
    );
    expect(failed.stderr).toContain('from 128 bytes to 256 bytes, by 128 bytes (100.0 %)');
    expect(files()).toEqual(['old']);
    expect((await grown('--max-growth', '99%')).code).toBe(1);
    expect((await grown('--max-growth', '100%')).code).toBe(0);
    expect((await plan('--baseline', 'old/plan.json')).code).toBe(0);
    expect((await plan('--baseline', 'none.json')).code).toBe(2);
  });

  test('--check: stale, missing and current files, and nothing is written', async () => {
    const fresh = await plan('--check');
    expect(fresh.code).toBe(1);
    expect(fresh.stderr.match(/error E_STALE/g)).toHaveLength(2);
    expect(files()).toEqual([]);
    await plan();
    const current = await plan('--check');
    expect(current.code).toBe(0);
    const found = json((await plan('--check', '--json')).stdout);
    expect(found.diagnostics.some(({ code }) => code === 'E_STALE')).toBe(false);
    expect(current.stdout).toContain('  current    tensor_memory_pool.h\n');
    const changed = `${text('tensor_memory_pool.h')}\n`;
    writeFileSync(join(cwd, 'tensor_memory_pool.h'), changed);
    const stale = await plan('--check');
    expect(stale.code).toBe(1);
    expect(stale.stdout).toContain('  stale      tensor_memory_pool.h\n');
    expect(stale.stderr).toContain('tensor_memory_pool.h is not what would be written');
    const marked = json((await plan('--check', '--json')).stdout);
    expect(marked.diagnostics).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'E_STALE' })]),
    );
    expect(text('tensor_memory_pool.h')).toBe(changed);
  });
});

describe('--check prints a diff of what is stale', () => {
  test('from the disk to what would be written, which patch applies', async () => {
    await plan('--align', '64');
    const wanted = text('tensor_memory_pool.h');
    const stale = wanted.replace(/AXISRAM: 128/, 'AXISRAM: 127').replace(/\n$/, '\nby hand\n');
    writeFileSync(join(cwd, 'tensor_memory_pool.h'), stale);
    const { code, stdout } = await plan('--align', '64', '--check', '--verbose');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^--- tensor_memory_pool\.h\n\+\+\+ tensor_memory_pool\.h\n@@ /m);
    expect(stdout).toMatch(/^-.*AXISRAM: 127 .*\n\+.*AXISRAM: 128 /m);
    expect(stdout).toMatch(/^-by hand$/m);
    const diff = stdout.slice(stdout.indexOf('--- tensor_memory_pool.h'));
    const { status } = spawnSync('patch', ['-s', '-p0'], { cwd, input: diff, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(text('tensor_memory_pool.h')).toBe(wanted);
  });

  test('a long one is cut, and of a file that is missing nothing is shown', async () => {
    await plan();
    writeFileSync(join(cwd, 'tensor_memory_pool.h'), 'a\n'.repeat(500));
    rmSync(join(cwd, 'tensor_memory_pool.c'));
    const { stdout, stderr } = await plan('--check');
    expect(stdout).toMatch(/^[\d,]+ more lines of this diff; --verbose shows all$/m);
    expect(stdout.split('\n').length).toBeLessThan(80);
    expect(stdout).not.toContain('+++ tensor_memory_pool.c');
    expect(stderr).toContain('tensor_memory_pool.c does not exist');
    expect((await plan('--check', '--verbose')).stdout).toContain('+++ tensor_memory_pool.c');
  });

  test('with --json it goes to stderr, with --quiet nowhere', async () => {
    await plan();
    writeFileSync(join(cwd, 'tensor_memory_pool.h'), '');
    const { stdout, stderr } = await plan('--check', '--json');
    expect(json(stdout).fits).toBe(true);
    expect(stderr).toContain('+++ tensor_memory_pool.h');
    expect((await plan('--check', '--quiet')).stdout).toBe('');
  });
});

describe('depfile and stamp', () => {
  test('the depfile names what the result was made from', async () => {
    writeFileSync(join(cwd, 'chip.json'), JSON.stringify({ extends: 'stm32h743zi', id: 'mine' }));
    const args = [
      'block.onnx',
      '--target',
      'chip.json',
      '--dim',
      '*=1',
      '--out',
      'gen',
      '--depfile',
      'gen/a.d',
    ];
    expect((await cli(args, { cwd })).code).toBe(0);
    expect(text('gen/a.d')).toMatch(
      /^gen\/tensor_memory_pool\.h gen\/tensor_memory_pool\.c: \\\n {2}block\.onnx \\\n {2}chip\.json\n/,
    );
  });

  test('with a stamp the stamp is what depends; it is touched every time', async () => {
    const args = ['--depfile', 'a.d', '--stamp', 'a.stamp'];
    await plan(...args);
    expect(text('a.d')).toMatch(/^a\.stamp: \\\n {2}block\.onnx\n/);
    utimesSync(join(cwd, 'a.stamp'), 1e6, 1e6);
    await plan(...args);
    expect(statSync(join(cwd, 'a.stamp')).mtimeMs).toBeGreaterThan(1e9);
  });

  test.each(['--depfile', '--stamp'])('%s that cannot be written leaves no C', async (flag) => {
    mkdirSync(join(cwd, 'folder'));
    const { code, stderr } = await plan(flag, 'folder');
    expect(code).toBe(2);
    expect(stderr).toContain('E_WRITE');
    expect(files()).toEqual(['folder']);
  });

  test('--check writes neither', async () => {
    await plan();
    await plan('--check', '--depfile', 'a.d', '--stamp', 'a.stamp');
    expect(files()).toEqual(C);
  });
});

describe('what cannot work', () => {
  test.each([
    [['--target', 'stm32h743'], 'E_USAGE'],
    [['block.onnx'], 'E_USAGE'],
    [['block.onnx', '--target', 'stm32h74'], 'E_TARGET'],
    [['block.onnx', '--target', 'none.json'], 'E_TARGET'],
    [['none.onnx', '--target', 'stm32h743'], 'E_FILE'],
    [['block.onnx', '--target', 'stm32h743'], 'E_OPEN_DIM'],
    [['block.onnx', '--target', 'stm32h743', '--dim', 'batch=1', '--region', 'NOWHERE'], 'E_TARGET'],
    [['block.onnx', '--target', 'stm32h743', '--dim', 'batch=1', '--keep', 'nothing'], 'E_USAGE'],
    [['block.onnx', '--target', 'stm32h743', '--dim', 'batch=1', '--strategy', 'luck'], 'E_USAGE'],
    [['block.onnx', '--target', 'stm32h743', '--input-shape', 'x:1,17'], 'E_BINDING'],
    [['block.onnx', '--target', 'stm32h743', '--bucket', 'length=1,2'], 'E_BINDING'],
    [['block.onnx', '--target', 'stm32h743', '--wrong'], 'E_USAGE'],
    [['shape', 'block.onnx'], 'E_USAGE'],
  ])('%j is %s: exit 2, nothing on stdout, no file', async (argv, expected) => {
    const { code, stdout, stderr } = await cli(argv, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^error ${expected}: `));
    expect(stderr).not.toMatch(/^ +at /m);
    expect(files()).toEqual([]);
    const document = await cli([...argv, '--json'], { cwd });
    expect(document.code).toBe(2);
    expect(JSON.parse(document.stdout)).toMatchObject({
      schema: 1,
      error: { code: expected, message: expect.any(String) },
      diagnostics: [
        expect.objectContaining({ code: expected }),
        ...JSON.parse(document.stdout).diagnostics.slice(1),
      ],
    });
  });

  test('an output folder that is a file', async () => {
    const { code, stderr } = await plan('--out', 'block.onnx');
    expect(code).toBe(2);
    expect(stderr).toContain('E_WRITE');
  });

  test('a stack trace comes only with --debug', async () => {
    const { stderr } = await cli(['none.onnx', '--target', 'stm32h743', '--debug'], { cwd });
    expect(stderr).toMatch(/^ +at /m);
  });
});

describe('colour', () => {
  const run = (env: Record<string, string>, flags: string[] = []) =>
    cli(['block.onnx', '--target', 'stm32h743', '--dim', 'batch=1', ...flags], { cwd, env, terminal: 90 });
  const ESC = '\u001b[';

  test('on a terminal, unless it is not wanted', async () => {
    const coloured = await run({});
    expect(coloured.stdout).toContain(ESC);
    expect(coloured.stderr).toContain(ESC);
    for (const plain of [
      await run({ NO_COLOR: '1' }),
      await run({ TERM: 'dumb' }),
      await run({}, ['--no-color']),
    ]) {
      expect(plain.stdout + plain.stderr).not.toContain(ESC);
    }
  });

  test('in a pipe only when it is forced', async () => {
    expect((await plan()).stdout).not.toContain(ESC);
    expect((await plan('--color')).stdout).toContain(ESC);
    expect((await plan('--color', '--json')).stdout).not.toContain(ESC);
  });

  test('faults of usage are coloured as well', async () => {
    const { stderr } = await cli(['--wrong'], { terminal: 80 });
    expect(stderr).toContain(`${ESC}31merror E_USAGE`);
    expect((await cli(['--wrong', '--no-color'], { terminal: 80 })).stderr).not.toContain(ESC);
  });
});

describe('--report github', () => {
  test('annotations on stderr, the report in the job summary', async () => {
    writeFileSync(join(cwd, 'summary.md'), '# before\n');
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const args = ['block.onnx', '--target', 'stm32h743', '--dim', 'batch=1', '--budget', '100'];
    const { code, stdout, stderr } = await cli([...args, '--report', 'github'], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^::error file=block\.onnx,title=memplan E_OVER_BUDGET::The arena needs 128 bytes/,
    );
    expect(stderr).toMatch(/%0Ahint: .*\n::warning file=block\.onnx,title=memplan W_SCRATCH::/);
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(stdout).toMatch(/^ {2}arena +128 /m);
    expect(text('summary.md')).toMatch(/^# before\n## `block\.onnx` on `stm32h743zi`\n/);
    expect(text('summary.md')).toContain('map of AXISRAM: 128 bytes');
  });

  test('with a baseline the job summary says what has changed since', async () => {
    const args = ['block.onnx', '--target', 'stm32h743', '--emit', 'json', '--quiet'];
    await cli([...args, '--dim', 'batch=1', '--out', 'main'], { cwd });
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const report = ['--report', 'github', '--baseline', 'main/plan.json', '--out', 'new'];
    expect((await cli([...args, '--dim', 'batch=2', ...report], { cwd, env })).code).toBe(1);
    await cli(['diff', 'main/plan.json', 'new/plan.json', '--emit', 'md'], { cwd });
    // 128 bytes at batch 1.
    expect(text('diff.md')).toContain('| arena | 128 | 256 | +128 | 100.0 % |');
    expect(text('summary.md').endsWith(`</details>\n\n${text('diff.md')}`)).toBe(true);
  });

  test('what cannot work is annotated too', async () => {
    const { code, stderr } = await cli(['none.onnx', '--target', 'stm32h743', '--report', 'github'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^::error file=none\.onnx,title=memplan E_FILE::/);
  });

  test('without a job summary', async () => {
    expect((await plan('--report', 'github')).code).toBe(0);
  });
});

test('help and version exit 0', async () => {
  expect(await cli(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  const { code, stdout, stderr } = await cli(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Usage:\n  memplan <model.onnx> --target');
});

test('a path may be absolute', async () => {
  const out = join(cwd, 'deep/er');
  expect((await plan('--out', out)).code).toBe(0);
  expect(existsSync(join(out, 'tensor_memory_pool.h'))).toBe(true);
});
