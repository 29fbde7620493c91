/** Scratch as buffers of a plan: their names, lives, bytes and alignment; overrides; what is not known. */
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import type { KernelLibrary } from '../../src/kernels/types.ts';
import { buildBuffers } from '../../src/lifetime/buffers.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import { addScratch } from '../../src/lifetime/scratch.ts';
import { trustWarnings } from '../../src/lifetime/trust.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { type GraphSketch, graphOf } from '../support/graphs.ts';
import { library } from '../support/kernels.ts';
import { optionsOf } from '../support/lifetimes.ts';
import { planSketch } from '../support/planned.ts';

const narrow = (...shape: readonly number[]) => ({ type: 'int8', shape }) as const;
const filter = (...shape: readonly number[]) => ({ type: 'int8', shape, weight: true }) as const;

/** 3x3 over 3 channels (27 products), a sum, a pointwise convolution, a transposed one over 17 channels. */
const NET: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: {
    x: narrow(1, 3, 8, 8),
    w1: filter(4, 3, 3, 3),
    a: narrow(1, 4, 6, 6),
    w2: filter(17, 4, 1, 1),
    b: narrow(1, 17, 6, 6),
    c: narrow(1, 17, 6, 6),
    w3: filter(17, 2, 3, 3),
    y: narrow(1, 2, 8, 8),
  },
  nodes: [
    { run: 'Conv x w1 -> a', name: 'first' },
    { run: 'Conv a w2 -> b', name: 'point' },
    { run: 'Add b b -> c', name: 'twice' },
    { run: 'ConvTranspose c w3 -> y', name: 'up' },
  ],
};

const CMSIS: Partial<PlanRequest> = { kernels: 'cmsis-nn', kernelsBuild: 'dsp', kernelsVersion: '7' };

function planOf(options: Partial<PlanRequest>, sketch: GraphSketch = NET): Plan {
  const plan = planSketch(sketch, options);
  expect(verifyPlan(plan)).toEqual([]);
  return plan;
}

const scratchIn = ({ tensors }: Plan) =>
  tensors
    .filter(({ role }) => role === 'scratch')
    .map(({ name, bytes, first, end, how }) => [name, bytes, first, end, how]);

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof MemplanError) return error.code;
    throw error;
  }
  return undefined;
}

describe('scratch', () => {
  const plan = planOf(CMSIS);

  it('is a tensor of its own, alive in its step alone', () => {
    // Two columns of 28; 4 times 17 x 9 on whole words, and 17 x 9 x 2 bytes of filters turned round.
    expect(scratchIn(plan)).toEqual([
      ['first.scratch', 112, 0, 1, 'own'],
      ['up.scratch', 624, 3, 4, 'own'],
      ['up.scratch.filter', 306, 3, 4, 'own'],
    ]);
    expect(plan.steps.map(({ scratch, scratchBytes }) => [scratch, scratchBytes])).toEqual([
      [['first.scratch'], 112],
      [undefined, 0],
      [undefined, 0],
      [['up.scratch', 'up.scratch.filter'], 930],
    ]);
  });

  it('counts in every sum, and apart', () => {
    const bare = planOf({ ...CMSIS, kernels: 'reference', kernelsVersion: undefined });
    expect(plan.totals).toMatchObject({ scratchBytes: 930, complete: true });
    expect(plan.totals.noReuseBytes).toBe(bare.totals.noReuseBytes + 112 + 930);
    expect(plan.steps[0]!.liveBytes).toBe(3 * 64 + 4 * 36 + 112);
    // The peak is no longer the sum, which reads and writes 17 layers of 36.
    expect(bare.peak).toMatchObject({ step: 2, bytes: 2 * 17 * 36 });
    expect(plan.peak).toMatchObject({ step: 3, bytes: 17 * 36 + 930 + 2 * 64 });
    expect(plan.peak.tensors).toEqual(expect.arrayContaining(['up.scratch', 'up.scratch.filter']));
  });

  it('is kept from everything else: no view, no place of another tensor', () => {
    const kinds = plan.buffers.filter(({ kind }) => kind === 'scratch').map(({ tensors }) => tensors);
    expect(kinds).toEqual([['first.scratch'], ['up.scratch'], ['up.scratch.filter']]);
  });

  it('lies on whole words, and on 16 bytes for TensorFlow Lite Micro', () => {
    const alignments = (options: Partial<PlanRequest>) =>
      planOf(options)
        .buffers.filter(({ kind }) => kind === 'scratch')
        .map(({ alignment }) => alignment);
    const target = { target: 'cortex-m7' };
    expect(new Set(alignments({ ...CMSIS, ...target, align: 1 }))).toEqual(new Set([1]));
    expect(alignments({ ...CMSIS, ...target }).every((alignment) => alignment % 4 === 0)).toBe(true);
    expect(alignments({ kernels: 'tflm', target: 'stm32f411re' })).toSatisfy((all: number[]) =>
      all.every((alignment) => alignment % 16 === 0),
    );
  });

  it('has names that no tensor of the model has', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['first.scratch'],
      tensors: { x: narrow(1, 3, 8, 8), w1: filter(4, 3, 3, 3), 'first.scratch': narrow(1, 4, 6, 6) },
      nodes: [{ run: 'Conv x w1 -> first.scratch', name: 'first' }],
    };
    expect(scratchIn(planOf(CMSIS, sketch)).map(([name]) => name)).toEqual(['first.scratch.2']);
  });

  it('in a body lives for the step in the body', () => {
    const sketch: GraphSketch = {
      inputs: ['go', 'x'],
      outputs: ['z'],
      tensors: {
        go: { type: 'bool', shape: [1] },
        x: narrow(1, 3, 8, 8),
        w1: filter(4, 3, 3, 3),
        a: narrow(1, 4, 6, 6),
        b: narrow(1, 4, 6, 6),
        z: narrow(1, 4, 6, 6),
      },
      nodes: [
        {
          run: 'If go -> z',
          name: 'if',
          bodies: [
            { name: 'then_branch', outputs: ['a'], nodes: [{ run: 'Conv x w1 -> a', name: 'conv' }] },
            { name: 'else_branch', outputs: ['b'], nodes: [{ run: 'Conv x w1 -> b', name: 'conv' }] },
          ],
        },
      ],
    };
    expect(scratchIn(planOf(CMSIS, sketch))).toEqual([
      ['if/then_branch/conv.scratch', 112, 1, 2, 'own'],
      ['if/else_branch/conv.scratch', 112, 2, 3, 'own'],
    ]);
  });
});

