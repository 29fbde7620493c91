/** Everything that memplan prints as JSON is what its published schema says, and the schemas refuse what is not. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { cli, emptyFolder } from '../cli/run.ts';
import { elfFile } from '../support/elf.ts';
import { mismatches, schemaFile, schemaFiles } from '../support/json-schema.ts';
import { graph, model, node, tensor } from '../support/onnx.ts';

/** Views, in-place writes, a weight, a body: every kind of entry that a plan has. */
const NET = model({
  inputs: { x: ['float32', ['batch', 4, 4]], c: ['bool', [1]] },
  outputs: { y: ['float32', ['batch', 16]] },
  initializers: { w: tensor('float32', [16], new Array(16).fill(1)) },
  nodes: [
    node('Softmax', ['x'], ['a'], {}, { name: 'softmax' }),
    node('Flatten', ['a'], ['b'], {}, { name: 'flat' }),
    node('Add', ['b', 'w'], ['d']),
    node('If', ['c'], ['y'], {
      then_branch: graph({ nodes: [node('Relu', ['d'], ['t'])], outputs: { t: ['float32', ['batch', 16]] } }),
      else_branch: graph({ nodes: [node('Neg', ['d'], ['e'])], outputs: { e: ['float32', ['batch', 16]] } }),
    }),
  ],
});
const root = join(import.meta.dirname, '../..');
/** An integer network: quantisation on tensors. */
const KWS = join(root, 'examples/kws-int8/kws-int8.onnx');

let cwd = '';
beforeEach(() => {
  cwd = emptyFolder();
  writeFileSync(join(cwd, 'net.onnx'), NET);
  writeFileSync(join(cwd, 'p.csv'), 'id,lower,upper,size\na,0,2,64\nb,1,4,32\n');
  writeFileSync(join(cwd, 'firmware.elf'), elfFile([{ name: '.bss', address: 0x24000000, size: 64 }], []));
});
const json = async (...argv: string[]) => JSON.parse((await cli([...argv, '--json'], { cwd })).stdout);
const PLAN = ['net.onnx', '--target', 'stm32h743', '--dim', 'batch=1'];

test.each<[string, string[]]>([
  ['plan', PLAN],
  ['plan', [...PLAN, '--no-views', '--no-in-place', '--keep', 'a', '--io', 'external', '--align', '64']],
  ['plan', [...PLAN, '--budget', '1', '--target', 'cortex-m4']],
  ['plan', [...PLAN, '--assume', 'int8']],
  ['plan', [...PLAN, '--buffers', 'x=2', '--dma', 'x']],
  ['plan', [...PLAN.slice(0, -2), '--bucket', 'batch=1,2']],
  ['plan', [...PLAN, '--place', 'fastest', '--dma', 'x=DMA1', '--pin', 'b=SRAM1@64', '--mpu']],
  ['plan', [...PLAN, '--forbid', 'b=AXISRAM', '--align-tensor', 'x=64', '--slack', 'x=3', '--dma', 'b']],
  ['plan', [...PLAN, '--check']],
  ['plan', [KWS, '--target', 'stm32f411re']],
  ['plan', [KWS, '--target', 'stm32f411re', '--fuse', 'default']],
  ['sweep', [KWS, '--target', 'stm32f411re', '--scale-input', '0.5,1']],
  ['error', ['net.onnx', '--target', 'stm32h743']],
  ['error', ['--wrong']],
  ['error', ['none.onnx', '--target', 'none']],
  ['solution', ['solve', 'p.csv']],
  ['solution', ['solve', 'p.csv', '--capacity', '1']],
  ['verdict', ['verify', 'p.json']],
  ['firmware', ['check-elf', 'firmware.elf', '--plan', 'p.json']],
  ['shapes', ['shapes', 'net.onnx']],
  ['shapes', ['shapes', 'net.onnx', '--dim', 'batch=1']],
  ['explanation', ['explain', ...PLAN, '--tensor', 'b']],
  ['explanation', ['explain', ...PLAN, '--node', 'flat']],
  ['explanation', ['explain', ...PLAN, '--node', 'flat', '--weights', 'stage']],
  ['explanation', ['explain', ...PLAN, '--tensor', 'w']],
  ['explanation', ['explain', ...PLAN, '--tensor', 'w', '--weights', 'ram']],
  ['explanation', ['explain', ...PLAN, '--tensor', 'w', '--weights', 'stage']],
  ['reuse', ['explain', ...PLAN, '--reuse']],
  ['reuse', ['explain', KWS, '--target', 'stm32f411re', '--reuse']],
  ['operators', ['ops']],
  ['operators', ['ops', 'Conv']],
  ['target', ['targets', 'stm32h743']],
  ['targets', ['targets']],
])('%s: memplan %j', async (schema, argv) => {
  writeFileSync(join(cwd, 'p.json'), JSON.stringify(await json(...PLAN)));
  expect(mismatches(`${schema}.schema.json`, await json(...argv))).toEqual([]);
});

