/** The reader of ELF files sees what readelf sees, and takes nothing on trust. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readElf } from '../../src/elf/read.ts';
import { MemplanError } from '../../src/errors.ts';
import { elfFile } from '../support/elf.ts';
import { BOARD_REGIONS, buildForBoard } from '../support/firmware.ts';
import { generated } from '../support/generated.ts';
import { planOf } from '../support/plans.ts';
import { createRandom } from '../support/random.ts';
import { EVERYDAY } from '../support/sample-plans.ts';
import { missing, run } from '../support/tools.ts';

/** Sections and sized symbols as readelf lists them. */
async function listed(file: string, dir: string) {
  const { output } = await run('readelf', ['-SW', '-sW', file], dir);
  const sections = [
    ...output.matchAll(/^ +\[ *\d+\] (\S*) +(\w+) +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) \w\w +([A-Z]*) /gm),
  ].map(([, name, type, address, size, flags]) => ({
    name,
    nobits: type === 'NOBITS',
    allocated: flags!.includes('A') && !(flags!.includes('T') && type === 'NOBITS'),
    address: Number.parseInt(address!, 16),
    size: Number.parseInt(size!, 16),
  }));
  const rows = [...output.matchAll(/^ +\d+: ([0-9a-f]+) +(\w+) (OBJECT|FUNC) +\w+ +\w+ +(\d+) (\S+)$/gm)];
  const symbols = rows.map(([, address, size, , section, name]) => ({
    name,
    address: Number.parseInt(address!, 16),
    size: Number(size),
    section: Number(section),
  }));
  return { sections, symbols };
}

/** The walk asks for this prefix. */
const ON_BOARD = planOf({
  file: 'net.onnx',
  prefix: 'NET',
  regions: BOARD_REGIONS.slice(0, 1),
  tensors: [{ name: 'x', type: 'int8', shape: [1000], live: [0, 1], offset: 0 }],
});

const COMPILERS: readonly (readonly [string, string, readonly string[]])[] = [
  ['ELF64 for x86', 'gcc', []],
  ['ELF64 for Cortex-A53', 'aarch64-linux-gnu-gcc', ['-static']],
];

describe.skipIf(missing('gcc', 'arm-none-eabi-gcc', 'aarch64-linux-gnu-gcc', 'readelf') !== undefined)(
  'what linkers write',
  () => {
    async function agree(dir: string, file: string): Promise<void> {
      const { sections, symbols } = readElf(readFileSync(join(dir, file)), file);
      const truth = await listed(file, dir);
      expect(truth.sections.length).toBeGreaterThan(5);
      expect(sections).toEqual(truth.sections);
      expect(truth.symbols.length).toBeGreaterThan(5);
      for (const symbol of truth.symbols) expect(symbols).toContainEqual(symbol);
    }

    it('ELF32 for Cortex-M7', async () => {
      const dir = generated(ON_BOARD);
      expect((await buildForBoard(dir)).output).toBe('');
      await agree(dir, 'walk.elf');
    });

    it.each(COMPILERS)('%s', async (_, program, flags) => {
      const text = '#include "tensor_memory_pool.h"\nint main(void) { return *kws_input_0() > 0.0f; }\n';
      const dir = generated(EVERYDAY, {}, [{ name: 'main.c', text }]);
      await run(program, [...flags, 'main.c', 'tensor_memory_pool.c', '-o', 'main'], dir);
      const bytes = readFileSync(join(dir, 'main'));
      if (flags.length === 0) await agree(dir, 'main');
      else expect(readElf(bytes, 'main').symbols.some(({ name }) => name === 'main')).toBe(true);
      await run(program, ['-c', 'main.c'], dir);
      expect(() => readElf(readFileSync(join(dir, 'main.o')), 'main.o')).toThrow('is not linked yet');
      await run('strip', ['main'], dir);
      if (program === 'gcc') {
        expect(() => readElf(readFileSync(join(dir, 'main')), 'main')).toThrow('no table of symbols');
      }
    });
  },
);

const SMALL = [false, true].map((wide) =>
  elfFile(
    [
      { name: '.text', address: 0, size: 100, progbits: true },
      { name: '.bss', address: 0x20000000, size: 64 },
    ],
    [{ name: 'x', section: '.bss', address: 0x20000000, size: 64 }],
    wide,
  ),
);

describe('what nobody vouches for', () => {
  it.each(['', 'ELF', '\x7fELF', `\x7fELF${'\0'.repeat(100)}`, '<html>'])('%j is refused', (text) => {
    expect(() => readElf(Buffer.from(text, 'latin1'), 'f')).toThrow(MemplanError);
  });

  it('big endian is refused by name', () => {
    const bytes = Buffer.from(SMALL[0]!);
    bytes[5] = 2;
    expect(() => readElf(bytes, 'f')).toThrow('f is big endian');
  });

  it('every file that is cut short is refused', () => {
    for (const whole of SMALL) {
      for (let length = 0; length < whole.length; length++) {
        expect(() => readElf(whole.subarray(0, length), 'f'), `${length}`).toThrow(MemplanError);
      }
    }
  });

  it('damage is either not seen or E_ELF, and never costs time or memory', () => {
    const seed = 7;
    const random = createRandom(seed);
    let refused = 0;
    for (let round = 0; round < 20_000; round++) {
      const bytes = Buffer.from(SMALL[round % 2]!);
      for (let n = random(4); n >= 0; n--) {
        const value = [0, 1, 0x7f, 0xff, random(256)][random(5)]!;
        bytes[random(bytes.length)] = value;
      }
      try {
        readElf(bytes, 'f');
      } catch (error) {
        if (!(error instanceof MemplanError))
          throw new Error(`seed ${seed}, round ${round}`, { cause: error });
        expect(error.code).toBe('E_ELF');
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(2000);
  });
});
