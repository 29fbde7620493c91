/** --watch as a process of its own: it has no end but Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { model, node, tensor } from '../support/onnx.ts';
import { install } from './installed.ts';

/** Softmax needs its operand and its result: two tensors of 4 * width bytes. */
const softmax = (width: number) =>
  model({
    inputs: { x: ['float32', [1, width]] },
    outputs: { y: ['float32', [1, width]] },
    nodes: [node('Softmax', ['x'], ['y'])],
  });

let home = '';
let bin = '';
let cwd = '';
let child: ChildProcess | undefined;
let output = '';
let count = 0;

beforeAll(async () => {
  ({ home, bin } = await install());
}, 60_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

beforeEach(() => {
  cwd = join(home, `watch ${++count}`);
  mkdirSync(cwd);
  output = '';
  put('net.onnx', softmax(16));
});
afterEach(() => child?.kill('SIGKILL'));

function put(name: string, content: string | Uint8Array): void {
  writeFileSync(join(cwd, name), content);
}

function start(...args: string[]): void {
  child = spawn(process.execPath, [bin, ...args, '--watch'], { cwd, stdio: 'pipe' });
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (part) => {
      output += part;
    });
  }
}

/** Waits until it has printed this since the last time, and forgets it. */
async function said(pattern: RegExp): Promise<void> {
  const before = child!.exitCode;
  for (;;) {
    const found = pattern.exec(output);
    if (found !== null) {
      output = output.slice(found.index + found[0].length);
      return;
    }
    if (child!.exitCode !== before) throw new Error(`it ended:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const WAITS = /watching \d+ files?; Ctrl-C ends\n/;
const arena = (bytes: string) => new RegExp(`^ {2}arena +${bytes} `, 'm');

test('plans again when the model changes, also when it is replaced by a rename, and only then', async () => {
  start('net.onnx', '--target', 'stm32h743');
  await said(arena('128'));
  await said(WAITS);
  put('net.onnx', softmax(32));
  await said(arena('256'));
  await said(WAITS);
  put('new.onnx', softmax(64));
  renameSync(join(cwd, 'new.onnx'), join(cwd, 'net.onnx'));
  await said(arena('512'));
  await said(WAITS);
  put('other.onnx', softmax(8));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(output).toBe('');
  expect(readFileSync(join(cwd, 'tensor_memory_pool.h'), 'utf8')).toContain('- AXISRAM: 512 of 524288 bytes');
});

test('a model that is broken or gone for a while is said, and it goes on', async () => {
  start('net.onnx', '--target', 'stm32h743');
  await said(WAITS);
  put('net.onnx', 'broken');
  await said(/error E_NOT_ONNX: /);
  await said(WAITS);
  rmSync(join(cwd, 'net.onnx'));
  await said(/error E_FILE: /);
  await said(WAITS);
  put('net.onnx', softmax(16));
  await said(arena('128'));
});

test('target file, configuration and weights in files of their own are watched', async () => {
  put('w.bin', Buffer.alloc(64));
  const external = tensor('float32', [16]);
  const place = [
    { key: 'location', value: 'w.bin' },
    { key: 'length', value: '64' },
  ];
  put(
    'net.onnx',
    model({
      inputs: { x: ['float32', [1, 16]] },
      outputs: { y: ['float32', [1, 16]] },
      initializers: { w: { ...external, dataLocation: 1, externalData: place } },
      nodes: [node('Add', ['x', 'w'], ['y'])],
    }),
  );
  put('chip.json', '{ "id": "mine", "extends": "stm32h743" }');
  put('memplan.config.json', '{ "target": "chip.json", "models": ["net.onnx"] }');
  start();
  await said(/on mine /);
  await said(/watching 4 files/);
  put('chip.json', '{ "id": "other", "extends": "stm32h743" }');
  await said(/on other /);
  await said(WAITS);
  put('memplan.config.json', '{ "target": "rp2040", "models": ["net.onnx"] }');
  await said(/on rp2040 /);
  await said(WAITS);
  put('memplan.config.json', '{ "target": 5 }');
  await said(/error E_CONFIG: /);
  await said(WAITS);
  put('memplan.config.json', '{ "target": "rp2350", "models": ["net.onnx"] }');
  await said(/on rp2350 /);
  await said(WAITS);
  put('w.bin', Buffer.alloc(64, 1));
  await said(/on rp2350 /);
});

test('Ctrl-C ends it, as the shell expects', async () => {
  start('net.onnx', '--target', 'stm32h743');
  await said(WAITS);
  const ended = new Promise((resolve) => child!.on('exit', (code, signal) => resolve({ code, signal })));
  child!.kill('SIGINT');
  // A shell reports 128 plus the number of the signal: 130.
  expect(await ended).toEqual({ code: null, signal: 'SIGINT' });
});

test('a wrong command line ends at once', async () => {
  start('net.onnx', '--target', 'stm32h743', '--align', 'x');
  const code = await new Promise((resolve) => child!.on('exit', resolve));
  expect(code).toBe(2);
});
