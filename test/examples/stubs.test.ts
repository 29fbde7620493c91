/**
 * The examples for PlatformIO and Zephyr, beside stand-ins for what neither npm nor Debian has: the script runs with the
 * environment that PlatformIO documents, the module's CMake in a project whose devicetree functions are stubs.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installed, install } from '../cli/installed.ts';
import { emptyFolder } from '../support/generated.ts';
import { model, node } from '../support/onnx.ts';
import { missing, run } from '../support/tools.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const STUBS = join(import.meta.dirname, 'stubs');

let installed: Installed;
/** As a shell would read it. */
let command = '';

beforeAll(async () => {
  installed = await install();
  command = `"${process.execPath}" "${installed.bin}"`;
});
afterAll(() => rmSync(installed.home, { recursive: true, force: true }));

/** A project folder with a model of `size` floats in and out. */
function project(size = 16): string {
  const dir = emptyFolder();
  mkdirSync(join(dir, 'my models'));
  writeModel(dir, size);
  return dir;
}

function writeModel(dir: string, size: number): void {
  const shape = [1, size];
  const spec = { inputs: { x: ['float32', shape] }, outputs: { y: ['float32', shape] } } as const;
  writeFileSync(join(dir, 'my models/kws.onnx'), model({ ...spec, nodes: [node('Relu', ['x'], ['y'])] }));
}

describe.skipIf(missing('python3') !== undefined)('the script for PlatformIO', () => {
  const MODEL = 'custom_memplan_model=my models/kws.onnx';
  const script = (dir: string, ...options: readonly string[]) => {
    const build = join(dir, 'build tree');
    const all = options.some((one) => one.startsWith('custom_memplan_command'))
      ? options
      : [...options, `custom_memplan_command=${command}`];
    const args = [join(STUBS, 'scons.py'), join(EXAMPLES, 'platformio/memplan.py'), dir, build, ...all];
    return run('python3', args, '/');
  };

  it('plans the model, and hands folder and sources to the build', async () => {
    const dir = project();
    const options = [
      MODEL,
      'custom_memplan_target=stm32h743',
      'custom_memplan_options=--prefix KWS --emit h,c,json',
    ];
    const { status, output } = await script(dir, ...options);
    expect({ status, output }).toMatchObject({ status: 0 });
    const out = join(dir, 'build tree/memplan');
    expect(JSON.parse(output.trim().split('\n').at(-1)!)).toEqual({
      append: { CPPPATH: [out] },
      sources: [[join(dir, 'build tree/memplan-objects'), out, '+<*.c>']],
    });
    const header = readFileSync(join(out, 'tensor_memory_pool.h'), 'utf8');
    expect(header).toContain('KWS_T_x_SIZE 64u');
    expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).toMatchObject({ fits: true });

    // Nothing is touched when nothing changed; another model is another header.
    const before = statSync(join(out, 'tensor_memory_pool.h')).mtimeMs;
    await script(dir, ...options);
    expect(statSync(join(out, 'tensor_memory_pool.h')).mtimeMs).toBe(before);
    writeModel(dir, 32);
    await script(dir, ...options);
    expect(readFileSync(join(out, 'tensor_memory_pool.h'), 'utf8')).toContain('KWS_T_x_SIZE 128u');
  });

  it('says which option is missing, and hands on what memplan says', async () => {
    const dir = project();
    const without = await script(dir, MODEL);
    expect(without.status).toBe(1);
    expect(without.output).toContain('platformio.ini does not say custom_memplan_target');
    const over = await script(
      dir,
      MODEL,
      'custom_memplan_target=stm32h743',
      'custom_memplan_options=--budget 16',
    );
    expect(over.status).toBe(1);
    expect(over.output).toContain('E_OVER_BUDGET');
    expect((await script(dir, MODEL, 'custom_memplan_target=nothing')).status).toBe(2);
  });
});

