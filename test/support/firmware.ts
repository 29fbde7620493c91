/** Builds and runs the walk of test/firmware over the generated C of a plan, on the host and on QEMU's Cortex-M7. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plan } from '../../src/plan/types.ts';
import { type Finished, run } from './tools.ts';

const PROGRAMS = fileURLToPath(new URL('../firmware/programs/', import.meta.url));
const BOARD = fileURLToPath(new URL('../firmware/board/', import.meta.url));
const SOURCE = 'tensor_memory_pool.c';
const STRICT = ['-std=c99', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror'];
const M7 = ['-mthumb', '-mcpu=cortex-m7', '-mfpu=fpv5-sp-d16', '-mfloat-abi=hard'];

/** The memories of the board's linker script, as regions of a plan. */
export const BOARD_REGIONS = [
  { name: 'AXISRAM', origin: 0x20100000, capacity: 512 * 1024, alignment: 32 },
  { name: 'DTCM', origin: 0x20000000, capacity: 128 * 1024, alignment: 32 },
  { name: 'EXT', origin: 0x60000000, capacity: 16 * 1024 * 1024, alignment: 32 },
] as const;

/** GCC brings its sanitizers along; Clang's are a package of their own, so there undefined behaviour traps. */
const SANITIZE = {
  gcc: ['-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
  clang: ['-fsanitize=undefined', '-fsanitize-trap=undefined'],
};

/** Compiles the walk with the generated files in `dir` and runs it with sanitizers. */
export async function walkOnHost(dir: string, compiler: 'gcc' | 'clang' = 'gcc'): Promise<Finished> {
  const sanitize = ['-g', '-O1', ...SANITIZE[compiler]];
  const files = [join(PROGRAMS, 'walk.c'), join(PROGRAMS, 'host.c'), SOURCE];
  const built = await run(compiler, [...STRICT, ...sanitize, '-I.', ...files, '-o', 'walk'], dir);
  return built.status === 0 ? run(join(dir, 'walk'), [], dir) : { ...built, status: 256 };
}

/** Compiles for Cortex-M7, links with the board's linker script and runs it under QEMU. */
export async function walkOnBoard(dir: string, script = join(BOARD, 'an500.ld')): Promise<Finished> {
  const built = await buildForBoard(dir, script);
  return built.status === 0 ? runOnBoard(dir) : { ...built, status: 256 };
}

export function buildForBoard(
  dir: string,
  script = join(BOARD, 'an500.ld'),
  more: readonly string[] = [],
  program = join(PROGRAMS, 'walk.c'),
): Promise<Finished> {
  const build = ['-O2', '-g', '-ffreestanding', '-ffunction-sections', '-fdata-sections', '-DON_TARGET'];
  const link = [
    '-nostartfiles',
    '--specs=nosys.specs',
    '-Wl,--gc-sections',
    '-Wl,--fatal-warnings',
    '-T',
    script,
  ];
  const include = ['-I.', '-I', PROGRAMS, '-I', BOARD];
  const files = [program, join(BOARD, 'board.c'), SOURCE];
  return run(
    'arm-none-eabi-gcc',
    [...STRICT, ...build, ...M7, ...include, ...files, ...link, ...more, '-o', 'walk.elf'],
    dir,
  );
}

/** The exit status is that of the program's main, 70 after a processor fault. */
export function runOnBoard(dir: string): Promise<Finished> {
  const machine = ['-M', 'mps2-an500', '-nographic', '-monitor', 'none', '-serial', 'none'];
  const semihosting = [
    '-chardev',
    'stdio,id=c0',
    '-semihosting-config',
    'enable=on,target=native,chardev=c0',
  ];
  return run('qemu-system-arm', [...machine, ...semihosting, '-kernel', 'walk.elf'], dir);
}

/** The plan with one tensor, and all that share its bytes, moved onto the bytes of another that is alive with it. */
export function withClash(plan: Plan, moved: string, onto: string): Plan {
  const target = plan.tensors.find((t) => t.name === onto)!;
  const victim = plan.tensors.find((t) => t.name === moved)!;
  const shift = target.offset! - victim.offset!;
  return {
    ...plan,
    tensors: plan.tensors.map((t) => (t.buffer === victim.buffer ? { ...t, offset: t.offset! + shift } : t)),
    buffers: plan.buffers.map((b) => (b.id === victim.buffer ? { ...b, offset: b.offset + shift } : b)),
  };
}
