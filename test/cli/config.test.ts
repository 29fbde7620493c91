import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { exampleEntry } from '../../src/cli/config/forms.ts';
import { configRows } from '../../src/cli/config/keys.ts';
import { mergeOptions } from '../../src/cli/config/merge.ts';
import { readConfig } from '../../src/cli/config/read.ts';
import { MemplanError } from '../../src/errors.ts';
import { model, node } from '../support/onnx.ts';
import { cli, emptyFolder } from './run.ts';

/** A chain of two element-wise operators in place: one tensor of 4 * width bytes per batch entry. */
const chain = (width: number, batch: number | string = 1) =>
  model({
    inputs: { x: ['float32', [batch, width]] },
    outputs: { y: ['float32', [batch, width]] },
    nodes: [node('Relu', ['x'], ['a']), node('Relu', ['a'], ['y'])],
  });

let cwd = '';
beforeEach(() => {
  cwd = emptyFolder();
  mkdirSync(join(cwd, 'models'));
  mkdirSync(join(cwd, 'a/b'), { recursive: true });
  put('models/small.onnx', chain(16));
  put('models/large.onnx', chain(256));
  put('models/open.onnx', chain(16, 'batch'));
});

function put(name: string, content: string | Uint8Array | object): void {
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(join(cwd, name), isText ? content : JSON.stringify(content));
}
const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
const run = (...argv: string[]) => cli(argv, { cwd });
const config = (content: object) => put('memplan.config.json', content);
const plan = (name: string) => JSON.parse(text(name));

describe('which file', () => {
  const SETTINGS = { target: 'stm32h743', emit: ['json'], models: ['models/small.onnx'] };

  test('memplan.config.json of the folder, and it is named', async () => {
    config(SETTINGS);
    const { code, stderr } = await run();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^settings from memplan\.config\.json\n/);
    expect(plan('plan.json').models[0].file).toBe('small.onnx');
  });

  test('of a folder above: its paths start from there, those of flags from here', async () => {
    config({ ...SETTINGS, out: 'gen' });
    const below = (...argv: string[]) => cli(argv, { cwd: join(cwd, 'a/b') });
    const { code, stdout, stderr } = await below();
    expect(code).toBe(0);
    expect(stderr).toContain(`settings from ${join('..', '..', 'memplan.config.json')}\n`);
    expect(stdout).toContain(`written    ${join('..', '..', 'gen', 'plan.json')}\n`);
    expect(readdirSync(join(cwd, 'gen'))).toEqual(['plan.json']);
    await below('--out', 'here');
    expect(readdirSync(join(cwd, 'a/b/here'))).toEqual(['plan.json']);
  });

  test('"memplan" of package.json, behind a file of its own in the same folder', async () => {
    put('package.json', { name: 'x', memplan: { ...SETTINGS, name: 'fromManifest', emit: ['h'] } });
    await run('-q');
    expect(readdirSync(cwd)).toContain('fromManifest.h');
    config({ ...SETTINGS, name: 'fromFile', emit: ['h'] });
    await run('-q');
    expect(readdirSync(cwd)).toContain('fromFile.h');
  });

  test('a package.json that only depends on memplan, or is broken without naming it, is passed over', async () => {
    config(SETTINGS);
    put('a/package.json', { devDependencies: { memplan: '*' } });
    put('a/b/package.json', '{ broken');
    expect((await cli(['-q'], { cwd: join(cwd, 'a/b') })).code).toBe(0);
  });

  test('--config FILE, --no-config', async () => {
    config({ models: 'wrong' });
    put('a/other.json', { ...SETTINGS, models: ['../models/small.onnx'], out: 'out' });
    expect((await run('--config', 'a/other.json', '-q')).code).toBe(0);
    expect(readdirSync(join(cwd, 'a/out'))).toEqual(['plan.json']);
    put('a/package.json', { memplan: { ...SETTINGS, models: ['../models/small.onnx'], out: 'two' } });
    expect((await run('--config', 'a/package.json', '-q')).code).toBe(0);
    expect(readdirSync(join(cwd, 'a/two'))).toEqual(['plan.json']);
    const without = await run('models/small.onnx', '--no-config', '--target', 'stm32h743', '-q');
    expect(without.code).toBe(0);
    put('a/package.json', {});
    expect((await run('--config', 'a/package.json')).stderr).toContain(
      'error E_CONFIG: a/package.json has no key',
    );
    expect((await run('--config', 'none.json')).stderr).toMatch(/error E_FILE: .*none\.json/);
  });

  test('nothing is said with --quiet, and --json stays one document', async () => {
    config(SETTINGS);
    expect(await run('-q')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await run('--json')).stdout).schema).toBe(1);
  });
});

