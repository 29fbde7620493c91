import { describe, expect, it } from 'vitest';
import type { Plan, PlanBuffer, PlanRegion, PlanStep, PlanTensor } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch, sealed } from '../support/planned.ts';

const S = [16] as const;
const W = { shape: S, weight: true } as const;

/** A residual block with a view, an in-place write and a second output. */
const RESIDUAL: GraphSketch = {
  inputs: ['x'],
  outputs: ['y', 'b'],
  tensors: { x: S, w: W, a: S, b: S, r: [4, 4], c: [4, 4], d: S, y: [4, 4] },
  nodes: [
    'Conv x w -> a',
    'Conv a w -> b',
    { run: 'Reshape b w -> r', name: 'reshape' },
    { run: 'Conv r a -> c', name: 'mix' },
    { run: 'Relu c -> y', name: 'relu' },
    'Conv y b -> d',
  ],
};

const LOOP: GraphSketch = {
  inputs: ['n', 'x', 'outer'],
  outputs: ['y'],
  tensors: { n: [1], x: S, outer: S, k: [1], go: [1], i: S, p: S, q: S, o: S, z: S, y: S, w: W },
  nodes: [
    {
      run: 'Loop n _ x -> z',
      name: 'loop',
      bodies: [
        {
          name: 'body',
          inputs: ['k', 'go', 'i'],
          outputs: ['go', 'o'],
          nodes: ['Add i outer -> p', 'Conv p w -> q', 'Relu q -> o'],
        },
      ],
    },
    'Relu z -> y',
  ],
};

/** Steps: 0 Relu, 1 If, 2 to 4 then, 5 else, 6 Conv. The result of the first branch is made early. */
const BRANCH: GraphSketch = {
  inputs: ['c', 'v'],
  outputs: ['y'],
  tensors: { c: [1], v: S, x: S, early: S, last: S, tail: S, e: S, z: S, y: S, w: W },
  nodes: [
    'Relu v -> x',
    {
      run: 'If c -> z',
      name: 'if',
      bodies: [
        {
          name: 'then_branch',
          outputs: ['early'],
          nodes: ['Conv x w -> early', 'Relu early -> last', 'Conv last w -> tail'],
        },
        { name: 'else_branch', outputs: ['e'], nodes: ['Conv x w -> e'] },
      ],
    },
    'Conv z w -> y',
  ],
};

const tensor = (plan: Plan, name: string, change: Partial<PlanTensor>): Plan => {
  expect(plan.tensors.some((t) => t.name === name)).toBe(true);
  return { ...plan, tensors: plan.tensors.map((t) => (t.name === name ? { ...t, ...change } : t)) };
};
/** The buffer of a tensor. */
const buffer = (plan: Plan, of: string, change: (b: PlanBuffer) => Partial<PlanBuffer>): Plan => ({
  ...plan,
  buffers: plan.buffers.map((b) => (b.tensors.includes(of) ? { ...b, ...change(b) } : b)),
});
const step = (plan: Plan, at: number, change: (s: PlanStep) => Partial<PlanStep>): Plan => ({
  ...plan,
  steps: plan.steps.map((s) => (s.step === at ? { ...s, ...change(s) } : s)),
});
const region = (plan: Plan, change: Partial<PlanRegion>): Plan => ({
  ...plan,
  regions: plan.regions.map((r) => ({ ...r, ...change })),
});
const find = (plan: Plan, name: string): PlanTensor => plan.tensors.find((t) => t.name === name)!;
/** Moves a whole buffer with its tensors. */
const move = (plan: Plan, of: string, by: number): Plan => {
  const id = find(plan, of).buffer;
  return {
    ...plan,
    buffers: plan.buffers.map((b) => (b.id === id ? { ...b, offset: b.offset + by } : b)),
    tensors: plan.tensors.map((t) => (t.buffer === id ? { ...t, offset: t.offset! + by } : t)),
  };
};

