/**
 * Runs every command that the documentation shows, and compares what it prints with what is shown.
 * `npx vitest run test/docs -u` puts the true outputs into the pages.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLES, ARCHITECTURES as LARGE } from '../../examples/models/catalogue.ts';
import { install } from '../cli/installed.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { missing } from '../support/tools.ts';
import { type Block, blocksOf, isShown, withOutputs } from './page.ts';

const root = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  'examples/browser/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** Models that pages name as `light:NAME`: without their weights. */
const ARCHITECTURES = [...LARGE, ...EXAMPLES];

/** Every page finds this in its folder. */
const MODEL = 'examples/kws/kws.onnx';

const FAULTY_CONFIG = {
  target: 'stm32h743',
  budjet: '256K',
  models: [{ file: 'model.onnx', dim: { batch: 'one' } }],
};

/** Files that pages name and the repository does not hold. */
const MADE: Readonly<Record<string, () => Uint8Array | string>> = {
  'faulty-config': () => JSON.stringify(FAULTY_CONFIG),
  /** A step of a stream: it hands a hidden state and a cache of the last inputs to the next run. */
  stream: () =>
    model({
      inputs: { x: ['float32', [1, 16]], h: ['float32', [1, 16]], cache: ['float32', [1, 64]] },
      outputs: { y: ['float32', [1, 16]], h_next: ['float32', [1, 16]], cache_out: ['float32', [1, 64]] },
      initializers: {
        from: tensor('int64', [1], [16]),
        to: tensor('int64', [1], [64]),
        axis: tensor('int64', [1], [1]),
      },
      nodes: [
        node('Slice', ['cache', 'from', 'to', 'axis'], ['late'], {}, { name: 'late' }),
        node('Concat', ['late', 'x'], ['cache_out'], { axis: 1 }, { name: 'push' }),
        node('Add', ['x', 'h'], ['sum'], {}, { name: 'sum' }),
        node('Tanh', ['sum'], ['h_next'], {}, { name: 'tanh' }),
        node('Relu', ['h_next'], ['y'], {}, { name: 'relu' }),
      ],
    }),
  /** A picture of three channels, of any batch size. */
  open: () =>
    model({
      inputs: { image: ['float32', ['batch', 3, 96, 96]] },
      outputs: { scores: ['float32', ['batch', 4]] },
      initializers: { w: tensor('float32', [4, 3, 3, 3]), shape: tensor('int64', [2], [0, -1]) },
      nodes: [
        node('Conv', ['image', 'w'], ['features'], { pads: [1, 1, 1, 1] }, { name: 'conv' }),
        node('GlobalAveragePool', ['features'], ['mean'], {}, { name: 'mean' }),
        node('Reshape', ['mean', 'shape'], ['scores'], {}, { name: 'flat' }),
      ],
    }),
};