describe('what holds for a model', () => {
  test('flags over its entry over what all share, by name where there are names', async () => {
    config({
      target: 'stm32h743',
      emit: ['json'],
      reserve: { AXISRAM: '16K' },
      dim: { batch: 2 },
      preserveInputs: true,
      inPlace: false,
      models: [{ file: 'models/open.onnx', reserve: { AXISRAM: 4096 }, out: 'open' }, 'models/small.onnx'],
    });
    await run('models/open.onnx', '-q');
    expect(plan('open/plan.json')).toMatchObject({
      assumptions: { preserveInputs: true, inPlace: false },
      regions: [{ reserved: 4096 }],
      tensors: expect.arrayContaining([expect.objectContaining({ name: 'x', shape: [2, 16] })]),
    });
    await run('./models/open.onnx', '-q', '--dim', 'batch=3', '--reserve', 'AXISRAM=1K', '--out', 'flags');
    expect(plan('flags/plan.json')).toMatchObject({
      regions: [{ reserved: 1024 }],
      tensors: expect.arrayContaining([expect.objectContaining({ name: 'x', shape: [3, 16] })]),
    });
  });

  test('a model that is not listed has what all share', async () => {
    config({ target: 'stm32h743', emit: ['json'], models: ['models/small.onnx'] });
    expect((await run('models/large.onnx', '-q')).code).toBe(0);
    expect(plan('plan.json').models[0].file).toBe('large.onnx');
  });

  test('explain and shapes take what they understand', async () => {
    config({
      target: 'stm32h743',
      dim: { batch: 5 },
      budget: '1K',
      map: undefined,
      models: ['models/open.onnx'],
    });
    const explained = await run('explain', 'models/open.onnx', '--tensor', 'a');
    expect(explained.stdout).toMatch(/^a float32 \[5,16\]/);
    expect((await run('shapes', 'models/open.onnx')).stdout).toMatch(/^a +Relu +float32 +\[5,16\] +320$/m);
    expect((await run('shapes', 'models/open.onnx', '--no-config')).stdout).toContain('[batch,16]');
  });

  test.each<[object, object, object]>([
    [{ dim: ['a=1', 'b=2'] }, { dim: ['b=3'] }, { dim: ['a=1', 'b=3'] }],
    [{ inputShape: ['x:0:1,2'] }, { inputShape: ['x:1:3'] }, { inputShape: ['x:0:1,2', 'x:1:3'] }],
    [{ budget: ['256K', 'DTCM=1K'] }, { budget: ['1K'] }, { budget: ['DTCM=1K', '1K'] }],
    [{ keep: ['a', 'b'] }, { keep: ['c'] }, { keep: ['c'] }],
    [{ out: 'a', views: false }, { out: 'b' }, { out: 'b', views: false }],
    [{ out: 'a' }, { out: undefined }, { out: 'a' }],
  ])('%j under %j', (below, above, merged) => {
    expect(mergeOptions(below as never, above as never)).toEqual(merged);
  });
});