describe('--scratch', () => {
  const sizes = (...entries: readonly (readonly [string, number])[]) => ({
    ...CMSIS,
    scratch: new Map(entries),
  });

  it('says what a node needs, by its name or place, in place of all that the library says', () => {
    expect(scratchIn(planOf(sizes(['up', 64], ['#1', 32])))).toEqual([
      ['first.scratch', 112, 0, 1, 'own'],
      ['point.scratch', 32, 1, 2, 'own'],
      ['up.scratch', 64, 3, 4, 'own'],
    ]);
    expect(scratchIn(planOf(sizes(['first', 0], ['up', 0])))).toEqual([]);
  });

  it('holds without a library too, where the total stays a lower bound', () => {
    const plan = planOf({ kernels: 'none', scratch: new Map([['point', 48]]) });
    expect(scratchIn(plan)).toEqual([['point.scratch', 48, 1, 2, 'own']]);
    expect(plan.totals).toMatchObject({ scratchBytes: 48, complete: false });
  });

  it('of a node that is not there is refused, all of them together', () => {
    expect(codeOf(() => planSketch(NET, sizes(['nobody', 1], ['#9', 1])))).toBe('E_USAGE');
  });
});

describe('what is not known', () => {
  const sketch: GraphSketch = {
    inputs: ['x'],
    outputs: ['y', 'i'],
    tensors: { x: [1, 8], a: [1, 8], k: { shape: [1], type: 'int64', weight: true }, y: [1, 3], i: [1, 3] },
    nodes: [
      { run: 'Softmax x -> a', name: 'soft' },
      { run: 'TopK a k -> y i', name: 'top' },
    ],
  };

  it('is listed, and makes the total a lower bound', () => {
    const { totals, diagnostics } = planOf({ ...CMSIS }, sketch);
    expect(totals.complete).toBe(false);
    const warning = diagnostics.find(({ code }) => code === 'W_SCRATCH');
    expect(warning).toMatchObject({ node: 'top', hint: 'Say what a kernel needs: --scratch "top=4K".' });
    expect(warning!.text).toContain('The working memory (scratch) of top is not known');
  });

  it('is known once it is said', () => {
    const { totals, diagnostics } = planOf({ ...CMSIS, scratch: new Map([['top', 256]]) }, sketch);
    expect(totals).toMatchObject({ complete: true, scratchBytes: 256 });
    expect(diagnostics.filter(({ code }) => code === 'W_SCRATCH')).toEqual([]);
  });

  it('a node without a kernel goes to a reference kernel, in one note that says why', () => {
    const graph = graphOf(sketch);
    const { diagnostics, unknown } = addScratch(graph, scheduleSteps(graph), library('cmsis-nn'), new Map());
    expect(unknown).toEqual(['top']);
    expect(diagnostics).toMatchObject([{ code: 'N_KERNEL_MISSING', node: 'soft' }]);
    expect(diagnostics[0]!.text).toBe(
      'cmsis-nn has no kernel for Softmax soft (it works on float32), TopK top (there is none): ' +
        'reference kernels stand in.',
    );
  });

  it('names six nodes and counts the others', () => {
    const many: GraphSketch = {
      inputs: ['x'],
      outputs: ['t8'],
      tensors: Object.fromEntries(
        ['x', ...Array.from({ length: 9 }, (_, i) => `t${i}`)].map((name) => [name, [4]]),
      ),
      nodes: Array.from({ length: 9 }, (_, i) => `Erf ${i === 0 ? 'x' : `t${i - 1}`} -> t${i}`),
    };
    const graph = graphOf(many);
    const { diagnostics } = addScratch(graph, scheduleSteps(graph), library('cmsis-nn'), new Map());
    expect(diagnostics[0]!.text).toMatch(/erf_5 \(there is none\) and 3 more: reference kernels stand in\.$/);
  });
});