let home = '';
let bin = '';
beforeAll(async () => {
  ({ home, bin } = await install());
  // The scripts of a page lie inside the package, which may import itself by its name.
  const { bundlePlanner, writeLibrary } = await import(pathToFileURL(join(root, 'scripts/bundle.mjs')).href);
  await bundlePlanner(root, join(home, 'dist'));
  writeLibrary(join(home, 'dist'));
  const programs = join(home, 'programs');
  mkdirSync(programs);
  const files = {
    memplan: `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`,
    npx: `#!/bin/sh\nexec "$@"\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(programs, name), content);
    chmodSync(join(programs, name), 0o755);
  }
}, 60_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

function put(folder: string, name: string, source: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const light = /^light:(.*)$/.exec(source)?.[1];
  if (light !== undefined) {
    const { build } = ARCHITECTURES.find(({ name }) => name === light)!;
    writeFileSync(path, build({ weights: 'light' }).encode());
    return;
  }
  const made = MADE[source];
  if (made !== undefined) writeFileSync(path, made());
  else copyFileSync(join(root, source), path);
}

/** Runs a block as one script; what it prints on both streams, and how it ended. */
function runBlock(
  { commands, files, texts }: Block,
  folder: string,
): { status: number | null; printed: string[] } {
  for (const [name, source] of files) put(folder, name, source);
  for (const [name, text] of texts) writeFileSync(join(folder, name), text);
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${join(home, 'programs')}:${process.env.PATH}` };
  // To a file, so that both streams come in the order in which they were written.
  const script = `set -e\nexec >'${join(folder, '.printed')}' 2>&1\n${commands.join('\n')}\n`;
  const { status } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
  const printed = readFileSync(join(folder, '.printed'), 'utf8');
  return { status, printed: printed.replace(/\n$/, '').split('\n') };
}

const SHOWN = PAGES.filter((name) => existsSync(join(root, name)))
  .map((name) => ({ name, page: readFileSync(join(root, name), 'utf8') }))
  .map(({ name, page }) => ({ name, page, blocks: blocksOf(page) }))
  .filter(({ blocks }) => blocks.length > 0);

/** True when a program is not there that the block runs; then its output stays as it is shown. */
function lacks({ commands }: Block): boolean {
  const named = commands.map((command) => command.split(' ')[0]!);
  const compiling = named.some((program) => program === 'make' || program === 'cmake');
  return (
    compiling &&
    missing(...new Set(named.filter((name) => /^c?make$/.test(name))), 'gcc', 'ninja') !== undefined
  );
}

describe.each(SHOWN)('$name', ({ name, page, blocks }) => {
  test('its commands end as it says, and print what it shows', async () => {
    const folder = join(home, name.replace(/\W/g, '_'));
    mkdirSync(folder);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    put(folder, 'model.onnx', MODEL);
    const outputs = blocks.map((block) => {
      if (block.skipped !== undefined || lacks(block)) return undefined;
      const { status, printed } = runBlock(block, folder);
      expect(status, `${name}:${block.line}\n${block.commands.join('\n')}\n${printed.join('\n')}`).toBe(
        block.exit,
      );
      return printed;
    });
    await expect(withOutputs(page, blocks, outputs)).toMatchFileSnapshot(join(root, name));
  });
});

test('the pages show commands at all, and few of them cannot be run', () => {
  const all = SHOWN.flatMap(({ blocks }) => blocks);
  expect(all.length).toBeGreaterThan(5);
  expect(all.filter(({ skipped }) => skipped !== undefined).length).toBeLessThanOrEqual(2);
});

test('how a page is read', () => {
  const page = [
    'Text',
    '',
    '<!-- file: Makefile -->',
    '```make',
    'all:',
    '\tmemplan x',
    '```',
    '',
    '<!-- files: model.onnx=open b=c -->',
    '<!-- exit 1 -->',
    '',
    '    npx memplan model.onnx',
    '    other',
    '',
    '```text',
    'a',
    '...',
    'z',
    '```',
    '',
    '<!-- not run: because -->',
    '```sh',
    'memplan diff a b',
    '```',
    '```c',
    'memplan no',
    '```',
  ].join('\n');
  const [first, second, ...others] = blocksOf(page);
  expect(first).toEqual({
    commands: ['npx memplan model.onnx'],
    exit: 1,
    skipped: undefined,
    files: new Map([
      ['model.onnx', 'open'],
      ['b', 'c'],
    ]),
    texts: new Map([['Makefile', 'all:\n\tmemplan x\n']]),
    line: 12,
    output: { from: 15, to: 17 },
  });
  expect(second).toMatchObject({
    commands: ['memplan diff a b'],
    exit: 0,
    skipped: 'because',
    output: undefined,
  });
  expect(others).toEqual([]);
  expect(withOutputs(page, [first!], [['a', 'b', 'c', 'z']])).toBe(page);
  expect(withOutputs(page, [first!], [['new']])).toContain('```text\nnew\n```');
  expect(isShown(['a', '...'], ['a'])).toBe(true);
  expect(isShown(['a'], ['a', 'b'])).toBe(false);
});
