/** Builds and runs the programs of test/pool against the pools as they are emitted. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { poolFiles } from '../../src/emit/pool.ts';
import { writeFiles } from '../../src/emit/write.ts';
import { emptyFolder } from './generated.ts';
import { type Finished, run } from './tools.ts';

export const PROGRAMS = fileURLToPath(new URL('../pool/programs/', import.meta.url));
const RUNTIME = fileURLToPath(new URL('../../runtime/pool/', import.meta.url));
const FIRMWARE = fileURLToPath(new URL('../firmware/', import.meta.url));

/** 0: best fit, 1: constant time, 2: constant time with size classes; 3, in trace.c alone: the pool that one writes first. */
export type Form = 0 | 1 | 2 | 3;

export interface Build {
  readonly form: Form;
  /** Settings, `TENSOR_POOL_DEBUG=1`. */
  readonly settings?: readonly string[];
  readonly sanitize?: boolean;
  /** Plants a fault: replaces a text in the source. */
  readonly fault?: { readonly from: string; readonly to: string };
}

const STRICT = ['-std=c11', '-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Werror'];
const SANITIZE = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];

/** Compiles one of the programs on the host; returns its path, or throws what the compiler said. */
export async function buildPool(program: string, build: Build): Promise<string> {
  const dir = emptyFolder();
  writeFiles(
    dir,
    poolFiles().map(({ name, text }) => ({
      name,
      text: name.endsWith('.c') ? faulty(text, build.fault) : text,
    })),
  );
  const sources = build.form === 3 ? [] : ['tensor_pool.c'];
  const args = [
    ...STRICT,
    ...(build.sanitize === false ? ['-O2'] : SANITIZE),
    `-DFORM=${build.form}`,
    ...(build.settings ?? []).map((setting) => `-D${setting}`),
    // The last folder has what the emitted source holds without showing it: how its blocks lie.
    ...['-I.', '-I', PROGRAMS, '-I', RUNTIME],
    ...[join(PROGRAMS, `${program}.c`), ...sources, '-o', program],
  ];
  const built = await run('gcc', args, dir);
  if (built.output !== '') throw new Error(built.output);
  return join(dir, program);
}

export async function runPool(
  program: string,
  build: Build,
  args: readonly string[] = [],
): Promise<Finished> {
  return run(await buildPool(program, build), args, PROGRAMS);
}

function faulty(text: string, fault: Build['fault']): string {
  if (fault === undefined) return text;
  if (!text.includes(fault.from)) throw new Error(`the pools have no ${fault.from}`);
  return text.replace(fault.from, fault.to);
}

/** Instructions of calls: the dearest, and the mean. */
export interface Cost {
  readonly live: number;
  readonly alloc: number;
  readonly release: number;
  readonly meanAlloc: number;
  readonly meanRelease: number;
}

/** Runs cost.c on QEMU's Cortex-M7, which counts instructions: few tensors, 200 of them, and more than fit. */
export async function instructionsOnBoard({ form }: Build): Promise<readonly Cost[]> {
  const dir = emptyFolder();
  writeFiles(dir, poolFiles());
  const cpu = ['-mthumb', '-mcpu=cortex-m7', '-mfpu=fpv5-sp-d16', '-mfloat-abi=hard'];
  const build = ['-std=c99', '-O2', ...cpu, '-ffreestanding', '-ffunction-sections', `-DFORM=${form}`];
  const include = ['-I.', '-I', PROGRAMS, '-I', join(FIRMWARE, 'programs'), '-I', join(FIRMWARE, 'board')];
  const files = [join(PROGRAMS, 'cost.c'), 'tensor_pool.c', join(FIRMWARE, 'board/board.c')];
  const link = ['-nostartfiles', '--specs=nosys.specs', '-T', join(FIRMWARE, 'board/an500.ld')];
  const settings = ['-DTENSOR_POOL_MAX_TENSORS=200'];
  await run(
    'arm-none-eabi-gcc',
    [...build, ...settings, ...include, ...files, ...link, '-o', 'cost.elf'],
    dir,
  );
  const machine = ['-M', 'mps2-an500', '-icount', 'shift=5,align=off,sleep=off', '-nographic'];
  const quiet = ['-monitor', 'none', '-serial', 'none', '-chardev', 'stdio,id=c0'];
  const semihosting = ['-semihosting-config', 'enable=on,target=native,chardev=c0'];
  const all = [...machine, ...quiet, ...semihosting, '-kernel', 'cost.elf'];
  const { output } = await run('qemu-system-arm', all, dir);
  const numbers = /live (\d+)\nalloc (\d+)\nrelease (\d+)\nmean alloc (\d+)\nmean release (\d+)\n/g;
  return [...output.matchAll(numbers)].map(([, ...found]) => {
    const [live = 0, alloc = 0, release = 0, meanAlloc = 0, meanRelease = 0] = found.map(Number);
    return { live, alloc, release, meanAlloc, meanRelease };
  });
}
