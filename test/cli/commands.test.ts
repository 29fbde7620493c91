import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { model, node, tensor } from '../support/onnx.ts';
import { cli, emptyFolder } from './run.ts';

let cwd = '';
beforeEach(() => {
  cwd = emptyFolder();
});

const put = (name: string, text: string | Uint8Array) => writeFileSync(join(cwd, name), text);
const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
const run = (...argv: string[]) => cli(argv, { cwd });

/** Two floats of 16 per batch entry; b is a view of a, y is written over b. */
const NET = model({
  inputs: { x: ['float32', ['batch', 4, 4]] },
  outputs: { y: ['float32', ['batch', 16]] },
  nodes: [
    node('Softmax', ['x'], ['a'], {}, { name: 'softmax' }),
    node('Flatten', ['a'], ['b'], {}, { name: 'flat' }),
    node('Relu', ['b'], ['y']),
  ],
});

/** Takes what NET gives. */
const RENAMED = model({
  inputs: { z: ['float32', ['batch', 16]] },
  outputs: { s: ['float32', ['batch', 16]] },
  nodes: [node('Softmax', ['z'], ['r']), node('Softmax', ['r'], ['s'])],
});

/** Sum reads x, y and w and writes over one of them: 192 bytes. At the end v and z are live: 64 of them are free. */
const THREE = model({
  inputs: { x: ['float32', [1, 16]] },
  outputs: { z: ['float32', [1, 16]] },
  nodes: [
    node('Softmax', ['x'], ['y']),
    node('Softmax', ['x'], ['w']),
    node('Sum', ['y', 'w', 'x'], ['v']),
    node('Softmax', ['v'], ['z']),
  ],
});

test('weights of a runner as numbers in C, or in a file of their own', async () => {
  copyFileSync(join(import.meta.dirname, '../../examples/kws-int8/kws-int8.onnx'), join(cwd, 'net.onnx'));
  for (const [form, isFile] of [
    ['c', false],
    ['bin', true],
  ] as const) {
    const argv = ['net.onnx', '--target', 'stm32h743', '--emit', 'runner', '--out', form];
    expect((await cli([...argv, '--runner-weights', form, '-q'], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, form, 'tensor_memory_pool_weights.c'))).toBe(true);
    expect(existsSync(join(cwd, form, 'tensor_memory_pool_weights.bin'))).toBe(isFile);
  }
});