test('several models', async () => {
  const models = [{ file: 'net.onnx', dim: { batch: 1 } }, 'none.onnx'];
  writeFileSync(join(cwd, 'memplan.config.json'), JSON.stringify({ target: 'rp2040', models }));
  const document = await json();
  expect(document.plans).toHaveLength(2);
  expect(mismatches('plans.schema.json', document)).toEqual([]);
});

test('diff', async () => {
  writeFileSync(join(cwd, 'a.json'), JSON.stringify(await json(...PLAN)));
  writeFileSync(
    join(cwd, 'b.json'),
    JSON.stringify(await json(...PLAN.slice(0, -1), 'batch=2', '--no-views')),
  );
  writeFileSync(join(cwd, 'c.json'), JSON.stringify(await json(KWS, '--target', 'rp2040')));
  for (const other of ['a.json', 'b.json', 'c.json']) {
    expect(mismatches('diff.schema.json', await json('diff', 'a.json', other))).toEqual([]);
  }
}, 60_000);

test('files: plan.json, and the first configuration', async () => {
  await cli([...PLAN, '--emit', 'json'], { cwd });
  await cli(['init', 'net.onnx'], { cwd });
  const read = (name: string) => JSON.parse(readFileSync(join(cwd, name), 'utf8'));
  expect(mismatches('plan.schema.json', read('plan.json'))).toEqual([]);
  expect(mismatches('config.schema.json', read('memplan.config.json'))).toEqual([]);
});

test('every built-in target file', () => {
  const folder = join(root, 'src/target/data');
  for (const file of readdirSync(folder)) {
    const target = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    expect(mismatches('target.schema.json', target, false), file).toEqual([]);
  }
});

describe('the schemas', () => {
  test('each has a title, its own name as its id, and says which draft it follows', () => {
    for (const file of schemaFiles()) {
      expect(schemaFile(file)).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: file,
        title: expect.any(String),
      });
    }
  });

  test.each<[string, unknown]>([
    ['plan', null],
    ['plan', {}],
    ['error', { schema: 1, error: { code: 'E', message: '', hint: null }, diagnostics: [] }],
    ['error', { schema: 2, error: { code: 'E_X', message: '', hint: null }, diagnostics: [{}] }],
    ['diagnostic', { kind: 'error', code: 'E_USAGE', text: '', hint: null, node: null, tensor: 1 }],
    ['diagnostic', { kind: 'fault', code: 'E_USAGE', text: '', hint: null, node: null, tensor: null }],
    ['diagnostic', { kind: 'error', code: 'usage', text: '', hint: null, node: null, tensor: null }],
    ['solution', { bytes: -1 }],
    ['target', { id: 'x' }],
    ['target', { id: 'x', extends: 'y', flashBytes: '2 MB' }],
    ['target', { id: 'x y', extends: 'y' }],
    ['target', { id: 'x', extends: 'y', regions: [{ size: 4 }] }],
  ])('%s refuses %j', (schema, value) => {
    expect(mismatches(`${schema}.schema.json`, value, false)).not.toEqual([]);
  });

  test('a whole plan with one thing wrong is refused, whatever it is', async () => {
    const plan = await json(...PLAN);
    const wrongs: readonly [path: readonly (string | number)[], value: unknown][] = [
      [['schema'], 2],
      [['fits'], 'yes'],
      [['models', 0, 'sha256'], 'x'],
      [['steps', 0, 'liveBytes'], 1.5],
      [['steps', 0, 'extra'], 1],
      [['tensors', 0, 'type'], 'float'],
      [['tensors', 0, 'offset'], -1],
      [['tensors', 0, 'how'], 'magic'],
      [['buffers', 0, 'alignment'], 0],
      [['regions', 0, 'capacity'], '1K'],
      [['totals', 'arenaBytes'], null],
      [['diagnostics', 0, 'code'], 'X'],
    ];
    for (const [path, value] of wrongs) {
      const copy = structuredClone(plan);
      const last = path.at(-1)!;
      const holder = path.slice(0, -1).reduce((into, key) => into[key], copy);
      holder[last] = value;
      expect(mismatches('plan.schema.json', copy), path.join('.')).not.toEqual([]);
    }
    for (const key of Object.keys(plan)) {
      const { [key]: _, ...rest } = plan;
      expect(mismatches('plan.schema.json', rest).length > 0, key).toBe(!['fusion', 'options'].includes(key));
    }
  });
});