describe('several models', () => {
  const BOTH = {
    target: 'stm32h743',
    models: ['models/small.onnx', { file: 'models/large.onnx', prefix: 'BIG', target: 'nrf52840' }],
  };

  test('each on its own, its files called after it, and an overview', async () => {
    config(BOTH);
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(readdirSync(cwd).filter((name) => /\.[hc]$/.test(name))).toEqual([
      ...['large.c', 'large.h', 'small.c', 'small.h'],
    ]);
    expect(text('large.h')).toContain('#define BIG_ARENA_SIZE');
    expect(text('small.h')).toContain('#define SMALL_ARENA_SIZE');
    expect(stdout).toMatch(/^models\/small\.onnx +stm32h743 +64 +0\.01 % of AXISRAM +ok$/m);
    expect(stdout).toMatch(/^models\/large\.onnx +nrf52840 +1,024 +0\.4 % of RAM +ok$/m);
  });

  test('the exit code is the worst, and no C is written when one fails', async () => {
    config({
      ...BOTH,
      budget: 512,
      emit: ['h', 'json'],
      models: [
        { file: 'models/small.onnx', out: 's' },
        { file: 'models/large.onnx', out: 'l' },
      ],
    });
    const { code, stdout, stderr } = await run();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^models\/large\.onnx .*E_OVER_BUDGET$/m);
    expect(stderr).toContain('models/large.onnx\nerror E_OVER_BUDGET');
    expect(readdirSync(join(cwd, 's'))).toEqual(['plan.json']);
    expect(readdirSync(join(cwd, 'l'))).toEqual(['plan.json']);
    expect(plan('s/plan.json').fits).toBe(true);
    put('models/large.onnx', 'no model');
    const broken = await run();
    expect(broken.code).toBe(2);
    expect(broken.stdout).toMatch(/^models\/large\.onnx +stm32h743 +E_NOT_ONNX$/m);
    expect(broken.stdout).toMatch(/^ {2}arena +64 /m);
  });

  test('--json: one document with a plan or an error for each', async () => {
    put('models/large.onnx', 'no model');
    config(BOTH);
    const { code, stdout } = await run('--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 1,
      plans: [
        { schema: 1, fits: true },
        { schema: 1, error: { code: 'E_NOT_ONNX' } },
      ],
    });
  });

  test('two that would write one file are refused before anything is written', async () => {
    config({ ...BOTH, emit: ['h', 'json'] });
    const { code, stderr } = await run();
    expect(code).toBe(2);
    expect(stderr).toContain('models/small.onnx and models/large.onnx would both write plan.json');
    expect(readdirSync(cwd).filter((name) => /\.(h|json)$/.test(name))).toEqual(['memplan.config.json']);
    config({ ...BOTH, name: 'same', emit: ['h'] });
    expect((await run()).stderr).toContain('would both write same.h');
  });

  test('a shared depfile names the files of all, and the configuration among what they were made from', async () => {
    put('chip.json', { extends: 'stm32h743', id: 'mine' });
    config({ ...BOTH, target: 'chip.json', emit: ['h'], depfile: 'a.d' });
    expect((await run('-q')).code).toBe(0);
    expect(text('a.d')).toMatch(
      /^small\.h large\.h: \\\n {2}models\/small\.onnx \\\n {2}chip\.json \\\n {2}memplan\.config\.json \\\n {2}models\/large\.onnx\n/,
    );
  });

  test('one model for two chips is two entries', async () => {
    config({
      models: [
        { file: 'models/small.onnx', target: 'stm32h743', out: 'h7' },
        { file: 'models/small.onnx', target: 'rp2040', out: 'pico' },
      ],
    });
    expect((await run('models/small.onnx', '-q')).code).toBe(0);
    expect(readdirSync(join(cwd, 'h7'))).toEqual(['small.c', 'small.h']);
    expect(readdirSync(join(cwd, 'pico'))).toEqual(['small.c', 'small.h']);
  });

  test('"files" are planned together', async () => {
    config({ target: 'stm32h743', models: [{ files: ['models/small.onnx', 'models/large.onnx'] }] });
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toContain('small.onnx + large.onnx on stm32h743zi');
  });

  test('--scale-input asks for one of them', async () => {
    config(BOTH);
    expect((await run('--scale-input', '1')).stderr).toContain('--scale-input is for one model');
  });
});