describe('bytes behind a tensor', () => {
  it('are kept free where kernels may read past its end', () => {
    const plan = planOf({ kernels: 'xnnpack', target: 'cortex-a53', align: 1, inPlace: false, views: false });
    expect(plan.assumptions.slack).toBe(16);
    for (const { bytes, tensors } of plan.buffers) {
      const [held] = plan.tensors.filter(({ name }) => name === tensors[0]);
      expect(bytes).toBe(held!.bytes + 16);
    }
  });

  it('are kept free as guards, whichever is more', () => {
    const bytesOf = (options: Partial<PlanRequest>) => planOf({ align: 1, inPlace: false, ...options });
    const bare = bytesOf({});
    const guarded = bytesOf({ guard: 8 });
    expect(guarded.buffers.map(({ bytes }) => bytes)).toEqual(bare.buffers.map(({ bytes }) => bytes + 8));
    expect(bare.assumptions.slack).toBeUndefined();
    expect(bytesOf({ kernels: 'xnnpack', guard: 8 }).assumptions.slack).toBe(16);
    expect(bytesOf({ kernels: 'xnnpack', guard: 40 }).assumptions.slack).toBe(40);
  });

  it('are rounded with the buffer', () => {
    expect(planOf({ guard: 5, sizeRound: 32 }).buffers.every(({ bytes }) => bytes % 32 === 0)).toBe(true);
  });
});

describe('permissions that no run has proved', () => {
  const sketch: GraphSketch = {
    inputs: ['x'],
    outputs: ['z'],
    tensors: { x: [64], y: [64], z: [64] },
    nodes: [
      { run: 'Relu x -> y', name: 'relu' },
      { run: 'Abs y -> z', name: 'abs' },
    ],
  };
  const shared = (plan: Plan) => plan.tensors.filter(({ how }) => how === 'in-place').map(({ name }) => name);

  it('are used only when they are trusted, which the plan says', () => {
    expect(shared(planOf({ kernels: 'xnnpack' }, sketch))).toEqual([]);
    const trusting = planOf({ kernels: 'xnnpack', trustUnproved: true }, sketch);
    expect(shared(trusting)).toEqual(['y', 'z']);
    expect(trusting.assumptions.trustUnproved).toBe(true);
  });

  it('are named in a warning', () => {
    const graph = graphOf(sketch);
    const schedule = scheduleSteps(graph);
    const warnings = (kernels: KernelLibrary) => {
      const buffers = buildBuffers(graph, schedule, optionsOf(sketch, { trustUnproved: true }), kernels);
      return trustWarnings(graph, schedule, buffers, kernels);
    };
    expect(warnings(library('xnnpack'))).toMatchObject([{ code: 'W_UNPROVED', node: 'relu' }]);
    expect(warnings(library('xnnpack'))[0]!.text).toMatch(/^relu, abs write over an operand/);
    expect(warnings(library('cmsis-nn'))).toEqual([]);
  });

  it('of proved kernels, and of operators that allow it whoever runs them, need no trust', () => {
    expect(shared(planOf({ kernels: 'none' }, sketch))).toEqual(['y', 'z']);
    expect(shared(planOf({ kernels: 'cmsis-nn', kernelsBuild: 'dsp' }, sketch))).toEqual(['y', 'z']);
    const wide: GraphSketch = {
      inputs: ['x', 'v'],
      outputs: ['y'],
      tensors: { x: narrow(1, 64), v: narrow(1, 64), y: narrow(1, 64) },
      nodes: ['Add x v -> y'],
    };
    expect(shared(planOf({ ...CMSIS }, wide))).toEqual(['y']);
  });
});