describe('a sound plan', () => {
  it.each([
    ['residual', RESIDUAL, {}],
    ['residual, inputs preserved', RESIDUAL, { preserveInputs: true }],
    ['residual, kept', RESIDUAL, { keep: ['a'] }],
    ['residual, nothing shared', RESIDUAL, { views: false, inPlace: false }],
    ['residual, external', RESIDUAL, { io: 'external' }],
    ['residual, asynchronous', RESIDUAL, { asyncIo: true }],
    ['residual, too large', RESIDUAL, { reserve: new Map([['AXISRAM', 524288]]) }],
    // The same offset twice while both live, in two memories.
    [
      'residual, in two regions',
      RESIDUAL,
      {
        rules: [
          { kind: 'pin', tensor: 'a', region: 'AXISRAM', offset: 0 },
          { kind: 'pin', tensor: 'b', region: 'DTCM', offset: 0 },
        ],
      },
    ],
    ['loop', LOOP, {}],
    ['loop, external', LOOP, { io: 'external' }],
    ['branch', BRANCH, {}],
    [
      'an input that nobody reads',
      { ...RESIDUAL, inputs: ['x', 'unread'], tensors: { ...RESIDUAL.tensors, unread: S } },
      {},
    ],
    ['no nodes', { inputs: ['x'], outputs: ['x'], tensors: { x: S }, nodes: [] }, {}],
    ['no bytes', { inputs: ['x'], outputs: ['y'], tensors: { x: [0], y: [0] }, nodes: ['Conv x -> y'] }, {}],
  ] as const)('has no faults: %s', (_, sketch, options) => {
    expect(verifyPlan(planSketch(sketch, options))).toEqual([]);
  });
});

interface Fault {
  readonly name: string;
  readonly graph?: GraphSketch;
  readonly options?: Parameters<typeof planSketch>[1];
  readonly plant: (plan: Plan) => Plan;
  /** What one of the findings says. */
  readonly says: RegExp;
}