describe.skipIf(missing('cmake', 'ninja', 'gcc', 'readelf') !== undefined)('the module for Zephyr', () => {
  const NODE = { NODE_CHOSEN: '/soc/memory@24000000', NODE_ADDRESS: '0x24000000', NODE_SIZE: '0x80000' };

  /** A project that includes the module as Zephyr does: beside a library `app`, with the configuration as variables. */
  async function configured(
    tree: Readonly<Record<string, string>>,
    config: Readonly<Record<string, string>> = {},
  ) {
    const dir = project();
    cpSync(join(EXAMPLES, 'zephyr'), join(dir, 'module'), { recursive: true });
    writeFileSync(
      join(dir, 'app.c'),
      '#include "tensor_memory_pool.h"\nint app(void);\nint app(void) { return (int)KWS_ARENA_SIZE; }\n',
    );
    const settings = {
      ...{ BOARD: 'nucleo_h743zi', APPLICATION_SOURCE_DIR: dir, CONFIG_MEMPLAN: 'y' },
      CONFIG_MEMPLAN_MODEL: 'my models/kws.onnx',
      CONFIG_MEMPLAN_OPTIONS: '--prefix KWS',
      CONFIG_MEMPLAN_COMMAND: command,
      ...config,
    };
    const set = Object.entries({ ...settings, ...tree }).map(
      ([name, value]) => `set(${name} [==[${value}]==])`,
    );
    writeFileSync(
      join(dir, 'CMakeLists.txt'),
      [
        ...['cmake_minimum_required(VERSION 3.20)', 'project(app C)', ...set],
        ...[`include([==[${join(STUBS, 'zephyr.cmake')}]==])`, 'add_library(app STATIC app.c)'],
        'add_subdirectory(module)',
      ].join('\n'),
    );
    return { dir, ...(await run('cmake', ['-G', 'Ninja', '-B', 'build tree'], dir)) };
  }

  it('plans for the memory of the chosen node, and gives the application the C', async () => {
    const { dir, status, output } = await configured({ ...NODE, NODE_REGION: 'ARENA-1' });
    expect({ status, output }).toMatchObject({ status: 0 });
    const out = join(dir, 'build tree/module/memplan');
    expect(JSON.parse(readFileSync(join(out, 'chip.json'), 'utf8'))).toEqual({
      id: 'nucleo_h743zi',
      cpu: { core: 'cortex-m' },
      main: 'ARENA_1',
      regions: [{ name: 'ARENA_1', origin: '0x24000000', size: '0x80000', kind: 'sram' }],
    });
    const build = () => run('cmake', ['--build', 'build tree', '-j4'], dir);
    expect(await build()).toMatchObject({ status: 0 });
    const header = join(out, 'tensor_memory_pool.h');
    expect(readFileSync(header, 'utf8')).toMatch(/KWS_R_ARENA_1_ORIGIN 0x24000000u/);
    // The section that Zephyr's linker script puts into the region.
    const { output: sections } = await run('readelf', ['-SW', 'build tree/libapp.a'], dir);
    expect(sections).toMatch(/ ARENA_1 +(NOBITS|PROGBITS)/);

    // Nothing changed, and then the model.
    const before = statSync(header).mtimeMs;
    expect((await build()).output).toContain('no work to do');
    writeModel(dir, 32);
    expect(await build()).toMatchObject({ status: 0 });
    expect(statSync(header).mtimeMs).toBeGreaterThan(before);
    expect(readFileSync(header, 'utf8')).toContain('KWS_T_x_SIZE 128u');
  });

  it('does nothing where it is not asked to', async () => {
    const { dir, status } = await configured({ NODE_CHOSEN: '' }, { CONFIG_MEMPLAN: '' });
    expect(status).toBe(0);
    expect(() => statSync(join(dir, 'build tree/module/memplan'))).toThrow();
  });

  it.each([
    ['no chosen node', { NODE_CHOSEN: '' }, 'has no chosen node memplan,arena'],
    ['a node that is no region', { ...NODE, NODE_REGION: '' }, 'has no zephyr,memory-region'],
  ])('says what is wrong with %s', async (_, tree, text) => {
    const { status, output } = await configured(tree);
    expect(status).not.toBe(0);
    expect(output.replace(/\s+/g, ' ')).toContain(text);
  });

  it('stops the build where the plan does not fit the memory', async () => {
    const { dir } = await configured({ ...NODE, NODE_SIZE: '0x20', NODE_REGION: 'ARENA' });
    const { status, output } = await run('cmake', ['--build', 'build tree'], dir);
    expect(status).not.toBe(0);
    expect(output).toContain('E_OVER_CAPACITY');
  });
});