describe('faults name their place and what to paste there', () => {
  const faultsOf = (value: unknown, root = '') => {
    try {
      readConfig({ path: 'memplan.config.json', folder: '.', root, value });
    } catch (error) {
      if (error instanceof MemplanError) return error.diagnostics;
      throw error;
    }
    return [];
  };

  test.each<[unknown, string, string]>([
    [[], ': expected an object, found []', '{ "target": "stm32h743" }'],
    [{ budjet: 1 }, ': budjet: there is no such key; did you mean "budget"?', '"budget": "256K"'],
    [
      { 'input-shape': {} },
      ': input-shape: there is no such key; did you mean "inputShape"?',
      '"inputShape": { "x": [1,3,224,224] }',
    ],
    [{ models: {} }, ': models: expected a list, found {}', '"models": ['],
    [{ models: [3] }, ': models[0]: expected a path or an object with a "file", found 3', '"models": ['],
    [
      { models: ['a', { target: 'x' }] },
      ': models[1]: expected a path or an object with a "file"',
      '"models": [',
    ],
    [{ models: [{ file: 'a', files: ['b'] }] }, ': models[0]: has both "file" and "files"', '"files": '],
    [
      { models: [{ file: 'a', dim: { batch: -1 } }] },
      ': models[0].dim: "-1" is not a whole number',
      '"dim": { "batch": 1 }',
    ],
    [{ dim: 1 }, ': dim: expected an object with names as keys, found 1', '"dim": { "batch": 1 }'],
    [
      { budget: true },
      ': budget: expected an object with regions as keys, or a number or a text, found true',
      '"budget": "256K"',
    ],
    [{ budget: 'lots' }, ': budget: "lots" is not a size in bytes', '"budget": "256K"'],
    [
      { reserve: { SRAM: 'much' } },
      ': reserve: "much" is not a size in bytes',
      '"reserve": { "SRAM": "16K" }',
    ],
    [{ out: 5 }, ': out: expected a text, found 5', '"out": "build"'],
    [{ align: [] }, ': align: expected a number or a text, found []', '"align": 16'],
    [{ align: 0 }, ': align: must be at least 1', '"align": 16'],
    [{ views: 'no' }, ': views: expected true or false, found "no"', '"views": false'],
    [{ emit: 'h,exe' }, ': emit: "exe" is none of h, c,', '"emit": ["h","c"]'],
    [{ keep: [1] }, ': keep: expected a list of texts, found [1]', '"keep": ["conv1/out"]'],
    [{ io: 'nowhere' }, ': io: "nowhere" is none of arena, external', '"io": "arena"'],
    [{ name: 'a/b' }, ': name: "a/b" is no plain file name', '"name": "kws"'],
    [{ maxGrowth: 'x' }, ': maxGrowth: "x" is not a percentage', '"maxGrowth": "2%"'],
    [{ json: true }, ': json: there is no such key', 'the keys are $schema, models, target, dim,'],
  ])('%j', (value, text, hint) => {
    const [fault, ...others] = faultsOf(value);
    expect(others).toEqual([]);
    expect(fault!.code).toBe('E_CONFIG');
    expect(fault!.text).toContain(`memplan.config.json${text}`);
    expect(fault!.hint).toContain(hint);
  });

  test('all faults come together', () => {
    const found = faultsOf({ out: 1, models: [{ file: 'a', name: '' }, { files: [] }] });
    expect(found).toHaveLength(3);
  });

  test('in package.json the place starts at its key', () => {
    expect(faultsOf({ out: 1 }, 'memplan')[0]!.text).toContain('memplan.config.json: memplan.out: expected');
  });

  test('what is not JSON is named with line and column', async () => {
    put('memplan.config.json', '{\n  "target": "stm32h743",\n}');
    const { code, stderr } = await run();
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error E_CONFIG: memplan\.config\.json, line 3, column 1, is not JSON: /);
    expect(stderr).toContain('JSON has no comments');
  });
});

