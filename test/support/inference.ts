/** Runs emitted runners and compares them with onnxruntime: on the host with sanitizers, and on emulated boards. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import { type Planned, planModel } from '../../src/pipeline.ts';
import { type PlanRequest, planRequest } from '../../src/plan/request.ts';
import { renderRunner } from '../../src/runner/render.ts';
import type { RunnerOptions } from '../../src/runner/view.ts';
import { emptyFolder } from './generated.ts';
import { type Finished, run } from './tools.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const ORT = join(root, '.cache/oracle/node_modules/onnxruntime-node');
export const PROGRAMS = join(root, 'test/runner/programs');

/** The warnings that generated C and the kernels must be free of. */
export const STRICT = [
  ...[
    '-std=c99',
    '-Wall',
    '-Wextra',
    '-Wpedantic',
    '-Wconversion',
    '-Wsign-conversion',
    '-Wundef',
    '-Wshadow',
  ],
  ...['-Wcast-align', '-Wredundant-decls', '-Wstrict-prototypes', '-Wmissing-prototypes', '-Werror'],
  ...['-Wframe-larger-than=512', '-fno-strict-aliasing'],
];
export const SOURCES = ['', '_runner', '_weights', '_kernels'].map((part) => `tensor_memory_pool${part}.c`);

export interface Emitted {
  readonly dir: string;
  readonly planned: Planned;
  /** Macros that the test program needs. */
  readonly defines: readonly string[];
  /** Options and files that a kernel library needs. */
  readonly library?: readonly string[];
}

/** Plans a model, and writes its C and its runner to `dir`. */
export function emitRunner(
  dir: string,
  request: Partial<PlanRequest> & Pick<PlanRequest, 'models'>,
  options: Partial<RunnerOptions> = {},
): Emitted {
  const planned = planModel(
    planRequest({ target: 'cortex-m7', kernels: 'reference', ...request, prefix: 'NET' }),
  );
  const runner = { name: 'tensor_memory_pool', arena: 'static', weights: 'auto', ...options } as const;
  writeFiles(dir, [
    ...renderFiles(planned.plan, planned.target),
    ...renderRunner(planned, runner),
    { name: 'ports.h', text: portsOf(planned) },
  ]);
  return { dir, planned, defines: request.io === 'external' ? ['-DEXTERNAL_IO'] : [] };
}

/** The same for the bytes of a model, in a folder of its own. */
export function emitNet(
  file: Uint8Array,
  request: Partial<PlanRequest> = {},
  options: Partial<RunnerOptions> = {},
) {
  const dir = emptyFolder();
  const path = join(dir, 'net.onnx');
  writeFileSync(path, file);
  return { path, emitted: emitRunner(dir, { models: [path], ...request }, options) };
}

/** The same runner as a check build. */
export function checked(emitted: Emitted): Emitted {
  return { ...emitted, defines: [...emitted.defines, '-DNET_CHECK'] };
}

/** Plants faults in the C of a runner; throws where it does not hold what is to be replaced. */
export function spoilRunner(
  { dir }: Emitted,
  ...changes: readonly (readonly [from: string | RegExp, to: string])[]
) {
  const file = join(dir, SOURCES[1]!);
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of changes) {
    const isThere = typeof from === 'string' ? text.includes(from) : text.search(from) >= 0;
    if (!isThere) throw new Error(`the runner has no ${from}`);
    text = text.replace(from, to);
  }
  writeFileSync(file, text);
}

/** Lists of the positions that have bytes (constants have none), and of the arenas. */
function portsOf({ plan }: Planned): string {
  const { inputs, outputs } = plan.models[0]!;
  const there = new Set(plan.tensors.map(({ name }) => name));
  const list = (names: readonly string[]) =>
    names.flatMap((name, i) => (there.has(name) ? [`X(${i})`] : [])).join(' ');
  const regions = plan.regions.map(({ c }) => `X(${c}, ${c.toLowerCase()})`).join(' ');
  const lists = [`INPUTS(X) ${list(inputs)}`, `OUTPUTS(X) ${list(outputs)}`, `REGIONS(X) ${regions}`];
  return lists.map((text) => `#define ${text}\n`).join('');
}

export interface Expected {
  readonly runs: number;
  /** Of one run, one after the other. */
  readonly outputs: readonly {
    readonly name: string;
    readonly type: string;
    readonly shape: readonly number[];
  }[];
  readonly bytes: Buffer;
}

/** Runs the model in onnxruntime, over seeded inputs; leaves the inputs in the folder. `ranges`: values of inputs by name. */
export function runOracle(
  { dir, planned }: Emitted,
  model: string,
  runs: number,
  ranges: Readonly<Record<string, readonly [number, number]>> = {},
): Expected {
  const { plan } = planned;
  const inputs = plan.models[0]!.inputs.map((name) => {
    const { type, shape } = plan.tensors.find((tensor) => tensor.name === name)!;
    return { name, type, shape, range: ranges[name] };
  });
  const placed = new Set(plan.tensors.map(({ name }) => name));
  const outputs = plan.models[0]!.outputs.filter((name) => placed.has(name));
  writeFileSync(join(dir, 'job.json'), JSON.stringify({ model, folder: dir, runs, inputs, outputs }));
  const script = join(root, 'test/runner/oracle-infer.cjs');
  const child = spawnSync(process.execPath, [script, ORT, join(dir, 'job.json')], { encoding: 'utf8' });
  if (child.status !== 0)
    throw new Error(`the oracle failed (${child.status ?? child.signal}): ${child.stderr}`);
  return { runs, outputs: JSON.parse(child.stdout), bytes: readFileSync(join(dir, 'expected.bin')) };
}

