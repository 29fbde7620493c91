/** What the generated files say: names of the contract, comments a reader needs, nothing that differs between machines. */
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import { headerOf } from '../support/generated.ts';
import { planOf, targetOf } from '../support/plans.ts';
import { ALL_EXTERNAL, EVERYDAY, HUGE, NO_BYTES, NOTHING, UNALIGNED } from '../support/sample-plans.ts';

describe('names and numbers', () => {
  it('are those of the contract', () => {
    const header = headerOf(EVERYDAY);
    for (const line of [
      '#ifndef KWS_TENSOR_MEMORY_POOL_H',
      '#define KWS_R_AXISRAM_SIZE 7168u',
      '#define KWS_R_AXISRAM_ALIGNMENT 32u',
      '#define KWS_ARENA_SIZE KWS_R_AXISRAM_SIZE',
      '#define KWS_ARENA_ALIGNMENT KWS_R_AXISRAM_ALIGNMENT',
      '#define KWS_T_conv1_x2fout_OFFSET 1024u',
      '#define KWS_T_conv1_x2fout_SIZE 6144u',
      '#define KWS_INPUT_0_OFFSET KWS_T_input_OFFSET',
      '#define KWS_OUTPUT_0_SIZE KWS_T_scores_SIZE',
      `#define KWS_PLAN_HASH 0x${EVERYDAY.planHash.slice(0, 16)}u`,
      '#define KWS_PLAN_SCHEMA 1u',
    ]) {
      expect(header).toContain(`${line}\n`);
    }
  });

  it('with several regions there is no short name for one of them', () => {
    const two = planOf({ file: 'm.onnx', regions: [{ name: 'A' }, { name: 'B' }], tensors: [] });
    expect(headerOf(two)).not.toContain('_ARENA_SIZE');
  });

  it('offsets beyond 32 bits are as wide as they must be', () => {
    expect(headerOf(HUGE)).toContain('#define HUGE_T_y_OFFSET 4294967296u\n');
    expect(headerOf(HUGE)).toMatch(/uint64_t offset;/);
    expect(headerOf(EVERYDAY)).toMatch(/uint16_t offset;/);
  });

  it('an arena without bytes keeps its size of 0', () => {
    expect(headerOf(NO_BYTES)).toContain('#define EMPTY_ARENA_SIZE EMPTY_R_AXISRAM_SIZE\n');
    expect(headerOf(NO_BYTES)).toContain('#define EMPTY_R_AXISRAM_SIZE 0u\n');
    expect(headerOf(NO_BYTES)).toContain('extern uint8_t empty_arena_axisram[1u];');
  });

  it('what the caller owns has a size and no offset', () => {
    const header = headerOf(ALL_EXTERNAL);
    expect(header).toContain('#define EXTERNAL_INPUT_0_SIZE 16u');
    expect(header).not.toContain('EXTERNAL_T_x_OFFSET');
    expect(header).not.toContain('external_input_0(');
  });

  it('a constant output has a size and no place', () => {
    expect(headerOf(NOTHING)).toContain(
      '/* k: a constant. It has no place in an arena. */\n#define NOTHING_OUTPUT_0_SIZE 8u\n',
    );
  });

  it('a helper is typed only where the address suits the type', () => {
    expect(headerOf(UNALIGNED)).toContain('static inline int8_t *packed_input_0(void)');
    expect(headerOf(UNALIGNED)).toContain('static inline void *packed_output_0(void)');
  });

  it('ordinary data needs no section; other memories have one that begins with .bss', () => {
    const sourceOf = (region: string) => {
      const plan = planOf({ file: 'm.onnx', regions: [{ name: region, capacity: 1024 }], tensors: [] });
      return renderFiles(plan, targetOf(plan))[1]!.text;
    };
    expect(sourceOf('DTCM')).not.toContain('section(');
    expect(sourceOf('AXISRAM')).toContain('section(".bss.memplan.axisram")');
  });

  it('a section is a region of the plan and a name that linkers know', () => {
    const asked = (region: string, section: string) => () =>
      headerOf(EVERYDAY, { sections: new Map([[region, section]]) });
    expect(asked('AXISRAM', '.bss.mine')).not.toThrow();
    expect(asked('SRAM9', '.bss.mine')).toThrow('--section: the plan has no arena in SRAM9.');
    expect(asked('AXISRAM', 'a")))')).toThrow('is no name of a section');
  });

  it('regions whose names differ in case alone are refused: their arrays would be one', () => {
    const two = planOf({ file: 'm.onnx', regions: [{ name: 'RAM' }, { name: 'Ram' }], tensors: [] });
    expect(() => headerOf(two)).toThrow('The regions RAM and Ram have one name in C.');
  });

  it('two models with one prefix are refused', () => {
    const twice = { ...EVERYDAY, models: [...EVERYDAY.models, ...EVERYDAY.models] };
    expect(() => headerOf(twice)).toThrow('Two models have the C prefix KWS.');
  });
});