describe('keys', () => {
  const rows = [...configRows()];

  test('every one that is not a flag has an example that reads back without a fault', () => {
    for (const [key, row] of rows) {
      const entry = exampleEntry(row);
      const value = JSON.parse(`{${entry}}`);
      expect(Object.keys(value)).toEqual([key]);
      expect(() => readConfig({ path: 'c', folder: '.', root: '', value }), entry).not.toThrow();
    }
  });

  test('what belongs to one run is none', () => {
    const keys = rows.map(([key]) => key);
    expect(keys).toEqual(
      expect.arrayContaining(['target', 'dim', 'out', 'emit', 'views', 'budget', 'baseline']),
    );
    for (const key of ['json', 'check', 'watch', 'config', 'quiet', 'report'])
      expect(keys).not.toContain(key);
  });
});

describe('init', () => {
  test('writes what is known, and says what is a placeholder', async () => {
    const { code, stdout, stderr } = await run('init', 'models/small.onnx', 'models/open.onnx');
    expect(code).toBe(0);
    expect(stdout).toBe('  written    memplan.config.json\n');
    expect(JSON.parse(text('memplan.config.json'))).toEqual({
      $schema: './node_modules/memplan/schemas/config.schema.json',
      target: 'stm32h743',
      models: [{ file: 'models/small.onnx' }, { file: 'models/open.onnx', dim: { batch: 1 } }],
    });
    expect(stderr).toBe(
      'placeholders, to be replaced:\n' +
        '  target: memplan targets lists what is built in\n' +
        '  models[1].dim.batch: the model leaves it open\n',
    );
    expect((await run()).code).toBe(0);
  });

  test('inputs whose open dimensions have no name get a shape', async () => {
    const nameless = model({
      inputs: { x: ['float32', [null, 3, null]] },
      outputs: { y: ['float32'] },
      nodes: [node('Relu', ['x'], ['y'])],
    });
    put('nameless.onnx', nameless);
    const { stderr } = await run('init', 'nameless.onnx', '--target', 'nrf52840');
    expect(JSON.parse(text('memplan.config.json'))).toMatchObject({
      target: 'nrf52840',
      models: [{ file: 'nameless.onnx', inputShape: { x: [1, 3, -1] } }],
    });
    expect(stderr).toBe(
      'placeholders, to be replaced:\n  models[0].inputShape.x: the model gives it the shape [?,3,?]\n',
    );
    // The batch is one; no other size is guessed at.
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('E_CONFIG') });
  });

  test('named dimensions are asked for too, but for the batch', async () => {
    const named = model({
      inputs: { x: ['float32', ['batch', 3, 'height', 'width']] },
      outputs: { y: ['float32'] },
      nodes: [node('Relu', ['x'], ['y'])],
    });
    put('named.onnx', named);
    await run('init', 'named.onnx', '--target', 'nrf52840');
    expect(JSON.parse(text('memplan.config.json'))).toMatchObject({
      models: [{ file: 'named.onnx', dim: { batch: 1, height: '?', width: '?' } }],
    });
    expect(await run()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"?" is not a whole number'),
    });
  });

  test.each([
    [['none.onnx'], 'E_FILE'],
    [['models/small.onnx', '--target', 'stm32h74'], 'E_TARGET'],
    [[], 'E_USAGE'],
  ])('%j is %s, and nothing is written', async (argv, code) => {
    const ran = await run('init', ...argv);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`error ${code}: `);
    expect(readdirSync(cwd)).not.toContain('memplan.config.json');
  });

  test('a configuration that is there is left alone', async () => {
    config({});
    const { code, stderr } = await run('init', 'models/small.onnx');
    expect(code).toBe(2);
    expect(stderr).toContain('memplan.config.json exists already');
    expect(text('memplan.config.json')).toBe('{}');
  });
});
