/** The generated C compiles without a warning: every compiler and standard, every kind of plan, every way to emit it. */
import { describe, expect, it } from 'vitest';
import type { RenderOptions } from '../../src/emit/render.ts';
import { renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { ALL_COMPILERS, type Compiler, compile, PROGRAMS, SOME_COMPILERS } from '../support/compilers.ts';
import { generated } from '../support/generated.ts';
import { goldens } from '../support/goldens.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { targetOf } from '../support/plans.ts';
import { ALL_CASES } from '../support/rounds.ts';
import {
  ALL_EXTERNAL,
  EVERY_TYPE,
  EVERYDAY,
  HOSTILE_NAMES,
  HUGE,
  NO_BYTES,
  NOTHING,
  UNALIGNED,
} from '../support/sample-plans.ts';
import { planSeveral } from '../support/several.ts';
import { missing, twoAtATime } from '../support/tools.ts';

const BASE = 'tensor_memory_pool';

/** Includes the header twice, asks its macros in #if, and uses its constants, functions and helpers. */
function user(plan: Plan, table: RenderOptions['table'] = 'const'): string {
  const P = plan.models[0]!.cPrefix;
  const p = P.toLowerCase();
  const placed = plan.tensors.filter((t) => t.region !== null);
  const asks = placed.map(
    (t) => `#if ${P}_T_${t.c}_OFFSET + ${P}_T_${t.c}_SIZE < ${P}_T_${t.c}_OFFSET\n#error\n#endif\n`,
  );
  const inputs = plan.models[0]!.inputs.filter((name) => placed.some((t) => t.name === name));
  const fill = inputs.map((_, i) => `    if (${p}_input_${i}() == address) { sum += 1u; }\n`);
  const rows = plan.tensors.map((t) => `    address = ${p}_tensor(${P}_I_${t.c});\n`);
  const add = '#define ADD(c, offset, size, region, first, end, type, rank, how) sum += (size);\n';
  return [
    `#include "${BASE}.h"\n#include "${BASE}.h"\n`,
    ...asks,
    ...(table === 'xmacro' && plan.tensors.length > 0 ? [add] : []),
    `size_t use(const void *address);\nsize_t use(const void *address)\n{\n    size_t sum = ${P}_STEP_COUNT;\n`,
    ...(plan.regions.length === 1 ? [`    sum += ${P}_ARENA_SIZE + ${P}_ARENA_ALIGNMENT;\n`] : []),
    ...(table === 'const' ? rows : []),
    ...(table === 'xmacro' ? [`    ${P}_TENSORS(ADD)\n`] : []),
    ...fill,
    '    return (address == &sum) ? 0u : sum;\n}\n',
  ].join('');
}

/** What a compiler says about the files of a plan. */
function verdict(plan: Plan, dir: string, table?: RenderOptions['table']) {
  const text = user(plan, table);
  writeFiles(dir, [
    { name: 'use.c', text },
    { name: 'use.cpp', text },
  ]);
  return (compiler: Compiler) =>
    compile(compiler, dir, compiler.language === 'c' ? [`${BASE}.c`, 'use.c'] : ['use.cpp']);
}

describe.skipIf(missing(...PROGRAMS) !== undefined)('without a warning', () => {
  it.each([
    ['everyday', EVERYDAY, ALL_COMPILERS],
    ['hostile names', HOSTILE_NAMES, ALL_CASES ? ALL_COMPILERS : SOME_COMPILERS],
  ])('%s: every compiler and standard', async (_, plan, compilers) => {
    const said = await twoAtATime(compilers, verdict(plan, generated(plan)));
    expect(said.filter((words) => words !== '')).toEqual([]);
  });

  it.each([
    ['every type', EVERY_TYPE],
    ['unaligned', UNALIGNED],
    ['nothing', NOTHING],
    ['no bytes', NO_BYTES],
    ['all external', ALL_EXTERNAL],
  ])('%s: one compiler of each family', async (_, plan) => {
    const said = await twoAtATime(SOME_COMPILERS, verdict(plan, generated(plan)));
    expect(said.filter((words) => words !== '')).toEqual([]);
  });

  it('four gigabytes: 64-bit compilers take it, 32-bit ones say why not', async () => {
    const dir = generated(HUGE);
    const said = await twoAtATime(SOME_COMPILERS, verdict(HUGE, dir));
    const faulty = said.filter((words) => words !== '');
    expect(faulty).toHaveLength(1);
    expect(faulty[0]).toContain('arm-none-eabi-gcc');
    expect(faulty[0]).toContain('HUGE_R_DRAM needs a compiler with 64-bit addresses');
  });

  const ways: readonly RenderOptions[] = [
    { arena: 'extern' },
    { arena: 'pointer' },
    { table: 'none' },
    { table: 'xmacro' },
    { arena: 'pointer', table: 'none' },
    { sections: new Map([['AXISRAM', '']]) },
  ];
  it.each(ways)('%o: one compiler of each family', async (options) => {
    for (const plan of [EVERY_TYPE, NOTHING]) {
      const said = await twoAtATime(SOME_COMPILERS, verdict(plan, generated(plan, options), options.table));
      expect(said.filter((words) => words !== '')).toEqual([]);
    }
  });

  it('one header alone, with its definitions in the file that asks for them', async () => {
    const dir = generated(EVERY_TYPE, { headerOnly: true });
    writeFiles(dir, [{ name: `${BASE}.c`, text: `#define TYPES_IMPLEMENTATION\n#include "${BASE}.h"\n` }]);
    const said = await twoAtATime(SOME_COMPILERS, verdict(EVERY_TYPE, dir));
    expect(said.filter((words) => words !== '')).toEqual([]);
  });

  it.each(goldens())('the committed C of $name: one compiler of each family', async ({ dir }) => {
    const said = await twoAtATime(
      SOME_COMPILERS.filter((compiler) => compiler.language === 'c'),
      (compiler) => compile(compiler, dir, [`${BASE}.c`]),
    );
    expect(said.filter((words) => words !== '')).toEqual([]);
  });

  const PAIR: GraphSketch = {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { x: [10], p: [40], y: [10] },
    nodes: ['Conv x -> p', 'Conv p -> y'],
  };
  it.each([
    { run: 'exclusive', hold: ['a:y'] },
    { run: 'joint', link: ['a:y=b:x'] },
    { run: 'concurrent' },
  ] satisfies Partial<PlanRequest>[])('several models in one plan: %j', async (options) => {
    const plan = planSeveral([PAIR, PAIR], options);
    const text =
      `#include "${BASE}.h"\n` +
      '#if (B_ARENA_OFFSET + B_ARENA_SIZE) > A_B_ARENA_SIZE\n#error "outside"\n#endif\n' +
      '#if (A_FIRST_STEP + A_STEP_COUNT) != B_FIRST_STEP\n#error "apart"\n#endif\n' +
      'float use(void);\nfloat use(void)\n{\n    a_input_0()[0] = 1.0f;\n    b_input_0()[0] = 2.0f;\n' +
      '    return *a_output_0() + *(const float *)a_b_tensor(B_I_y);\n}\n';
    const xmacro = [
      `#include "${BASE}.h"\n#define ADD(c, offset, size, region, first, end, type, rank, how) + (size)\n`,
      'size_t use(void);\nsize_t use(void)\n{\n    return 0u A_TENSORS(ADD) B_TENSORS(ADD);\n}\n',
    ].join('');
    for (const [table, body] of [
      ['const', text],
      ['xmacro', xmacro],
    ] as const) {
      const dir = generated(plan, { table }, [
        { name: 'use.c', text: body },
        {
          name: 'use.cpp',
          text: body
            .replace('(const float *)', 'static_cast<const float *>(')
            .replace('B_I_y);', table === 'const' ? 'B_I_y));' : 'B_I_y);'),
        },
      ]);
      const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
        compile(compiler, dir, compiler.language === 'c' ? [`${BASE}.c`, 'use.c'] : ['use.cpp']),
      );
      expect(said.filter((words) => words !== '')).toEqual([]);
    }
  });

  it.each([{}, { arena: 'pointer' }, { headerOnly: true }] satisfies RenderOptions[])(
    'states, shared and copied: %j',
    async (options) => {
      const states = [
        { tensor: 'a:x', from: 'a:y' },
        { tensor: 'b:x', from: 'b:p' },
        { tensor: 'b:y', from: undefined },
      ];
      const late: GraphSketch = {
        ...PAIR,
        tensors: { ...PAIR.tensors, p: [10] },
        nodes: ['Conv x -> p', 'Conv p x -> y'],
      };
      const plan = planSeveral([PAIR, late], { states });
      expect(plan.states!.map(({ how }) => how)).toEqual(['shared', 'copied', 'kept']);
      const define = options.headerOnly === true ? '#define A_B_IMPLEMENTATION\n' : '';
      const body = `${define}#include "${BASE}.h"\n#if A_STATE_0_SIZE != 40u\n#error "size"\n#endif\nvoid use(void);\nvoid use(void)\n{\n    a_reset();\n    b_reset();\n    b_carry();\n}\n`;
      const dir = generated(plan, options, [
        { name: 'use.c', text: body },
        { name: 'use.cpp', text: body.replace(define, '') },
      ]);
      const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
        compile(
          compiler,
          dir,
          compiler.language !== 'c'
            ? ['use.cpp']
            : options.headerOnly === true
              ? ['use.c']
              : [`${BASE}.c`, 'use.c'],
        ),
      );
      expect(said.filter((words) => words !== '')).toEqual([]);
    },
  );

  it('two models in one translation unit', async () => {
    const files = [EVERYDAY, HOSTILE_NAMES].flatMap((plan, i) =>
      renderFiles(plan, targetOf(plan), { name: `pool_${i}` }),
    );
    const text = '#include "pool_0.h"\n#include "pool_1.h"\nvoid *use(int i);\n';
    const body =
      'void *use(int i)\n{\n    return (i == 0) ? kws_tensor(KWS_I_input) : h9_tensor(H9_I_int);\n}\n';
    const dir = generated(NOTHING, {}, [
      ...files,
      { name: 'both.c', text: text + body },
      { name: 'both.cpp', text: text + body },
    ]);
    const said = await twoAtATime(SOME_COMPILERS, (compiler) =>
      compile(compiler, dir, compiler.language === 'c' ? ['both.c', 'pool_0.c', 'pool_1.c'] : ['both.cpp']),
    );
    expect(said.filter((words) => words !== '')).toEqual([]);
  });
});
