/** The kernels compile without a warning everywhere, keep off the stack, and can be replaced. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFiles } from '../../src/emit/write.ts';
import { ALL_COMPILERS, compile, NEWLIB } from '../support/compilers.ts';
import { rounds } from '../support/rounds.ts';
import { allKernels, CMSIS_BUILDS, callingCmsis, standingIn } from '../support/runtime.ts';
import { missing, run, twoAtATime } from '../support/tools.ts';

/** What no kernel's frame may exceed. */
const MOST_STACK = 256;

/** Names of functions that an object file defines, and whether another definition takes their place. */
async function symbols(dir: string, object: string): Promise<ReadonlyMap<string, string>> {
  const { output } = await run('nm', [object], dir);
  return new Map([...output.matchAll(/([TWt]) (\w+)$/gm)].map(([, kind, name]) => [name!, kind!] as const));
}

describe.skipIf(missing('gcc', 'clang', 'arm-none-eabi-gcc', 'aarch64-linux-gnu-gcc') !== undefined)(
  'kernels',
  () => {
    const c = ALL_COMPILERS.filter(
      ({ language, name }) => language === 'c' && !name.includes('aarch64-none'),
    );

    it('compile without a warning', { timeout: 300_000 }, async () => {
      const dir = allKernels();
      const said = await twoAtATime(c, (compiler) => {
        const bare = compiler.name.includes('none-eabi') && compiler.program === 'clang';
        return compile(compiler, dir, ['kernels.c'], ['-fsyntax-only', ...(bare ? NEWLIB : [])]);
      });
      expect(said.filter((words) => words !== '')).toEqual([]);
    });

    /** Only the optimiser warns of a loop that is said to be independent and of which it makes no vectors. */
    it.each(['compile without a warning of the optimiser'].slice(0, rounds(1, 0)))(
      '%s',
      { timeout: 300_000 },
      async () => {
        const dir = allKernels();
        const clang = c.filter(({ program, name }) => program === 'clang' && name.endsWith('c99'));
        const said = await twoAtATime(clang, (compiler) => {
          const bare = compiler.name.includes('none-eabi') ? NEWLIB : [];
          const object = `${compiler.name.replaceAll(' ', '-')}.o`;
          return compile(compiler, dir, ['kernels.c'], ['-O2', '-c', '-o', object, ...bare]);
        });
        expect(clang.length).toBe(4);
        expect(said.filter((words) => words !== '')).toEqual([]);
      },
    );

    it('those that call CMSIS-NN too, in every build', { timeout: 300_000 }, async () => {
      const dir = callingCmsis();
      const said = await twoAtATime(
        c.flatMap((compiler) => CMSIS_BUILDS.map((build) => [compiler, build] as const)),
        ([compiler, build]) => {
          const bare = compiler.name.includes('none-eabi') && compiler.program === 'clang';
          const more = ['-fsyntax-only', ...standingIn(build), ...(bare ? NEWLIB : [])];
          return compile(compiler, dir, [`${build}.c`], more);
        },
      );
      expect(said.filter((words) => words !== '')).toEqual([]);
    });

    it('the header is C++ as well', async () => {
      const dir = allKernels();
      writeFiles(dir, [
        {
          name: 'use.cpp',
          text: '#include "memplan_kernels.h"\n#include "memplan_check.h"\n#include "memplan_bring.h"\n',
        },
      ]);
      const said = await twoAtATime(
        ALL_COMPILERS.filter(({ language }) => language === 'c++'),
        (compiler) => compile(compiler, dir, ['use.cpp']),
      );
      expect(said.filter((words) => words !== '')).toEqual([]);
    });

    it('take little of the stack', async () => {
      const dir = allKernels();
      const flags = [
        '-std=c99',
        '-O2',
        '-mthumb',
        '-mcpu=cortex-m7',
        '-mfpu=fpv5-sp-d16',
        '-mfloat-abi=hard',
      ];
      await run('arm-none-eabi-gcc', [...flags, '-fstack-usage', '-c', 'kernels.c', '-o', 'kernels.o'], dir);
      const usage = readFileSync(join(dir, 'kernels.su'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('\t'));
      expect(usage.length).toBeGreaterThan(100);
      expect(usage.filter(([, bytes, kind]) => Number(bytes) > MOST_STACK || kind !== 'static')).toEqual([]);
    });

    it('those that call CMSIS-NN too', async () => {
      const dir = callingCmsis();
      const flags = [
        '-std=c99',
        '-O2',
        '-mthumb',
        '-mcpu=cortex-m7',
        '-mfpu=fpv5-sp-d16',
        '-mfloat-abi=hard',
      ];
      const include = [...standingIn('dsp'), '-fstack-usage', '-c', 'dsp.c', '-o', 'dsp.o'];
      expect(await run('arm-none-eabi-gcc', [...flags, ...include], dir)).toEqual({ status: 0, output: '' });
      const usage = readFileSync(join(dir, 'dsp.su'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('\t'));
      expect(usage.filter(([name]) => name!.includes('memplan_arm_')).length).toBe(8);
      expect(usage.filter(([, bytes, kind]) => Number(bytes) > MOST_STACK || kind !== 'static')).toEqual([]);
    });

    it('define all that the header declares, each weak, and nothing else in sight', async () => {
      const dir = allKernels();
      await run('gcc', ['-std=c99', '-O2', '-c', 'kernels.c', '-o', 'kernels.o'], dir);
      const defined = await symbols(dir, 'kernels.o');
      const headers = ['memplan_kernels.h', 'memplan_bring.h'];
      const { output } = await run('gcc', ['-std=c99', '-E', '-P', ...headers], dir);
      const declared = [...output.matchAll(/\bvoid (memplan_\w+)\(/g)].map(([, name]) => name!);
      expect(declared.length).toBeGreaterThan(100);
      expect(declared.filter((name) => defined.get(name) !== 'W')).toEqual([]);
      const visible = [...defined].filter(([, kind]) => kind !== 't').map(([name]) => name);
      const checks = ['before', 'after', 'brought', 'report'].map((name) => `memplan_check_${name}`);
      expect(visible.filter((name) => !declared.includes(name) && !checks.includes(name))).toEqual([]);
    });

    it('give way to a function of the same name', async () => {
      const dir = allKernels();
      const own = `#include "memplan_kernels.h"
void memplan_relu_f32(const float *x, float *y, size_t n) { (void)x; (void)n; y[0] = 42.0f; }
int main(void) { float v = 1.0f; memplan_relu_f32(&v, &v, 1u); return (int)v; }
`;
      writeFiles(dir, [{ name: 'own.c', text: own }]);
      const built = await run('gcc', ['-std=c99', 'kernels.c', 'own.c', '-o', 'own', '-lm'], dir);
      expect(built).toEqual({ status: 0, output: '' });
      expect((await run(join(dir, 'own'), [], dir)).status).toBe(42);
    });
  },
);