/** Each fault is planted with a fresh hash, so that the content alone gives it away. */
const FAULTS: readonly Fault[] = [
  // Packing
  {
    name: 'a shifted offset',
    plant: (p) => move(p, 'a', 16),
    says: /^Buffers \d+ \([\w, ]+\) and \d+ \(c, y\) hold the same byte at step 3\.$/m,
  },
  { name: 'an unaligned offset', plant: (p) => move(p, 'b', 4), says: /not aligned to 16/ },
  { name: 'a negative offset', plant: (p) => move(p, 'x', -1024), says: /has offset -/ },
  {
    name: 'a buffer that is too small',
    plant: (p) => buffer(p, 'b', (b) => ({ bytes: b.bytes - 4 })),
    says: /Tensor b .* reaches out of its buffer/,
  },
  // Live ranges
  {
    name: 'a shortened live range',
    plant: (p) => buffer(tensor(p, 'a', { end: 2 }), 'a', () => ({ end: 2 })),
    says: /Tensor a is read at step 3, but its live range is \[0,2\)/,
  },
  {
    name: 'a live range that begins too late',
    plant: (p) => buffer(tensor(p, 'x', { first: 1, end: 2 }), 'x', () => ({ first: 1, end: 2 })),
    says: /Tensor x is read at step 0/,
  },
  {
    name: 'a live range that is too long',
    plant: (p) => buffer(tensor(p, 'x', { end: 3 }), 'x', () => ({ end: 3 })),
    says: /lives until before step 3, but nothing is known to use it after step 0/,
  },
  {
    name: 'an output that dies early',
    plant: (p) => tensor(p, 'r', { end: 3 }),
    says: /Tensor r is read at step 3/,
  },
  {
    name: 'an input that should be preserved and is not',
    plant: (p) => ({ ...p, assumptions: { ...p.assumptions, preserveInputs: true } }),
    says: /Tensor x is needed to the end, but its live range ends before step 1/,
  },
  {
    name: 'a kept tensor that is not kept',
    plant: (p) => ({ ...p, assumptions: { ...p.assumptions, keep: ['a'] } }),
    says: /Tensor a is needed to the end, but its live range ends before step 4/,
  },
  {
    name: 'an outer value that dies inside a loop',
    graph: LOOP,
    plant: (p) => buffer(tensor(p, 'outer', { end: 2 }), 'outer', () => ({ end: 2 })),
    says: /Tensor outer is needed until step 3, but its live range ends before step 2/,
  },
  {
    name: "a live range outside its buffer's",
    plant: (p) => buffer(p, 'a', () => ({ end: 3 })),
    says: /Tensor a lives \[0,4\), its buffer \d+ only \[0,3\)/,
  },
  {
    name: 'a result of a branch that dies before the branch is done',
    graph: BRANCH,
    plant: (p) => {
      const early = p.tensors.map((t) => (t.name === 'early' ? { ...t, end: 4 } : t));
      return buffer({ ...p, tensors: early }, 'early', () => ({ end: 4 }));
    },
    says: /Tensor early is needed until step 4, but its live range ends before step 4/,
  },
  {
    name: 'state that nobody keeps',
    plant: (p) => tensor(p, 'x', { role: 'state' }),
    says: /Tensor x is not the state it is said to be/,
  },
  // Reads
  {
    name: 'a read of what the step itself writes',
    plant: (p) => step(p, 3, (s) => ({ reads: [...s.reads, 'c'] })),
    says: /Step 3 reads c, which is written only at step 3/,
  },
  {
    name: 'a missing read: the last one',
    plant: (p) => step(p, 3, (s) => ({ reads: s.reads.filter((name) => name !== 'a') })),
    says: /Tensor a lives until before step 4, but nothing is known to use it after step 1: a read is missing/,
  },
  {
    name: 'a missing read: the operand of an in-place write',
    plant: (p) => step(p, 4, () => ({ reads: [] })),
    says: /puts y on c, which it does not read/,
  },
  {
    name: 'a missing read: the source of a view',
    plant: (p) => step(p, 2, () => ({ reads: [] })),
    says: /puts r on b, which it does not read/,
  },
  {
    name: 'a read of something not yet written',
    plant: (p) => step(p, 0, (s) => ({ reads: [...s.reads, 'c'] })),
    says: /reads c, which is written only at step 3/,
  },
  {
    name: 'a read of an unknown name',
    plant: (p) => step(p, 0, (s) => ({ reads: [...s.reads, 'ghost'] })),
    says: /uses ghost, which is not among the tensors/,
  },
  {
    name: 'a missing write',
    plant: (p) => step(p, 1, () => ({ writes: [] })),
    says: /Nothing writes tensor b/,
  },
  {
    name: 'a second write',
    plant: (p) => step(p, 4, (s) => ({ writes: [...s.writes, 'a'] })),
    says: /writes a, which has its value already/,
  },
  // Aliases
  {
    name: 'a wrong alias: a view of another tensor',
    plant: (p) => tensor(p, 'r', { aliasOf: 'a' }),
    says: /r shares bytes with a of another buffer/,
  },
  {
    name: 'a wrong alias: a computed tensor called a view',
    plant: (p) => tensor(p, 'y', { how: 'view' }),
    says: /said to show c as y, but it computes/,
  },
  {
    name: 'a wrong alias: a convolution in place',
    plant: (p) => step(p, 4, () => ({ op: 'Conv' })),
    says: /writes y over its operand, which this operator does not allow/,
  },
  {
    name: 'a wrong alias: not on the bytes of its source',
    plant: (p) => tensor(p, 'y', { offset: find(p, 'y').offset! + 4, bytes: 60, shape: [15] }),
    says: /y is in-place of c, but does not lie on its bytes/,
  },
  {
    name: 'a wrong alias: written in place over what is read later',
    plant: (p) => {
      const { buffer: id, offset } = find(p, 'a');
      const moved = tensor(p, 'b', { how: 'in-place', aliasOf: 'a', buffer: id, offset });
      const both = tensor(moved, 'r', { buffer: id, offset });
      const buffers = both.buffers
        .filter((b) => !b.tensors.includes('b'))
        .map((b) => (b.id === id ? { ...b, end: 6, tensors: [...b.tensors, 'b', 'r'] } : b));
      return step({ ...both, buffers }, 1, () => ({ op: 'Relu' }));
    },
    says: /Step 3 \(Conv mix\) reads a .* but bytes of b lie there/,
  },
  {
    name: 'a ring of views',
    plant: (p) => tensor(tensor(p, 'b', { how: 'view', aliasOf: 'r' }), 'r', { aliasOf: 'b' }),
    says: /in a ring/,
  },
  {
    name: 'two tensors of their own in one place',
    plant: (p) => {
      const { buffer: id, offset } = find(p, 'a');
      const moved = tensor(p, 'c', { buffer: id, offset });
      const both = tensor(moved, 'y', { buffer: id, offset });
      const buffers = both.buffers
        .filter((b) => !b.tensors.includes('c'))
        .map((b) => (b.id === id ? { ...b, end: 6, tensors: [...b.tensors, 'c', 'y'] } : b));
      return { ...both, buffers };
    },
    says: /Step 3 \(Conv mix\) writes c over a while it uses both/,
  },
  {
    name: 'an in-place write that a loop does not survive',
    graph: LOOP,
    plant: (p) => {
      const { buffer: id, offset } = find(p, 'outer');
      const moved = tensor(p, 'p', { how: 'in-place', aliasOf: 'outer', buffer: id, offset });
      const buffers = moved.buffers
        .filter((b) => !b.tensors.includes('p'))
        .map((b) => (b.id === id ? { ...b, tensors: [...b.tensors, 'p'] } : b));
      return { ...moved, buffers };
    },
    says: /Step 1 \(Add .*\) reads outer .* but bytes of p lie there/,
  },
  {
    name: 'a result of a loop that is overwritten before the next turn',
    graph: LOOP,
    plant: (p) => {
      const { buffer: id, offset } = find(p, 'i');
      const moved = tensor(p, 'q', { buffer: id, offset });
      const both = tensor(moved, 'o', { buffer: id, offset });
      const buffers = both.buffers
        .filter((b) => !b.tensors.includes('q'))
        .map((b) => (b.id === id ? { ...b, tensors: [...b.tensors, 'q', 'o'] } : b));
      return { ...both, buffers };
    },
    says: /should leave i .* but bytes of o lie there/,
  },
  {
    name: 'a result of a branch that the last step of the branch writes over',
    graph: BRANCH,
    plant: (p) => {
      const { buffer: id, offset } = find(p, 'early');
      const moved = tensor(p, 'last', { how: 'in-place', aliasOf: 'early', buffer: id, offset });
      const buffers = moved.buffers
        .filter((b) => !b.tensors.includes('last'))
        .map((b) => (b.id === id ? { ...b, tensors: [...b.tensors, 'last'] } : b));
      return { ...moved, buffers };
    },
    says: /Step 4 .* should leave early .* but bytes of last lie there/,
  },
  {
    name: 'a step in a body that no node has',
    graph: BRANCH,
    plant: (p) => step(p, 2, () => ({ path: 'if/third_branch' })),
    says: /Step 2 stands in a body if\/third_branch of no node/,
  },
  {
    name: 'a body that hands out what is not there',
    graph: BRANCH,
    plant: (p) =>
      step(p, 1, ({ bodies }) => ({ bodies: bodies!.map((b) => ({ ...b, outputs: ['ghost'] })) })),
    says: /A body of if names ghost/,
  },
  {
    name: 'an external tensor with a place',
    options: { io: 'external' },
    plant: (p) => tensor(p, 'x', { offset: 0 }),
    says: /x is external, yet has a place/,
  },
  // Totals
  {
    name: 'a wrong total',
    plant: (p) => ({ ...p, totals: { ...p.totals, arenaBytes: p.totals.arenaBytes - 16 } }),
    says: /totals\.arenaBytes is stated as/,
  },
  ...(
    ['lowerBoundBytes', 'noReuseBytes', 'weightBytes', 'scratchBytes', 'inputBytes', 'outputBytes'] as const
  ).map(
    (total): Fault => ({
      name: `a wrong ${total}`,
      plant: (p) => ({ ...p, totals: { ...p.totals, [total]: p.totals[total] + 1 } }),
      says: new RegExp(`totals\\.${total} is stated as`),
    }),
  ),
  { name: 'a wrong use', plant: (p) => region(p, { used: 4096 }), says: /is said to use 4096 bytes/ },
  {
    name: 'a wrong proof',
    plant: (p) => region(p, { lowerBound: 1 }),
    says: /with a lower bound of 1, called optimal/,
  },
  {
    name: 'wrong live bytes',
    plant: (p) => step(p, 2, () => ({ liveBytes: 1 })),
    says: /liveBytes of step 2/,
  },
  {
    name: 'a wrong peak',
    plant: (p) => ({ ...p, peak: { ...p.peak, step: 0 } }),
    says: /live bytes at the peak step 0/,
  },
  {
    name: 'a tensor missing at the peak',
    plant: (p) => ({ ...p, peak: { ...p.peak, tensors: p.peak.tensors.slice(1) } }),
    says: /list of tensors at the peak/,
  },
  {
    name: 'a wrong size',
    plant: (p) => tensor(p, 'a', { shape: [15] }),
    says: /a has 64 bytes; float32 .* has 60/,
  },
  // Regions
  {
    name: 'overlapping regions',
    plant: (p) => ({
      ...p,
      regions: [
        ...p.regions,
        {
          ...p.regions[0]!,
          ...{ name: 'OTHER', used: 0, lowerBound: 0, peak: { step: 0, bytes: 0 } },
          origin: p.regions[0]!.origin! + 1024,
        },
      ],
    }),
    says: /Regions AXISRAM and OTHER share addresses/,
  },
  {
    name: 'over capacity, said to fit',
    plant: (p) => region(p, { capacity: 64 }),
    says: /said to fit, but exceeds/,
  },
  { name: 'said not to fit for no reason', plant: (p) => ({ ...p, fits: false }), says: /says fits: false/ },
  {
    name: 'a base that is aligned too little',
    plant: (p) => region(p, { alignment: 8 }),
    says: /wants alignment 16/,
  },
  { name: 'a region that is not there', plant: (p) => ({ ...p, regions: [] }), says: /lies in no region/ },
  // Boundaries
  {
    name: 'a lost output',
    plant: (p) => ({ ...p, models: p.models.map((m) => ({ ...m, outputs: [...m.outputs, 'z'] })) }),
    says: /The model's z is missing/,
  },
  {
    name: 'a repeated C name',
    plant: (p) => tensor(p, 'a', { c: 'b' }),
    says: /two C names b/,
  },
];

