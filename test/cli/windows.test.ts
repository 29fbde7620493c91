/** The main job as it goes on Windows: `node:path` is that of Windows, and the disk C: is a folder of the test. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { model, node, tensor } from '../support/onnx.ts';
import { cli } from './run.ts';

/** The folder that is C:. */
const disk = vi.hoisted(() => ({ root: '' }));

vi.mock('node:path', async (original) => {
  const { win32 } = await original<typeof import('node:path')>();
  return { ...win32, default: win32 };
});

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const real = (path: unknown) => {
    if (typeof path !== 'string' || !path.includes('\\')) return path;
    const slashes = path.replaceAll('\\', '/');
    // Other paths are those of the templates, which lie in this repository.
    return /^[A-Z]:/.test(path) ? disk.root + slashes.slice(2) : slashes;
  };
  type Call = (...args: readonly unknown[]) => unknown;
  const names = [
    ...['openSync', 'statSync', 'existsSync', 'readFileSync', 'writeFileSync', 'mkdirSync', 'readdirSync'],
    ...['rmSync', 'unlinkSync', 'utimesSync', 'lstatSync', 'realpathSync', 'chmodSync', 'accessSync'],
  ] as const;
  const one = names.map((name) => {
    const call = fs[name as keyof typeof fs] as Call;
    return [name, (path: unknown, ...rest: unknown[]) => call(real(path), ...rest)];
  });
  const renameSync = (from: unknown, to: unknown) => (fs.renameSync as Call)(real(from), real(to));
  return { ...fs, ...Object.fromEntries(one), renameSync };
});

/** Weights in a file of their own, in a folder below the model's. */
function net(): Uint8Array {
  const externalData = [
    { key: 'location', value: 'weights\\w.bin' },
    { key: 'length', value: '64' },
  ];
  return model({
    inputs: { x: ['float32', [1, 16]] },
    outputs: { y: ['float32', [1, 16]] },
    nodes: [node('Add', ['x', 'w'], ['y'])],
    initializers: { w: { ...tensor('float32', [16]), dataLocation: 1, externalData } },
  });
}

const CWD = 'C:\\Users\\Some One\\firmware';
const here = (path: string) => `${disk.root}/Users/Some One/firmware/${path}`;
const memplan = (...argv: string[]) => cli(argv, { cwd: CWD });

beforeAll(() => {
  disk.root = mkdtempSync(`${tmpdir()}/memplan-windows-`);
  mkdirSync(here('models/weights'), { recursive: true });
  mkdirSync(here('boards'));
  writeFileSync(here('models/net.onnx'), net());
  writeFileSync(here('models/weights/w.bin'), new Uint8Array(64));
  const board = {
    id: 'board',
    cpu: { core: 'cortex-m7' },
    regions: [{ name: 'SRAM', origin: '0x20000000', size: '64K' }],
  };
  writeFileSync(here('boards/chip.json'), JSON.stringify(board));
});
afterAll(() => rmSync(disk.root, { recursive: true, force: true }));

describe('paths with backslashes', () => {
  test('reach models, weights, targets and outputs', async () => {
    const { code, stdout, stderr } = await memplan(
      ...['models\\net.onnx', '--target', 'boards\\chip.json', '--out', 'build\\gen'],
      ...['--depfile', 'build\\plan.d', '--stamp', 'build\\plan.stamp', '--emit', 'h,c,json'],
    );
    expect(stderr).not.toMatch(/^error|W_EXTERNAL_DATA/m);
    expect(code).toBe(0);
    expect(stdout).toContain('net.onnx on board');
    for (const file of ['gen/tensor_memory_pool.h', 'gen/tensor_memory_pool.c', 'gen/plan.json']) {
      expect(existsSync(here(`build/${file}`)), file).toBe(true);
    }
    const plan = JSON.parse(readFileSync(here('build/gen/plan.json'), 'utf8'));
    expect(plan.models[0]).toMatchObject({ file: 'net.onnx', cPrefix: 'NET' });
  });

  test('a depfile has forward slashes, which make and ninja read everywhere', () => {
    expect(readFileSync(here('build/plan.d'), 'utf8').split('\n\n')[0]).toBe(
      [
        'build/plan.stamp: \\',
        '  models/net.onnx \\',
        '  models/weights/w.bin \\',
        '  boards/chip.json',
      ].join('\n'),
    );
  });

  test('absolute ones are left alone', async () => {
    const { code, stdout } = await memplan(
      `${CWD}\\models\\net.onnx`,
      ...['--target', 'stm32h743', '--out', 'C:\\elsewhere'],
    );
    expect(code).toBe(0);
    expect(stdout).toContain('written    C:\\elsewhere\\tensor_memory_pool.h');
    expect(existsSync(`${disk.root}/elsewhere/tensor_memory_pool.c`)).toBe(true);
  });

  test('weights may not leave the folder of the model that way', async () => {
    const bytes = Buffer.from(net());
    bytes.write('..\\..\\win.bin', bytes.indexOf('weights\\w.bin'));
    writeFileSync(here('models/outside.onnx'), bytes);
    const { code, stderr } = await memplan('models\\outside.onnx', '--target', 'stm32h743');
    expect(code).toBe(2);
    expect(stderr).toContain("outside the model's folder");
  });
});

describe('settings', () => {
  test('init writes paths that other systems read, and the settings are found from a folder below', async () => {
    expect((await memplan('init', 'models\\net.onnx', '--target', 'stm32h743')).code).toBe(0);
    const config = JSON.parse(readFileSync(here('memplan.config.json'), 'utf8'));
    expect(config.models).toEqual([{ file: 'models/net.onnx' }]);
    mkdirSync(here('src'));
    const { code, stderr } = await cli([], { cwd: `${CWD}\\src` });
    expect(stderr).toContain('settings from ..\\memplan.config.json');
    expect(code).toBe(0);
  });
});
