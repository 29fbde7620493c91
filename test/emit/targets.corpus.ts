/** Every built-in target and variant: a tensor in each of its memories, linked by a script made from the target. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFiles, renderLinker } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import type { Rule } from '../../src/place/rule-types.ts';
import type { Plan } from '../../src/plan/types.ts';
import { listTargets, loadTarget } from '../../src/target/load.ts';
import type { Target } from '../../src/target/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { emptyFolder } from '../support/generated.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch } from '../support/planned.ts';
import { missing, run } from '../support/tools.ts';

const MIB = 2 ** 20;
/** Code and tables of the program below; the arenas are as large, and must not be in it. */
const MOST_FLASH = 8192;
const ARENA = 3000;

const names = listTargets().flatMap((id) => [
  id,
  ...loadTarget(id).variants.map(({ name }) => `${id}:${name}`),
]);

/** A chain of tensors of 3,000 bytes, one pinned to each memory for data. */
function planFor(name: string, target: Target): Plan {
  const usable = target.regions.filter(({ usableForData }) => usableForData);
  const tensors = Object.fromEntries(
    usable.map((_, i) => [`t${i}`, { type: 'int8' as const, shape: [ARENA] }]),
  );
  const sketch: GraphSketch = {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: [4], ...tensors, y: [4] },
    nodes: ['x', ...Object.keys(tensors)].map(
      (from, i) => `Conv ${from} -> ${i < usable.length ? `t${i}` : 'y'}`,
    ),
  };
  const rules = usable.map((region, i): Rule => ({ kind: 'pin', tensor: `t${i}`, region: region.name }));
  return planSketch(sketch, { target: name, rules });
}

/** The memories of the target, and flash where nothing else is; memories without an address get one. */
function script(target: Target, plan: Plan): string {
  const spans = target.regions.flatMap(({ origin, size, aliasOrigins }) =>
    [origin, ...aliasOrigins].flatMap((from) => (from === null ? [] : [{ from, to: from + (size ?? MIB) }])),
  );
  const free = (): number => {
    for (let at = 0x00800000; ; at += 16 * MIB) {
      if (spans.some(({ from, to }) => from < at + 16 * MIB && at < to)) continue;
      spans.push({ from: at, to: at + 16 * MIB });
      return at;
    }
  };
  const flash = free();
  const lines = plan.regions.map(({ c, origin, capacity }) => {
    const length = Math.min(capacity ?? 16 * MIB, 16 * MIB);
    return `  R_${c} (rw) : ORIGIN = ${origin ?? free()}, LENGTH = ${length}`;
  });
  const ordinary =
    plan.regions.find(({ name }) => name === (target.stack ?? target.main)) ?? plan.regions[0]!;
  return [
    'ENTRY(main)',
    'MEMORY {',
    `  FLASH (rx) : ORIGIN = ${flash}, LENGTH = 1M`,
    ...lines,
    '}',
    ...plan.regions.map(({ c }) => `REGION_ALIAS("MEMPLAN_${c}", R_${c})`),
    'SECTIONS {',
    '  .text : { *(.text .text.* .rodata .rodata.*) } > FLASH',
    '  INCLUDE tensor_memory_pool.ld',
    `  .bss (NOLOAD) : { *(.bss .bss.* COMMON) } > R_${ordinary.c}`,
    '  /DISCARD/ : { *(.ARM.*) }',
    '}\n',
  ].join('\n');
}

describe.skipIf(missing('arm-none-eabi-gcc', 'arm-none-eabi-objcopy', 'readelf') !== undefined)(
  'every target',
  () => {
    it.each(names)('%s', async (name) => {
      const target = loadTarget(name);
      const plan = planFor(name, target);
      expect(plan.fits).toBe(true);
      expect(verifyPlan(plan)).toEqual([]);
      const dir = emptyFolder();
      writeFiles(dir, [
        ...renderFiles(plan, target),
        { name: 'tensor_memory_pool.ld', text: [...renderLinker(plan, target).text].join('') },
      ]);
      const touched = plan.tensors.map(({ c }) => `    at[n++] = sketch_tensor(SKETCH_I_${c});`);
      const inits = plan.regions.flatMap(({ c, init }) =>
        init === undefined ? [] : [`#define SKETCH_R_${c}_INIT() ((void)0)`],
      );
      const start = inits.length === 0 ? '' : '    SKETCH_INIT_MEMORIES();';
      const main = `${inits.join('\n')}\n#include "tensor_memory_pool.h"\nvoid *volatile at[64];\nint main(void)\n{\n    int n = 0;\n${start}\n${touched.join('\n')}\n    return n;\n}\n`;
      writeFileSync(join(dir, 'main.c'), main);
      writeFileSync(join(dir, 'firmware.ld'), script(target, plan));
      const flags = [
        '-std=c99',
        '-Os',
        '-Wall',
        '-Wextra',
        '-Werror',
        '-mcpu=cortex-m4',
        '-mthumb',
        '-nostdlib',
        '-fdata-sections',
      ];
      const linked = await run(
        'arm-none-eabi-gcc',
        [...flags, 'main.c', 'tensor_memory_pool.c', '-T', 'firmware.ld', '-o', 'fw.elf'],
        dir,
      );
      expect(linked.output.replace(/^.*LOAD segment with RWX.*$/gm, '').trim()).toBe('');
      await run('arm-none-eabi-objcopy', ['-O', 'binary', 'fw.elf', 'fw.bin'], dir);
      expect(statSync(join(dir, 'fw.bin')).size).toBeLessThan(MOST_FLASH);
      const { output } = await run('readelf', ['-sW', 'fw.elf'], dir);
      for (const { c, origin, capacity } of plan.regions) {
        const [, hex] = new RegExp(
          `(\\w{8}) +\\d+ OBJECT .* sketch_arena_${c.toLowerCase()}_[0-9a-f]{8}$`,
          'm',
        ).exec(output)!;
        const address = Number.parseInt(hex!, 16);
        if (origin === null) continue;
        expect(address).toBeGreaterThanOrEqual(origin);
        expect(address + ARENA).toBeLessThanOrEqual(origin + (capacity ?? 16 * MIB));
      }
    });
  },
);