/** Compiles and runs on the host under the address and undefined-behaviour sanitizers. */
export async function inferOnHost(
  emitted: Emitted,
  runs: number,
  flags: readonly string[] = ['-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
): Promise<Finished> {
  const { dir, defines, library = [] } = emitted;
  const sources = [...runnerSources(emitted), join(PROGRAMS, 'infer.c'), join(PROGRAMS, 'files-host.c')];
  const include = ['-I.', '-I', PROGRAMS, ...library];
  const args = [
    ...STRICT,
    ...flags,
    ...defines,
    `-DRUNS=${runs}u`,
    ...include,
    ...sources,
    '-o',
    'infer',
    '-lm',
  ];
  const built = await run('gcc', args, dir);
  if (built.status !== 0) return { ...built, status: 256 };
  return run(join(dir, 'infer'), [], dir);
}

/** A model without weights has no file of them. */
export function runnerSources({ dir }: Emitted): readonly string[] {
  const text = readFileSync(join(dir, 'tensor_memory_pool_runner.c'), 'utf8');
  return SOURCES.filter((name) => !name.includes('weights') || text.includes('_weights.h'));
}

/** What differs between an output and what is expected of it, over all runs. */
export interface Difference {
  readonly output: string;
  readonly type: string;
  /** Largest |got - expected|; infinite where only one is a number. */
  readonly most: number;
  /** The same over the largest |expected| of the tensor in that run. */
  readonly relative: number;
  /** Elements that differ, and that there are. */
  readonly count: number;
  readonly total: number;
}

/** Compares outputs.bin with what the oracle says, output by output. */
export function differences({ dir }: Emitted, { runs, outputs, bytes }: Expected): readonly Difference[] {
  const got = outputs.length === 0 ? Buffer.alloc(0) : readFileSync(join(dir, 'outputs.bin'));
  if (got.length !== bytes.length)
    throw new Error(`${got.length} bytes of output instead of ${bytes.length}`);
  const found = outputs.map(({ name, type }) => ({
    output: name,
    type,
    most: 0,
    relative: 0,
    count: 0,
    total: 0,
  }));
  let at = 0;
  for (let run = 0; run < runs; run++) {
    for (const [i, { type, shape }] of outputs.entries()) {
      const count = shape.reduce((a, b) => a * b, 1);
      const a = elements(got, at, type, count);
      const b = elements(bytes, at, type, count);
      at += count * WIDTHS[type]!;
      const scale = b.reduce((most, v) => Math.max(most, Number.isFinite(v) ? Math.abs(v) : 0), 0) || 1;
      const sum = found[i]!;
      sum.total += count;
      for (const [k, v] of a.entries()) {
        const same = v === b[k] || (Number.isNaN(v) && Number.isNaN(b[k]));
        const away = same ? 0 : Math.abs(v - b[k]!);
        if (away === 0) continue;
        sum.count++;
        sum.most = Math.max(sum.most, Number.isNaN(away) ? Infinity : away);
        sum.relative = Math.max(sum.relative, sum.most / scale);
      }
    }
  }
  return found;
}

/** onnxruntime's own approximations of exp and tanh are off by so much. */
const FLOOR = 1e-6;

/** Outputs that are not what they should be: floats within 1e-4 of the tensor's largest number, integers exactly. */
export function wrong(found: readonly Difference[]): readonly Difference[] {
  return found.filter(({ type, most, relative, count }) =>
    type.startsWith('float') ? most > FLOOR && relative > 1e-4 : count > 0,
  );
}

const WIDTHS: Readonly<Record<string, number>> = {
  ...{ float32: 4, int32: 4, int64: 8, float64: 8 },
  ...{ int8: 1, uint8: 1, bool: 1, int16: 2, uint16: 2 },
};

function elements(from: Buffer, at: number, type: string, count: number): readonly number[] {
  const view = new DataView(from.buffer, from.byteOffset + at);
  const read: Readonly<Record<string, (i: number) => number>> = {
    float32: (i) => view.getFloat32(i * 4, true),
    float64: (i) => view.getFloat64(i * 8, true),
    int32: (i) => view.getInt32(i * 4, true),
    int64: (i) => Number(view.getBigInt64(i * 8, true)),
    int16: (i) => view.getInt16(i * 2, true),
    uint16: (i) => view.getUint16(i * 2, true),
    int8: (i) => view.getInt8(i),
    uint8: (i) => view.getUint8(i),
    bool: (i) => view.getUint8(i),
  };
  return Array.from({ length: count }, (_, i) => read[type]!(i));
}