describe('a planted fault is found', () => {
  it.each(FAULTS)('$name', ({ graph = RESIDUAL, options, plant, says }) => {
    const plan = planSketch(graph, options);
    expect(verifyPlan(plan)).toEqual([]);
    const found = verifyPlan(sealed(plant(plan)));
    expect(found.map(({ text }) => text).join('\n')).toMatch(says);
    expect(found.every(({ code }) => code === 'E_PLAN_FAULT')).toBe(true);
    // Who reads the faults by program finds the tensor and the node without reading the text.
    for (const { text, tensor: named, node } of found) {
      const [, alive] = /^(?:Nothing writes tensor|Tensor) (\w+)(?:\.| is | lives until)/.exec(text) ?? [];
      const [, walked] = /^Step \d+ \(\w+ ([\w/]+)\)/.exec(text) ?? [];
      if (alive !== undefined && /needed|is read|lives until|Nothing|written/.test(text))
        expect(named, text).toBe(alive);
      if (walked !== undefined) expect(node, text).toBe(walked);
    }
  });

  it('a read that is missing and is not the last: only the traffic tells', () => {
    // a is read again at step 3, so its range and everybody's bytes stay right without the read at step 1.
    const changed = step(planSketch(RESIDUAL), 1, () => ({ reads: [] }));
    expect(verifyPlan(sealed(changed)).map(({ text }) => text)).toEqual([
      'The traffic of AXISRAM is stated as 768, but comes to 704.',
    ]);
  });

  it('a change that breaks nothing but the hash', () => {
    const plan = planSketch(RESIDUAL);
    const changed = { ...plan, target: { ...plan.target, core: 'cortex-m4' } };
    expect(verifyPlan(sealed(changed))).toEqual([]);
    expect(verifyPlan(changed).map(({ text }) => text)).toEqual(['planHash does not belong to this plan.']);
  });
});