describe('solve', () => {
  /** a and b are live at step 1, b and c at step 3: at least 96 bytes; c takes the place of a. */
  const PROBLEM = 'id,lower,upper,size,note\na,0,2,64,x\nb,1,4,32,y\nc,2,5,64,z\n';
  beforeEach(() => put('problem.csv', PROBLEM));

  test('finds the smallest plan and says that it is', async () => {
    const { code, stdout, stderr } = await run('solve', 'problem.csv');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^problem\.csv: 3 buffers, strategy /);
    expect(stdout).toMatch(/arena +96 bytes +0\.1 KiB +proved optimal/);
  });

  test('--json', async () => {
    const { stdout } = await run('solve', 'problem.csv', '--json');
    const { offsets, ...rest } = JSON.parse(stdout);
    expect(rest).toMatchObject({
      bytes: 96,
      lowerBound: 96,
      optimal: true,
      proved: true,
      strategy: expect.any(String),
      nodes: expect.any(Number),
      infeasible: null,
    });
    expect(Object.keys(offsets)).toEqual(['a', 'b', 'c']);
  });

  test('--out writes the columns and the offsets; verify accepts them', async () => {
    const { code, stdout } = await run('solve', 'problem.csv', '--out', 'a/solution.csv');
    expect(code).toBe(0);
    expect(stdout).toContain('  written    a/solution.csv\n');
    expect(text('a/solution.csv')).toMatch(
      /^id,lower,upper,size,note,offset\na,0,2,64,x,\d+\nb,1,4,32,y,\d+\n/,
    );
    const checked = await run('verify', 'a/solution.csv', '--problem', 'problem.csv');
    expect(checked).toEqual({ code: 0, stdout: 'a/solution.csv: no fault found in 3 buffers\n', stderr: '' });
  });

  test('--capacity that is enough, and one that no plan can meet', async () => {
    expect((await run('solve', 'problem.csv', '--capacity', '96')).code).toBe(0);
    const { code, stdout, stderr } = await run('solve', 'problem.csv', '--capacity', '95', '--out', 's.csv');
    expect(code).toBe(1);
    expect(stdout).toContain('DOES NOT FIT: 1 too many');
    expect(stderr).toContain('no plan can fit into 95 bytes: 96 bytes are live at one step');
    expect(() => text('s.csv')).toThrow();
    const document = JSON.parse((await run('solve', 'problem.csv', '--capacity', '95', '--json')).stdout);
    expect(document).toMatchObject({ bytes: 96, proved: true });
  });

  test('a capacity between the bound and what one strategy finds leaves the question open', async () => {
    // By start: a at 0, b at 1, and c, which overlaps b, above it at 2: 4 bytes where b and c alone need 3.
    put('open.csv', 'id,lower,upper,size\na,0,1,1\nb,0,2,1\nc,1,3,2\n');
    const args = ['solve', 'open.csv', '--strategy', 'start', '--capacity', '3'];
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ bytes: 4, lowerBound: 3, optimal: false, proved: false });
    expect(stderr).toContain('no plan was found for 3 bytes; the smallest found takes 4 bytes');
    expect((await run('solve', 'open.csv', '--capacity', '3')).code).toBe(0);
  });

  test.each([
    [['solve', 'none.csv'], 'E_FILE'],
    [['solve', '.'], 'E_FILE'],
    [['solve', 'bad.csv'], 'E_CSV'],
    [['solve', 'problem.csv', '--capacity', 'x'], 'E_USAGE'],
    [['solve', 'problem.csv', '--effort', '0'], 'E_USAGE'],
    [['solve', 'problem.csv', '--strategy', 'luck'], 'E_USAGE'],
  ])('%j is %s', async (argv, expected) => {
    put('bad.csv', 'id,lower\na,1\n');
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error ${expected}: `);
  });
});

describe('verify', () => {
  const GOOD = 'id,lower,upper,size,offset\na,0,2,64,0\nb,1,4,32,64\nc,2,5,64,0\n';

  test('a solution that shares a byte', async () => {
    put('s.csv', GOOD.replace('32,64', '32,63'));
    const { code, stdout, stderr } = await run('verify', 's.csv');
    expect(code).toBe(1);
    expect(stdout).toBe('s.csv: 2 faults found in 3 buffers\n');
    expect(stderr.match(/error E_PLAN_FAULT: /g)).toHaveLength(2);
  });

  test('a solution of another problem', async () => {
    put('s.csv', GOOD);
    put('p.csv', 'id,lower,upper,size\na,0,3,64\nd,0,1,1\nb,1,4,32\n');
    const { code, stdout, stderr } = await run('verify', 's.csv', '--problem', 'p.csv', '--json');
    expect(code).toBe(1);
    expect(stderr).toContain('Buffer c is not in the problem.');
    expect(stderr).toContain('Buffer d of the problem has no place.');
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, file: 's.csv', ok: false });
  });

  test('--capacity', async () => {
    put('s.csv', GOOD);
    expect((await run('verify', 's.csv', '--capacity', '96')).code).toBe(0);
    const { code, stderr } = await run('verify', 's.csv', '--capacity', '95');
    expect(code).toBe(1);
    expect(stderr).toContain('beyond the capacity of 95');
  });

  test('a plan, and the same plan with a shifted offset', async () => {
    put('net.onnx', NET);
    await run('net.onnx', '--target', 'stm32h743', '--dim', 'batch=1', '--emit', 'json,csv');
    expect(await run('verify', 'plan.json')).toMatchObject({ code: 0, stderr: '' });
    expect((await run('verify', 'plan.csv')).code).toBe(0);
    put('bad.json', text('plan.json').replace(/"offset": 64/g, '"offset": 60'));
    const { code, stderr } = await run('verify', 'bad.json');
    expect(code).toBe(1);
    expect(stderr).toContain('E_PLAN_FAULT');
  });

  test.each([
    [['verify', 'none.json'], 'E_FILE'],
    [['verify', 'broken.json'], 'E_JSON'],
    [['verify', 'other.json'], 'E_JSON'],
    [['verify', 'p.csv'], 'E_CSV'],
    [['verify', 'other.json', '--problem', 'p.csv'], 'E_USAGE'],
    [['verify', 'p.csv', '--capacity', 'x'], 'E_USAGE'],
  ])('%j is %s', async (argv, expected) => {
    put('broken.json', '{"schema": 1,');
    put('other.json', '{"schema": 1}');
    put('p.csv', 'id,lower,upper,size\na,0,3,64\n');
    const { code, stderr } = await run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(`error ${expected}: `);
  });
});

describe('diff', () => {
  const planInto = (out: string, ...flags: string[]) =>
    run('net.onnx', '--target', 'stm32h743', '--emit', 'json', '--out', out, ...flags);
  beforeEach(async () => {
    put('net.onnx', NET);
    await planInto('one', '--dim', 'batch=1');
    await planInto('two', '--dim', 'batch=2');
    await planInto('apart', '--dim', 'batch=1', '--no-views');
  });

  test('what grew, the largest first', async () => {
    const { code, stdout, stderr } = await run('diff', 'one/plan.json', 'two/plan.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}arena +128 +256 +\+128 +100\.0 %$/m);
    expect(stdout).toMatch(/^4 tensors changed\n {4}\+64 {2}a {2}\[1,4,4\] -> \[2,4,4\] {2}at the peak$/m);
  });

  test('the same plan', async () => {
    const { stdout } = await run('diff', 'one/plan.json', 'one/plan.json');
    expect(stdout).toContain('the plans are the same');
    expect(stdout).toContain('no tensor changed');
  });

  test('the file of buckets is named once', async () => {
    await planInto('sizes', '--bucket', 'batch=1,2');
    const { stdout } = await run('diff', 'sizes/plan.json', 'two/plan.json');
    expect(stdout.split('\n')[0]).toBe('net.onnx on stm32h743zi');
  });

  test('a change of sharing alone', async () => {
    const { stdout } = await run('diff', 'one/plan.json', 'apart/plan.json');
    expect(stdout).toMatch(/^ +0 {2}b {2}\[1,16\], view -> own/m);
  });

  test('--json', async () => {
    const document = JSON.parse((await run('diff', 'one/plan.json', 'two/plan.json', '--json')).stdout);
    expect(document).toMatchObject({
      schema: 1,
      same: false,
      arena: { old: 128, new: 256, change: 128 },
      weights: { old: 0, new: 0, change: 0 },
      regions: [{ name: 'AXISRAM', old: 128, new: 256, change: 128 }],
      peak: { old: { step: 0, node: 'softmax', bytes: 128 }, new: { step: 0, node: 'softmax', bytes: 256 } },
    });
    expect(document.tensors.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'x', 'y']);
  });

  test('what became the peak', async () => {
    const other = model({
      inputs: { x: ['float32', [1, 4, 4]] },
      outputs: { y: ['float32', [1, 64]] },
      nodes: [node('Softmax', ['x'], ['a']), node('Concat', ['a', 'a', 'a', 'a'], ['y'], { axis: 1 })],
    });
    put('other.onnx', other);
    await run('other.onnx', '--target', 'stm32h743', '--emit', 'json', '--out', 'three');
    const { stdout } = await run('diff', 'one/plan.json', 'three/plan.json');
    // 64 + 64 bytes for Softmax before; a with 64 and the four-fold y with 256 for Concat now.
    expect(stdout).toMatch(/^ {2}peak was step 0 \(softmax\) with 128$/m);
    expect(stdout).toMatch(/^ {2}peak is step 1 \(Concat #1\) with 320$/m);
    expect(stdout).toMatch(/^ {2}joined the peak: y$/m);
    expect(stdout).toMatch(/^ {2}left the peak: x$/m);
  });

  test('names the options and the target that differ', async () => {
    const flags = ['--dim', 'batch=1..2', '--preserve-inputs', '--target', 'stm32h750'];
    await planInto('other', ...flags);
    const { stdout } = await run('diff', 'one/plan.json', 'other/plan.json');
    expect(stdout).toMatch(/^ {2}planned otherwise: --target: stm32h743zi -> stm32h750/m);
    expect(stdout).toContain('  planned otherwise: --preserve-inputs: no -> yes\n');
    expect(stdout).toContain('  planned otherwise: --dim: batch=1 -> batch=1..2\n');
    expect(stdout).toMatch(/^ {2}kernel scratch +not counted +not counted +0$/m);
    const document = JSON.parse((await run('diff', 'one/plan.json', 'other/plan.json', '--json')).stdout);
    expect(document.settings.map(({ setting }: { setting: string }) => setting)).toEqual([
      'target',
      'preserveInputs',
      'ranges',
    ]);
    expect(document.scratch).toEqual({ old: null, new: null, change: 0 });
    expect((await run('diff', 'one/plan.json', 'apart/plan.json')).stdout).toContain(
      'views (--no-views): yes -> no',
    );
    expect((await run('diff', 'one/plan.json', 'two/plan.json')).stdout).toContain(
      'planned otherwise: --dim: batch=1 -> batch=2\n',
    );
    expect((await run('diff', 'one/plan.json', 'one/plan.json')).stdout).not.toContain('otherwise');
  });

  test('a baseline that was planned otherwise is warned about', async () => {
    const against = (baseline: string) => planInto('new', '--dim', 'batch=1', '--baseline', baseline);
    const { code, stderr } = await against('apart/plan.json');
    expect(code).toBe(0);
    expect(stderr).toContain('warning W_BASELINE: apart/plan.json was planned otherwise');
    expect(stderr).toContain('views (--no-views): no -> yes');
    expect((await against('one/plan.json')).stderr).not.toContain('W_BASELINE');
  });

  test.each<[string[], string]>([
    [['--align', '64'], '--align: not set -> 64'],
    [['--size-round', '8'], '--size-round: not set -> 8'],
    [['--reserve', 'DTCM=1K', '--reserve', 'AXISRAM=2K'], '--reserve: not set -> AXISRAM=2048, DTCM=1024'],
    [['--region', 'SRAM1'], '--region: not set -> SRAM1'],
    [['--place', 'fastest'], '--place: not set -> fastest'],
    [['--weights', 'ram'], '--weights: not set -> ram'],
    [['--scratch', 'softmax=64'], '--scratch: not set -> softmax=64'],
    [['--mpu'], '--mpu: not set -> yes'],
    [['--strategy', 'exact', '--effort', '9'], '--strategy: not set -> exact'],
    [['--effort', '9'], '--effort: not set -> 9'],
    [['--input-shape', 'x:1,4,4'], '--input-shape: not set -> x:1,4,4'],
    [['--pin', 'x=DTCM@64'], '--pin: not set -> x=DTCM@64'],
    [['--forbid', 'x=DTCM', '--forbid', 'y=SRAM1'], '--forbid: not set -> x=DTCM, y=SRAM1'],
    [['--dma', 'x'], '--dma: not set -> x'],
    [['--align-tensor', 'x=64'], '--align-tensor: not set -> x=64'],
    [['--slack', 'x=3'], '--slack: not set -> x=3'],
    [['--buffers', 'x=2'], '--buffers: not set -> x=2'],
    [['--state', 'x'], '--state: not set -> x'],
  ])('sees that a plan was made with %j', async (flags, said) => {
    await planInto('with', '--dim', 'batch=1', ...flags);
    const { stdout } = await run('diff', 'one/plan.json', 'with/plan.json');
    expect(stdout).toContain(`  planned otherwise: ${said}\n`);
    const back = await run('diff', 'with/plan.json', 'one/plan.json');
    const [option, sides = ''] = said.split(': ');
    expect(back.stdout).toContain(
      `  planned otherwise: ${option}: ${sides.split(' -> ').reverse().join(' -> ')}\n`,
    );
  });

  test('and, of several models, how they share the chip and which of them is planned otherwise', async () => {
    put('second.onnx', RENAMED);
    const together = (out: string, ...flags: string[]) =>
      run(
        'net.onnx',
        'second.onnx',
        '--target',
        'stm32h743',
        '--dim',
        'batch=1',
        '--emit',
        'json',
        '--out',
        out,
        ...flags,
      );
    const otherwise = async (...flags: string[]) => {
      await together('with', ...flags);
      const { stdout } = await run('diff', 'both/plan.json', 'with/plan.json');
      return stdout.split('\n').flatMap((line) => (line.startsWith('  planned') ? [line.slice(21)] : []));
    };
    await together('both');
    expect(await otherwise()).toEqual([]);
    expect(await otherwise('--run', 'concurrent')).toEqual(['--run: exclusive -> concurrent']);
    expect(await otherwise('--hold', 'net:y')).toEqual(['--hold: not set -> net:y']);
    expect(await otherwise('--run', 'joint', '--link', 'net:y=second:z')).toEqual([
      '--run: exclusive -> joint',
      '--link: not set -> net:y=second:z',
    ]);
    // Both lay nothing over an input; only one keeps an inner tensor.
    expect(await otherwise('--keep', 'net:a', '--no-in-place-inputs')).toEqual([
      'inPlaceInputs (--no-in-place-inputs): yes -> no',
      'net: --keep: not set -> a',
    ]);
  });

  test('--out without --emit is a mistake', async () => {
    const { code, stdout, stderr } = await run('diff', 'one/plan.json', 'two/plan.json', '--out', 'nowhere');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--out without --emit');
  });

  test('--emit writes it as JSON and as Markdown, whether it is a gate or not', async () => {
    const argv = ['diff', 'one/plan.json', 'two/plan.json', '--emit', 'json,md', '--out', 'seen'];
    const { code, stdout } = await run(...argv, '--max-growth', '1%');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}written {4}seen[/\\]diff\.json\n {2}written {4}seen[/\\]diff\.md\n$/m);
    const document = (await run('diff', 'one/plan.json', 'two/plan.json', '--json')).stdout;
    expect(readFileSync(join(cwd, 'seen/diff.json'), 'utf8')).toBe(document);
    // softmax reads and writes 64 bytes at batch 1.
    expect(readFileSync(join(cwd, 'seen/diff.md'), 'utf8')).toContain(
      '| arena | 128 | 256 | +128 | 100.0 % |',
    );
    const twice = await run(...argv.slice(0, 4), 'md,md', '--out', 'twice');
    expect(twice.stdout.match(/diff\.md/g)).toHaveLength(1);
    expect((await run(...argv.slice(0, 4), 'html')).stderr).toContain('--emit: "html" is none of json, md');
  });

  test('--report github annotates growth, and adds the difference to the summary of the job', async () => {
    const told = (...flags: string[]) =>
      cli(['diff', 'one/plan.json', 'two/plan.json', '--report', 'github', ...flags], {
        cwd,
        env: { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') },
      });
    expect(await told()).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await told('--max-growth', '1%');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^::error file=two\/plan\.json,title=memplan E_GROWTH::The arena has grown/);
    await run('diff', 'one/plan.json', 'two/plan.json', '--emit', 'md');
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toBe(
      readFileSync(join(cwd, 'diff.md'), 'utf8').repeat(2),
    );
  });

  test('--max-growth makes it a gate', async () => {
    const grown = (percent: string) =>
      run('diff', 'one/plan.json', 'two/plan.json', '--max-growth', percent, '-q');
    expect(await grown('100%')).toEqual({ code: 0, stdout: '', stderr: '' });
    const { code, stderr } = await grown('99%');
    expect(code).toBe(1);
    expect(stderr).toContain('error E_GROWTH: The arena has grown from 128 bytes to 256 bytes');
    expect((await grown('lots')).code).toBe(2);
  });

  test('a file that is no plan', async () => {
    put('no.json', '[]');
    expect(await run('diff', 'one/plan.json', 'no.json')).toMatchObject({ code: 2, stdout: '' });
  });
});

test('more is reserved than the region has', async () => {
  put('net.onnx', NET);
  const reserve = (bytes: string) =>
    run(
      'net.onnx',
      '--dim',
      'batch=1',
      '--target',
      'stm32h743',
      '--reserve',
      `AXISRAM=${bytes}`,
      '--no-config',
    );
  const { code, stderr } = await reserve('600K');
  expect(code).toBe(2);
  expect(stderr).toContain('E_USAGE: --reserve AXISRAM=614400: the region AXISRAM has 524288 bytes.');
  expect((await reserve('512K')).stderr).not.toContain('E_USAGE');
});

describe('explain', () => {
  const explain = (...flags: string[]) =>
    run('explain', 'net.onnx', '--target', 'stm32h743', '--dim', 'batch=1', ...flags);
  beforeEach(() => put('net.onnx', NET));

  test('a tensor that shares its bytes', async () => {
    const { code, stdout } = await explain('--tensor', 'b');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^b float32 \[1,16\], 64 bytes, activation\n/);
    expect(stdout).toMatch(/^ {2}written by +step 1, flat \(Flatten\)$/m);
    expect(stdout).toMatch(/^ {2}read by +step 2, Relu #2 \(Relu\)$/m);
    expect(stdout).toMatch(/^ {2}ends there +its last read is step 2, Relu #2 \(Relu\)$/m);
    expect(stdout).toMatch(/^ {2}shares with +a \(own\)$/m);
    expect(stdout).toMatch(/^ {2}shares with +y \(in-place\)$/m);
  });

  test.each([
    ['a', [], 'x: Softmax may not write over what it reads'],
    ['b', ['--no-views'], 'a: --no-views forbids it'],
    ['y', ['--no-in-place'], 'b: --no-in-place forbids it'],
    ['y', ['--keep', 'a'], 'b: its bytes are also those of a, which must stay'],
    ['y', ['--keep', 'b'], 'b: --keep: its bytes stay to the end'],
    ['y', ['--io', 'external'], 'b: the caller owns the memory of this tensor'],
    ['a', ['--io', 'external'], 'x: the caller owns its memory'],
  ])('why %s does not share, with %j', async (tensor, flags, why) => {
    const { stdout } = await explain('--tensor', tensor, ...flags);
    expect(stdout).toContain(why);
  });

  test.each([
    ['x', [], 'ends there   its last read is step 0, softmax (Softmax)'],
    ['x', ['--preserve-inputs'], 'ends there   --preserve-inputs: its bytes stay to the end'],
    ['x', ['--async-io'], 'ends there   it may be filled or drained during a run (--async-io)'],
    ['a', ['--keep', 'a'], 'ends there   --keep: its bytes stay to the end'],
    ['y', [], 'ends there   it is a graph output: its bytes stay to the end'],
    ['x', [], 'written by   the caller, before the first step'],
  ])('what keeps %s alive, with %j', async (tensor, flags, why) => {
    expect((await explain('--tensor', tensor, ...flags)).stdout).toContain(why);
  });

  test('what would fit beside it', async () => {
    expect((await explain('--tensor', 'a')).stdout).toMatch(
      /^ {2}beside it +the arena is full while it lives$/m,
    );
    put('three.onnx', THREE);
    const { stdout } = await run(
      'explain',
      'three.onnx',
      '--target',
      'stm32h743',
      '--tensor',
      'z',
      '--no-config',
    );
    expect(stdout).toMatch(
      /^ {2}beside it +64 bytes would fit at \d+: nothing else lies there while it lives$/m,
    );
    expect((await explain('--tensor', 'x', '--io', 'external')).stdout).not.toContain('beside it');
  });

  test('a node, by name and by place', async () => {
    const byName = await explain('--node', 'softmax');
    expect(byName.stdout).toMatch(/^softmax \(Softmax\), step 0: 128 bytes live, 100\.0 % of the peak\n/);
    expect(byName.stdout).toMatch(/^ {2}reads +64 {2}x {2}float32 \[1,4,4\]$/m);
    expect(byName.stdout).toMatch(/^ {2}writes +64 {2}a {2}float32 \[1,4,4\]$/m);
    expect(await explain('--node', '#0')).toEqual(byName);
  });

  test('--json', async () => {
    expect(JSON.parse((await explain('--tensor', 'b', '--json')).stdout)).toMatchObject({
      schema: 1,
      tensor: { name: 'b' },
      writtenBy: { step: 1, node: 'flat', op: 'Flatten' },
    });
    expect(JSON.parse((await explain('--node', '#2', '--json')).stdout)).toMatchObject({ step: { step: 2 } });
  });

  describe('a weight', () => {
    const weighted = (...flags: string[]) =>
      run(
        'explain',
        'weighted.onnx',
        '--target',
        'stm32h743',
        '--region',
        'AXISRAM',
        '--no-config',
        ...flags,
      );
    /** Two rows by [16, 64], then by [64, 16]: x 128 bytes, a 512, y 128; u and v 4096 each, read once for each row. */
    beforeEach(() =>
      put(
        'weighted.onnx',
        model({
          inputs: { x: ['float32', [2, 16]] },
          outputs: { y: ['float32', [2, 16]] },
          initializers: { u: tensor('float32', [16, 64]), v: tensor('float32', [64, 16]) },
          nodes: [
            node('MatMul', ['x', 'u'], ['a'], {}, { name: 's0' }),
            node('MatMul', ['a', 'v'], ['y'], {}, { name: 's1' }),
          ],
        }),
      ),
    );

    test.each([
      [['u'], ['place        flash, not in the arena', 'read by      step 0, s0 (MatMul)']],
      [
        ['u', '--weights', 'ram'],
        [
          'place        copy in AXISRAM + 640, buffer 3',
          'because      a run reads each of its bytes 2 times',
          'live         steps 0 to 1',
          'comes        from flash, once, before the first run',
          'fullest at   step 0, s0 (MatMul): 8,832 bytes live; live at the peak',
          'beside it    the arena is full while it lives',
        ],
      ],
      [
        ['u', '--weights', 'hybrid', '--reserve', `AXISRAM=${512 * 1024 - 1024}`],
        [
          'place        flash, not in the arena',
          'because      a run reads each of its bytes 2 times: what is read more often took the room above',
        ],
      ],
      [
        ['u', '--weights', 'stage'],
        ['live         step 0', 'comes        from flash, in every run, right before step 0, s0 (MatMul)'],
      ],
      [
        ['v', '--weights', 'stage'],
        [
          'live         steps 0 to 1',
          'comes        from flash, in every run, while step 0, s0 (MatMul) runs',
        ],
      ],
    ])('%j', async (flags, lines) => {
      const { code, stdout } = await weighted('--tensor', ...flags);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^[uv] float32 \[\d+,\d+\], 4,096 bytes, weight\n/);
      for (const line of lines) expect(stdout).toContain(`  ${line}`);
    });

    test('a node has the copies that are live beside its tensors', async () => {
      const staged = await weighted('--node', 's0', '--weights', 'stage');
      // x 128, a 512, u and the v that comes for the next step 4096 each.
      expect(staged.stdout).toMatch(/^s0 \(MatMul\), step 0: 8,832 bytes live/);
      expect(staged.stdout).toMatch(/^ {2}copies of +4,096 {2}u$\n^ +4,096 {2}v$/m);
      expect((await weighted('--node', 's1', '--weights', 'stage')).stdout).toMatch(
        /^ {2}copies of +4,096 {2}v$/m,
      );
      expect((await weighted('--node', 's0')).stdout).not.toContain('copies of');
    });

    test('of several models', async () => {
      const { stdout } = await weighted('net.onnx', '--dim', 'batch=1', '--tensor', 'v', '--weights', 'ram');
      expect(stdout).toMatch(/^weighted:v float32/);
      expect(stdout).toContain('  read by      step 1, weighted:s1 (MatMul)');
    });
  });

  test('a weight of buckets is read by the steps of each', async () => {
    put(
      'open.onnx',
      model({
        inputs: { x: ['float32', ['n', 4]] },
        outputs: { y: ['float32', ['n', 4]] },
        initializers: { w: tensor('float32', [4, 4]) },
        nodes: [node('MatMul', ['x', 'w'], ['y'], {}, { name: 'm' })],
      }),
    );
    const flags = ['--bucket', 'n=1,8', '--weights', 'ram', '--tensor', 'w'];
    expect((await run('explain', 'open.onnx', '--target', 'stm32h743', ...flags)).stdout).toContain(
      'read by      step 0, open@n=1:m (MatMul); step 1, open@n=8:m (MatMul)',
    );
  });

  test.each([
    [['--tensor', 'bb'], 'the plan has no tensor "bb"'],
    [['--node', 'softmin'], 'did you mean softmax?'],
    [['--node', '#9'], 'the model has no node #9'],
    [[], 'say which tensor or which node'],
    [['--node', 'flat', '--tensor', 'b'], 'say which tensor or which node'],
  ])('%j', async (flags, part) => {
    const { code, stderr } = await explain(...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(part);
  });
});

describe('shapes', () => {
  beforeEach(() => put('net.onnx', NET));

  test('with symbols, and with sizes', async () => {
    const open = await run('shapes', 'net.onnx');
    expect(open.code).toBe(0);
    expect(open.stdout).toMatch(/^b +Flatten +float32 +\[batch,16\] +\?$/m);
    expect(open.stdout).toContain('open: batch (--dim batch=1)');
    const bound = await run('shapes', 'net.onnx', '--dim', 'batch=2');
    expect(bound.stdout).toMatch(/^b +Flatten +float32 +\[2,16\] +128$/m);
    expect(bound.stdout).not.toContain('open:');
  });

  test('--json', async () => {
    const { stdout } = await run('shapes', 'net.onnx', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 1,
      model: { name: 'net', file: 'net.onnx', opset: { 'ai.onnx': 17 } },
      open: ['batch'],
      tensors: [
        { name: 'x', role: 'input', op: null, type: 'float32', shape: ['batch', 4, 4], bytes: null },
        { name: 'a', op: 'Softmax', shape: ['batch', 4, 4] },
        { name: 'b', op: 'Flatten', shape: ['batch', 16], constant: false },
        { name: 'y', role: 'output', op: 'Relu' },
      ],
      diagnostics: [],
    });
  });

  test('faults', async () => {
    expect((await run('shapes', 'none.onnx')).code).toBe(2);
    expect((await run('shapes', 'net.onnx', '--dim', 'batch')).code).toBe(2);
  });
});

describe('targets and ops', () => {
  test('the list names every target and its arena region', async () => {
    const { code, stdout } = await run('targets');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^stm32h743zi +cortex-m7 +AXISRAM +512 KiB +2 MiB +stm32h743, /m);
    expect(stdout.trim().split('\n').length).toBeGreaterThan(86);
  });

  test('one target: its memory map and sources', async () => {
    const { stdout } = await run('targets', 'stm32h743');
    expect(stdout).toMatch(/^stm32h743zi \(ST STM32H7\)\n/);
    expect(stdout).toMatch(/^ {2}AXISRAM +0x24000000 +512 KiB +sram .*default arena/m);
    expect(stdout).toMatch(/^ {2}ITCM .*not for data unless asked$/m);
    expect(stdout).toContain('\nSources\n');
  });

  test('a file of one’s own', async () => {
    put(
      'chip.json',
      '{"id":"mine","cpu":{"core":"cortex-m4"},"regions":[{"name":"RAM","origin":536870912,"size":1000}]}',
    );
    expect((await run('targets', 'chip.json')).stdout).toMatch(/^ {2}RAM +0x20000000 +1,000 bytes /m);
  });

  test('--json: a target in the form of target files, and the list', async () => {
    const target = JSON.parse((await run('targets', 'stm32h743', '--json')).stdout);
    expect(target).toMatchObject({ id: 'stm32h743zi', cpu: { core: 'cortex-m7' }, main: 'AXISRAM' });
    const list = JSON.parse((await run('targets', '--json')).stdout);
    expect(list.targets).toEqual(expect.arrayContaining([target]));
  });

  test('an unknown target', async () => {
    expect(await run('targets', 'stm32h74')).toMatchObject({ code: 2, stdout: '' });
  });

  test('an operator with a slip of the pen', async () => {
    expect((await run('ops', 'Cnov')).stderr).toContain('did you mean Conv');
    expect((await run('ops', 'Xyzzyplugh')).stderr).toContain('memplan ops lists what is known');
  });

  test('operators', async () => {
    const { code, stdout } = await run('ops');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Relu +1 +1 +in-place \(input 0\) .*1, 6, 13, 14$/m);
    expect(stdout).toMatch(/^Reshape .* view /m);
    expect((await run('ops', 'conv')).stdout).toMatch(/^Conv +2-3 +1 .*1, 11, 22$/m);
    const [relu] = JSON.parse((await run('ops', 'Relu', '--json')).stdout).operators;
    expect(relu).toMatchObject({ op: 'Relu', domain: '', since: [1, 6, 13, 14], until: null, inPlace: [0] });
    expect(await run('ops', 'Cnv')).toMatchObject({ code: 2, stdout: '' });
  });
});
