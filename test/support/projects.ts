/** The projects of examples/ for make, ninja and CMake, in folders of their own, with a model and a target to change. */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyFolder } from './generated.ts';
import { model, node, tensor } from './onnx.ts';
import { type Finished, run } from './tools.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Project {
  readonly dir: string;
  /** Builds; fails when the build does. */
  readonly build: () => Promise<Finished>;
  /** Where a generated file lies. */
  readonly generated: (name: string) => string;
}

export interface System {
  readonly name: string;
  readonly example: 'makefile' | 'ninja' | 'cmake';
  /** Configures, once. */
  readonly setUp: (dir: string, memplan: string) => Promise<void>;
  readonly command: readonly [program: string, ...args: string[]];
  readonly folder: string;
}

const ok = (finished: Finished): Finished => {
  if (finished.status !== 0) throw new Error(finished.output);
  return finished;
};

const MODEL = 'my models/kws.onnx';
const WEIGHTS = 'my models/kws.bin';
const CHIP = 'my chip.json';
const TEMPLATES = 'my templates';
const TEMPLATE = `${TEMPLATES}/tensors.txt.hbs`;

const cmake = (generator: string): System => ({
  name: `CMake with ${generator}`,
  example: 'cmake',
  setUp: async (dir, memplan) => {
    const options = `-DMEMPLAN_OPTIONS=--templates;${join(dir, TEMPLATES)}`;
    const settings = [`-DMEMPLAN_COMMAND=${memplan}`, `-DMODEL=${MODEL}`, `-DCHIP=${CHIP}`, options];
    ok(await run('cmake', ['-G', generator, '-B', 'build tree', ...settings], dir));
  },
  command: ['cmake', '--build', 'build tree', '-j4'],
  folder: 'build tree/memplan/firmware',
});

export const SYSTEMS: readonly System[] = [
  {
    name: 'make',
    example: 'makefile',
    setUp: async (dir, memplan) => {
      edit(dir, 'Makefile', [
        ['npx memplan', memplan.replaceAll(';', ' ')],
        ['../kws/kws.onnx', MODEL],
        ['stm32h743', CHIP],
        ['OPTIONS ?=', `OPTIONS ?= --templates "${TEMPLATES}"`],
      ]);
    },
    command: ['make', '-j4'],
    folder: 'build',
  },
  {
    name: 'ninja',
    example: 'ninja',
    setUp: async (dir, memplan) => {
      edit(dir, 'build.ninja', [
        ['npx memplan', memplan.replaceAll(';', ' ')],
        ['../kws/kws.onnx', MODEL],
        ['stm32h743', CHIP],
        ['options =', `options = --templates "${TEMPLATES}"`],
      ]);
    },
    command: ['ninja', '-j4'],
    folder: 'build',
  },
  cmake('Ninja'),
  cmake('Unix Makefiles'),
];

/** A project in a folder with a space in its path; its model has weights in a file of their own. */
export async function project(system: System): Promise<Project> {
  const dir = join(emptyFolder(), 'a project');
  cpSync(join(ROOT, 'examples', system.example), dir, { recursive: true });
  cpSync(join(ROOT, 'test/firmware/board/mps2-an500.json'), join(dir, CHIP));
  cpSync(join(ROOT, 'examples/templates'), join(dir, TEMPLATES), { recursive: true });
  writeModel(dir, 16);
  await system.setUp(dir, `${process.execPath};${join(ROOT, 'bin/memplan.js')}`);
  const [program, ...args] = system.command;
  return {
    dir,
    build: async () => ok(await run(program, args, dir)),
    generated: (name) => join(dir, system.folder, name),
  };
}

/** A network of so many floats, whose weights lie beside it. */
export function writeModel(dir: string, size: number): void {
  const folder = join(dir, 'my models');
  mkdirSync(folder, { recursive: true });
  const externalData = [
    { key: 'location', value: 'kws.bin' },
    { key: 'length', value: `${4 * size}` },
  ];
  const w = { ...tensor('float32', [size]), dataLocation: 1, externalData };
  const spec = {
    inputs: { input: ['float32', [1, size]] },
    outputs: { output: ['float32', [1, size]] },
    initializers: { w },
    nodes: [node('Add', ['input', 'w'], ['sum']), node('Softmax', ['sum'], ['output'])],
  } as const;
  writeFileSync(join(dir, MODEL), model(spec as unknown as Parameters<typeof model>[0]));
  writeFileSync(join(dir, WEIGHTS), new Uint8Array(4 * size));
}

/** What a build depends on. */
export const FILES = { model: MODEL, weights: WEIGHTS, chip: CHIP, template: TEMPLATE } as const;

/** Makes a file newer than all that was built. */
export function later(path: string): void {
  const at = new Date();
  utimesSync(path, at, at);
}

/** The dates of all objects and programs of a folder. */
export function dates(dir: string): ReadonlyMap<string, number> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const isBuilt = (name: string) => /\.o$|firmware$|tensor_memory_pool\.[hc]$/.test(name);
  const built = names.filter((name) => isBuilt(name) && statSync(join(dir, name)).isFile()).sort();
  return new Map(built.map((name) => [name, statSync(join(dir, name)).mtimeMs]));
}

function edit(dir: string, name: string, changes: readonly (readonly [from: string, to: string])[]): void {
  let text = readFileSync(join(dir, name), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    text = text.replace(from, to);
  }
  writeFileSync(join(dir, name), text);
}
