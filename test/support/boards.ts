/** Runs emitted runners on emulated machines: Cortex-M4, M7 and M55 bare, Cortex-A53 under Linux. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Emitted, runnerSources, STRICT } from './inference.ts';
import { type Finished, run } from './tools.ts';

const PROGRAMS = fileURLToPath(new URL('../runner/programs/', import.meta.url));
const BOARD = fileURLToPath(new URL('../firmware/board/', import.meta.url));

/** The memories that plans for the boards count on; only the addresses of some differ from machine to machine. */
export const BOARD_TARGET = join(BOARD, 'mps2-an500.json');

interface Board {
  readonly machine: string;
  readonly flags: readonly string[];
  /** Lines of the MEMORY of an500.ld, with their places on this machine. */
  readonly memory: Readonly<Record<string, string>>;
}

export const BOARDS = {
  'cortex-m7': {
    machine: 'mps2-an500',
    flags: ['-mcpu=cortex-m7', '-mfpu=fpv5-sp-d16', '-mfloat-abi=hard'],
    memory: {},
  },
  'cortex-m4': {
    machine: 'mps2-an386',
    flags: ['-mcpu=cortex-m4', '-mfpu=fpv4-sp-d16', '-mfloat-abi=hard'],
    memory: { EXT: 'ORIGIN = 0x21000000' },
  },
  'cortex-m0plus': {
    // An M4 runs it; there is no board with an M0+ and this much memory.
    machine: 'mps2-an386',
    flags: ['-mcpu=cortex-m0plus', '-mfloat-abi=soft'],
    memory: { EXT: 'ORIGIN = 0x21000000' },
  },
  'cortex-m55': {
    machine: 'mps3-an547',
    flags: ['-mcpu=cortex-m55', '-mfloat-abi=hard'],
    memory: {
      FLASH: 'ORIGIN = 0x10000000, LENGTH = 512K',
      DTCM: 'ORIGIN = 0x30000000',
      AXISRAM: 'ORIGIN = 0x31100000',
      EXT: 'ORIGIN = 0x70000000',
    },
  },
} as const satisfies Readonly<Record<string, Board>>;

export type BoardName = keyof typeof BOARDS;

/** Compiles for a bare board, links with its script and runs it. Exit status 256: it did not link. */
export async function inferOnBoard(emitted: Emitted, runs: number, name: BoardName): Promise<Finished> {
  const { machine, flags, memory }: Board = BOARDS[name];
  const { dir, defines, library = [] } = emitted;
  writeFileSync(join(dir, 'board.ld'), linkerScript(memory));
  const build = ['-O2', '-g', '-mthumb', '-ffreestanding', '-ffunction-sections', '-fdata-sections'];
  const include = ['-I.', '-I', PROGRAMS, '-I', BOARD, '-I', join(BOARD, '../programs')];
  const programs = [join(PROGRAMS, 'infer.c'), join(PROGRAMS, 'files-board.c'), join(BOARD, 'board.c')];
  const link = ['-nostartfiles', '--specs=nosys.specs', '-Wl,--gc-sections', '-T', 'board.ld', '-lm'];
  const args = [
    ...[...STRICT, '-Wno-redundant-decls', ...flags, ...build, ...defines, `-DRUNS=${runs}u`, ...include],
    ...[...runnerSources(emitted), ...programs, ...library, ...link, '-o', 'infer.elf'],
  ];
  const built = await run('arm-none-eabi-gcc', args, dir);
  if (built.status !== 0) return { ...built, status: 256 };
  const quiet = ['-nographic', '-monitor', 'none', '-serial', 'none', '-chardev', 'stdio,id=c0'];
  const semihosting = ['-semihosting-config', 'enable=on,target=native,chardev=c0'];
  return run('qemu-system-arm', ['-M', machine, ...quiet, ...semihosting, '-kernel', 'infer.elf'], dir);
}

function linkerScript(memory: Board['memory']): string {
  let script = readFileSync(join(BOARD, 'an500.ld'), 'utf8');
  for (const [region, place] of Object.entries(memory)) {
    const length = place.includes('LENGTH') ? ', LENGTH = \\w+' : '';
    script = script.replace(
      new RegExp(`(${region} +\\(\\w+\\) : )ORIGIN = 0x[0-9A-F]+${length}`),
      `$1${place}`,
    );
  }
  const ends = [
    '__stack_limit__ = __stack_top__ - 4K;',
    '__behind_end__ = ORIGIN(AXISRAM) + LENGTH(AXISRAM);',
  ];
  const marked = script.replace('*(.bss.memplan.axisram)', '$& . = ALIGN(4); __behind_start__ = .;');
  // Weights stand in the external memory where the first one is too short for them.
  const weights = '    .weights : { *(.rodata.net_weights*) } > EXT\n';
  const short = /LENGTH = 512K/.test(memory.FLASH ?? '');
  const laid = short ? marked.replace('    .text :', `${weights}    .text :`) : marked;
  return `${laid}${ends.join('\n')}\n`;
}

/** Compiles for a Cortex-A53 under Linux and runs it. */
export async function inferOnA53(emitted: Emitted, runs: number): Promise<Finished> {
  const { dir, defines } = emitted;
  const sources = [...runnerSources(emitted), join(PROGRAMS, 'infer.c'), join(PROGRAMS, 'files-host.c')];
  const build = ['-O2', '-mcpu=cortex-a53', '-static', ...defines, `-DRUNS=${runs}u`, '-I.', '-I', PROGRAMS];
  const args = [...STRICT, ...build, ...sources, '-o', 'infer-a53', '-lm'];
  const built = await run('aarch64-linux-gnu-gcc', args, dir);
  if (built.status !== 0) return { ...built, status: 256 };
  return run('qemu-aarch64-static', ['-cpu', 'cortex-a53', './infer-a53'], dir);
}
