/** Every compiler and standard that generated C must pass without a warning. */
import { run } from './tools.ts';

export interface Compiler {
  /** For messages: `gcc c99`. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly language: 'c' | 'c++';
}

const STRICT = [
  '-Wall',
  '-Wextra',
  '-Wpedantic',
  '-Wconversion',
  '-Wsign-conversion',
  '-Wundef',
  '-Wshadow',
  '-Wcast-align',
  '-Wredundant-decls',
  '-Werror',
];
const STRICT_C = [...STRICT, '-Wstrict-prototypes', '-Wmissing-prototypes'];
const EVERYTHING = [
  '-Weverything',
  '-Werror',
  '-Wno-c++98-compat',
  '-Wno-c++98-compat-pedantic',
  '-Wno-padded',
  '-Wno-declaration-after-statement',
];
const C = ['c99', 'c11', 'c17'] as const;
const CPP = ['c++11', 'c++14', 'c++17', 'c++20'] as const;
const ARM = {
  'cortex-m0plus': [],
  'cortex-m4': ['-mfpu=fpv4-sp-d16', '-mfloat-abi=hard'],
  'cortex-m7': ['-mfpu=fpv5-d16', '-mfloat-abi=hard'],
  'cortex-m55': ['-mfloat-abi=hard'],
} as const;

const c = (program: string, std: string, args: readonly string[], note = ''): Compiler => ({
  name: `${program}${note} ${std}`,
  program,
  args: [`-std=${std}`, ...args],
  language: 'c',
});
const cpp = (program: string, std: string, args: readonly string[]): Compiler => ({
  ...c(program, std, args),
  language: 'c++',
});
const arm = (core: keyof typeof ARM, std: string) =>
  c('arm-none-eabi-gcc', std, [...STRICT_C, '-mthumb', `-mcpu=${core}`, ...ARM[core]], ` ${core}`);

/** One of each family: for plans that differ in data, not in what is printed. */
export const SOME_COMPILERS: readonly Compiler[] = [
  c('gcc', 'c99', [...STRICT_C, '-O2']),
  c('clang', 'c11', EVERYTHING),
  cpp('g++', 'c++11', STRICT),
  cpp('clang++', 'c++20', EVERYTHING),
  arm('cortex-m7', 'c99'),
  c('aarch64-linux-gnu-gcc', 'c11', [...STRICT_C, '-mcpu=cortex-a53']),
];

export const ALL_COMPILERS: readonly Compiler[] = [
  ...C.map((std) => c('gcc', std, [...STRICT_C, '-O2'])),
  ...C.map((std) => c('clang', std, EVERYTHING)),
  ...['thumbv6m-none-eabi', 'thumbv7em-none-eabihf', 'thumbv8.1m.main-none-eabihf', 'aarch64-none-elf'].map(
    (t) => c('clang', 'c99', [...EVERYTHING, `--target=${t}`, '-ffreestanding'], ` ${t}`),
  ),
  ...CPP.map((std) => cpp('g++', std, STRICT)),
  ...CPP.map((std) => cpp('clang++', std, EVERYTHING)),
  ...(Object.keys(ARM) as (keyof typeof ARM)[]).flatMap((core) => C.map((std) => arm(core, std))),
  ...['c++11', 'c++20'].map((std) =>
    cpp('arm-none-eabi-g++', std, [...STRICT, '-ffreestanding', '-mthumb', '-mcpu=cortex-m7']),
  ),
  ...C.map((std) => c('aarch64-linux-gnu-gcc', std, [...STRICT_C, '-mcpu=cortex-a53'])),
];

/** Clang alone brings no C library; newlib's headers serve the bare cores. */
export const NEWLIB: readonly string[] = [
  ...['--sysroot=/usr/lib/arm-none-eabi', '-isystem', '/usr/include/newlib'],
  '-Wno-poison-system-directories',
];

export const PROGRAMS: readonly string[] = [...new Set(ALL_COMPILERS.map((compiler) => compiler.program))];

/** Compiles files of a folder to objects or, without `out`, for their warnings alone. Returns what the compiler said, '' for nothing. */
export async function compile(
  compiler: Compiler,
  dir: string,
  files: readonly string[],
  more: readonly string[] = ['-fsyntax-only'],
): Promise<string> {
  const { status, output } = await run(compiler.program, [...compiler.args, ...more, ...files], dir);
  return status === 0 && output === '' ? '' : `${compiler.name}: status ${status}\n${output}`;
}