describe('comments', () => {
  const text = (header: string) => header.replace(/\n \*( {2,}| )/g, ' ').replace(/\s+/g, ' ');

  it('say when each tensor is alive, whose bytes it shares, and what becomes of inputs', () => {
    const header = headerOf(EVERYDAY);
    expect(header).toContain('/* relu1/out: float32[1,6,16,16], live [1, 3), in place over conv1/out */');
    expect(header).toContain('/* flat: float32[1,1536], live [2, 4), a view of relu1/out */');
    expect(header).toContain('Fill it before every run: its bytes are used anew from step 1.');
    expect(text(header)).toContain('Tensors that share bytes are disjoint in time');
    expect(text(header)).toContain('-fno-strict-aliasing');
  });

  it('list the steps, and say whose order it is', () => {
    expect(headerOf(EVERYDAY)).toContain(' * 1  relu1 (Relu): conv1/out -> relu1/out\n');
    expect(text(headerOf(EVERYDAY))).toContain("in the order at the end of this file: the model's own.");
    const other = { ...EVERYDAY, assumptions: { ...EVERYDAY.assumptions, schedule: 'min-peak' as const } };
    expect(text(headerOf(other))).toContain("which may not be the model's own.");
  });

  it('name the kernel library, its version and build, and whether scratch is counted', () => {
    const library = {
      ...EVERYDAY,
      assumptions: {
        ...EVERYDAY.assumptions,
        kernels: 'cmsis-nn',
        kernelsVersion: '7.0.0',
        kernelsBuild: 'dsp',
        layout: 'nhwc' as const,
      },
      totals: { ...EVERYDAY.totals, complete: true },
    };
    expect(text(headerOf(library))).toContain(
      'have their axis 1, the channels, last in memory (NHWC); kernels: cmsis-nn 7.0.0, dsp build; ' +
        'fusions: none; scratch memory is counted.',
    );
    expect(text(headerOf(EVERYDAY))).toContain('is not counted, so the sizes are lower bounds');
  });

  it('say how full the memory is and whether that is proved', () => {
    expect(text(headerOf(EVERYDAY))).toContain(
      'AXISRAM: 7168 of 524288 bytes (1.4 %). No plan for these live ranges and aliases is smaller.',
    );
    const little = { ...EVERYDAY, regions: [{ ...EVERYDAY.regions[0]!, used: 64 }] };
    expect(text(headerOf(little))).toContain('AXISRAM: 64 of 524288 bytes (0.01 %).');
    const gap = { ...EVERYDAY, regions: [{ ...EVERYDAY.regions[0]!, optimal: false, lowerBound: 7000 }] };
    expect(text(headerOf(gap))).toContain('The lower bound is 7000.');
  });
});

it('depends on the plan alone: no date, no path, no version', () => {
  const [header, source] = renderFiles(EVERYDAY, targetOf(EVERYDAY));
  expect(renderFiles(EVERYDAY, targetOf(EVERYDAY))).toEqual([header, source]);
  const both = header!.text + source!.text;
  expect(both).not.toMatch(/\b20\d\d-|\/home|\/tmp|\/work|C:\\/);
  expect(both).not.toContain(process.cwd());
  expect(both).not.toMatch(/\r|\t| $/m);
  expect(both).toMatch(/^[\x20-\x7e\n]*$/);
});

it('names files after --name', () => {
  const files = renderFiles(EVERYDAY, targetOf(EVERYDAY), { name: 'kws_pool' });
  expect(files.map((f) => f.name)).toEqual(['kws_pool.h', 'kws_pool.c']);
  expect(files[0]!.text).toContain('#ifndef KWS_KWS_POOL_H');
  expect(files[1]!.text).toContain('#include "kws_pool.h"');
});
