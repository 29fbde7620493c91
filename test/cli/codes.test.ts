/** Every code of the catalogue is provoked through the command line, and has its place in docs/errors.md. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CODES, type Code } from '../../src/errors.ts';
import { elfFile } from '../support/elf.ts';
import { hardModel } from '../support/hard-model.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { cli, emptyFolder } from './run.ts';

/** A command line after some files have been put in place; `plan` runs the main job on a model for a chip. */
interface Stage {
  readonly put: (name: string, content: string | Uint8Array | object) => void;
  readonly run: (...argv: string[]) => ReturnType<typeof cli>;
  /** Somebody wants the best plan so far all the time. */
  readonly interrupt: (...argv: string[]) => ReturnType<typeof cli>;
  readonly plan: (content: Uint8Array, ...flags: string[]) => ReturnType<typeof cli>;
}
type Scenario = (stage: Stage) => ReturnType<typeof cli>;

type Spec = Parameters<typeof model>[0];
/** One input x and one output y of 16 floats, with the nodes between them. */
const between = (nodes: Spec['nodes'], more: Partial<Spec> = {}) =>
  model({
    inputs: { x: ['float32', [1, 16]] },
    outputs: { y: ['float32', [1, 16]] },
    ...more,
    nodes: nodes!,
  });
const RELU = between([node('Relu', ['x'], ['y'])]);
const OPEN = between([node('Relu', ['x'], ['y'])], {
  inputs: { x: ['float32', ['batch', 16]] },
  outputs: { y: ['float32', ['batch', 16]] },
});
/** a and b are read twice, so that two orders of the branches differ in what waits. */
const ORDER = model({
  inputs: { x: ['float32', [1, 4]] },
  outputs: { y: ['float32', [1, 4]] },
  nodes: [
    node('Concat', ['x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'], ['wide1'], { axis: 1 }),
    node('Concat', ['x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'], ['wide2'], { axis: 1 }),
    node('ReduceSum', ['wide1', 'axis'], ['s1'], { keepdims: 1 }),
    node('ReduceSum', ['wide2', 'axis'], ['s2'], { keepdims: 1 }),
    node('Add', ['s1', 's2'], ['s']),
    node('Add', ['s', 'x'], ['y']),
  ],
  initializers: { axis: tensor('int64', [1], [1]) },
});

/** 64 bytes of weights. */
const WEIGHTED = between([node('Add', ['x', 'w'], ['y'])], {
  initializers: { w: tensor('float32', [16], new Array(16).fill(1)) },
});

/** The file with its weights is not there. */
function missingWeights(): Uint8Array {
  const externalData = [
    { key: 'location', value: 'none.bin' },
    { key: 'length', value: '64' },
  ];
  const w = { ...tensor('float32', [16]), dataLocation: 1, externalData };
  return between([node('Add', ['x', 'w'], ['y'])], { initializers: { w } });
}

const SCENARIOS: Readonly<Partial<Record<Code, Scenario>>> = {
  E_USAGE: ({ run }) => run('--wrong'),
  E_FILE: ({ run }) => run('none.onnx', '--target', 'stm32h743'),
  E_NOT_ONNX: ({ put, run }) => {
    put('page.onnx', '<!DOCTYPE html><html></html>');
    return run('page.onnx', '--target', 'stm32h743');
  },
  E_MODEL: ({ plan }) => plan(RELU.subarray(0, RELU.length - 7)),
  E_CYCLE: ({ plan }) => plan(between([node('Add', ['x', 'y'], ['a']), node('Relu', ['a'], ['y'])])),
  E_DANGLING: ({ plan }) => plan(between([node('Add', ['x', 'nobody'], ['y'])])),
  E_DUPLICATE: ({ plan }) => plan(between([node('Relu', ['x'], ['y']), node('Neg', ['x'], ['y'])])),
  E_UNKNOWN_OP: ({ plan }) => plan(between([node('Secret', ['x'], ['a']), node('Relu', ['a'], ['y'])])),
  E_OPEN_DIM: ({ plan }) => plan(OPEN),
  E_BINDING: ({ plan }) => plan(RELU, '--input-shape', 'x:1,17'),
  E_SHAPE: ({ plan }) => plan(between([node('MatMul', ['x', 'x'], ['y'])])),
  E_UNRESOLVED: ({ plan }) => plan(between([node('NonZero', ['x'], ['y'])], { outputs: ['y'] })),
  E_TYPE: ({ plan }) =>
    plan(
      between([node('Identity', ['x'], ['y'])], {
        inputs: { x: ['string', [1]] },
        outputs: { y: ['string', [1]] },
      }),
    ),
  E_TOO_LARGE: ({ plan }) => plan(OPEN, '--dim', 'batch=9007199254740991'),
  E_CONFIG: ({ put, run }) => {
    put('memplan.config.json', { budjet: 1 });
    return run();
  },
  E_TARGET: ({ plan }) => plan(RELU, '--region', 'NOWHERE'),
  E_RULE: ({ plan }) => plan(RELU, '--emit', 'runner', '--assume', 'int8'),
  E_OVER_CAPACITY: ({ plan }) => plan(OPEN, '--dim', 'batch=100000'),
  E_OVER_BUDGET: ({ plan }) => plan(RELU, '--budget', '1'),
  E_OVER_FLASH: ({ plan }) => plan(WEIGHTED, '--flash', '63'),
  E_GROWTH: async ({ plan }) => {
    await plan(RELU, '--emit', 'json');
    return plan(OPEN, '--dim', 'batch=2', '--baseline', 'plan.json');
  },
  E_STALE: ({ plan }) => plan(RELU, '--check'),
  E_PLAN_FAULT: ({ put, run }) => {
    put('s.csv', 'id,lower,upper,size,offset\na,0,2,64,0\nb,1,3,64,32\n');
    return run('verify', 's.csv');
  },
  E_CSV: ({ put, run }) => {
    put('p.csv', 'id,lower\n');
    return run('solve', 'p.csv');
  },
  E_JSON: ({ put, run }) => {
    put('p.json', '{');
    return run('verify', 'p.json');
  },
  E_WRITE: ({ plan }) => plan(RELU, '--out', 'net.onnx'),
  E_UNSUPPORTED_KERNEL: ({ plan }) =>
    plan(
      between([node('Det', ['x'], ['y'])], {
        inputs: { x: ['float32', [4, 4]] },
        outputs: { y: ['float32', []] },
      }),
      '--emit',
      'runner',
    ),
  E_WEIGHTS: ({ plan }) => plan(missingWeights(), '--emit', 'runner'),
  E_ELF: async ({ put, plan, run }) => {
    await plan(RELU, '--emit', 'json');
    put('firmware.elf', 'hello');
    return run('check-elf', 'firmware.elf', '--plan', 'plan.json');
  },
  E_FIRMWARE: async ({ put, plan, run }) => {
    await plan(RELU, '--emit', 'json');
    put('firmware.elf', elfFile([{ name: '.bss', address: 0x20000000, size: 4 }], []));
    return run('check-elf', 'firmware.elf', '--plan', 'plan.json');
  },
  E_TEMPLATE: ({ put, plan }) => {
    put('out/a.txt.hbs', '{{nothing}}');
    return plan(RELU, '--templates', 'out');
  },
  W_DECLARED_SHAPE: ({ plan }) =>
    plan(
      between([node('Relu', ['x'], ['a']), node('Relu', ['a'], ['y'])], {
        valueInfo: { a: ['float32', [1, 17]] },
      }),
    ),
  W_UNKNOWN_OP: ({ plan }) => plan(between([node('Secret', ['x'], ['y'])])),
  W_OPSET: ({ plan }) => plan(between([node('Relu', ['x'], ['y'])], { opset: null })),
  W_ALIGNMENT: ({ plan }) => plan(RELU, '--align', '1'),
  W_FLASH: ({ put, plan }) => {
    put('small.json', JSON.stringify({ extends: 'stm32h743', id: 'small', flashBytes: 63 }));
    return plan(WEIGHTED, '--target', 'small.json');
  },
  W_CAPACITY_UNKNOWN: ({ plan }) => plan(RELU, '--target', 'cortex-m7'),
  W_EXTERNAL_DATA: ({ plan }) => plan(missingWeights()),
  W_SCRATCH: ({ plan }) => plan(RELU),
  W_INTERRUPTED: ({ put, interrupt }) => {
    put('net.onnx', hardModel(200));
    return interrupt('net.onnx', '--target', 'cortex-a53', '--align', '64');
  },
  W_DMA_REACH: ({ plan }) => plan(RELU, '--target', 'cortex-m7', '--dma', 'x'),
  W_BASELINE: async ({ plan }) => {
    await plan(RELU, '--emit', 'json', '--preserve-inputs');
    return plan(RELU, '--baseline', 'plan.json');
  },
  W_ESTIMATE: ({ plan }) => plan(RELU, '--assume', 'int8'),
  W_UNPROVED: ({ plan }) => plan(RELU, '--kernels', 'tflm', '--trust', 'unproved'),
  N_KERNEL_MISSING: ({ plan }) => plan(RELU, '--kernels', 'cmsis-nn'),
  N_SORTED: ({ plan }) => plan(between([node('Relu', ['a'], ['y']), node('Relu', ['x'], ['a'])])),
  N_STACK_SHARES: ({ plan }) => plan(RELU, '--target', 'nrf52840'),
  N_OPTION_HAS_NO_EFFECT: ({ plan }) => plan(RELU, '--reserve', 'BKPSRAM=1K'),
  N_ORDER: ({ plan }) => plan(RELU, '--schedule', 'min-peak'),
  N_ORDER_SAVES: ({ plan }) => plan(ORDER),
  N_TARGET_READ: ({ plan, put }) => {
    const pool = { name: 'ram', offset: { value: '0x20000000' }, size: { value: 64, magnitude: 'KBYTES' } };
    put('pools.mpool', { cpu: { core: 'cortex-m4' }, memory: { mempools: [pool] } });
    return plan(RELU, '--target', 'pools.mpool');
  },
  N_WEIGHT_DEQUANTIZED: ({ plan }) =>
    plan(
      between([node('DequantizeLinear', ['w', 's'], ['f']), node('Add', ['x', 'f'], ['y'])], {
        initializers: { w: tensor('int8', [16]), s: tensor('float32', [], [1]) },
      }),
    ),
  N_BOUND: ({ plan }) =>
    plan(
      model({
        inputs: { x: ['float32', [16]] },
        outputs: { y: ['int64', [1, 9]] },
        nodes: [node('NonZero', ['x'], ['y'])],
      }),
    ),
  // Six pixels of a window that is dilated to five: outside of the picture onnxruntime rounds towards zero.
  N_RULE_DIFFERS: ({ plan }) =>
    plan(
      model({
        inputs: { x: ['float32', [1, 1, 3, 3]] },
        outputs: ['y'],
        nodes: [node('MaxPool', ['x'], ['y'], { kernel_shape: [3, 3], dilations: [2, 2], strides: [3, 3] })],
      }),
    ),
};

/** What no command line can provoke, and why. */
const UNPROVOKED: Readonly<Partial<Record<Code, string>>> = {
  E_INTERNAL: 'a fault of memplan itself; test/pipeline.test.ts provokes it with a checker that objects',
};

let stage: Stage;
beforeEach(() => {
  const cwd = emptyFolder();
  mkdirSync(join(cwd, 'out'));
  const put: Stage['put'] = (name, content) => {
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(cwd, name), isText ? content : JSON.stringify(content));
  };
  const run: Stage['run'] = (...argv) => cli(argv, { cwd });
  const interrupt: Stage['run'] = (...argv) => cli(argv, { cwd, interrupted: () => true });
  const plan: Stage['plan'] = (content, ...flags) => {
    put('net.onnx', content);
    const target = flags.includes('--target') ? [] : ['--target', 'stm32h743'];
    return run('net.onnx', ...target, ...flags);
  };
  stage = { put, run, interrupt, plan };
});

describe('provoked through the command line', () => {
  test.each(Object.entries(SCENARIOS))('%s', async (code, scenario) => {
    const { code: exit, stderr } = await scenario!(stage);
    const kind = { E: 'error', W: 'warning', N: 'note' }[code[0]!];
    expect(stderr).toMatch(new RegExp(`^${kind} ${code}: `, 'm'));
    if (kind === 'error') expect(exit).toBeGreaterThan(0);
    else expect(exit).toBe(0);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('every code is, but for those that cannot be', () => {
    const covered = [...Object.keys(SCENARIOS), ...Object.keys(UNPROVOKED)].sort();
    expect(covered).toEqual(Object.keys(CODES).sort());
  });
});

describe('names from models in messages', () => {
  // A line end, an escape sequence, a mark that turns the direction of text.
  const ODD = 'a\nerror E_INTERNAL: forged\r\u001b[2J\u202e';
  const SHOWN = 'a\\x0aerror E_INTERNAL: forged\\x0d\\x1b[2J\\u{202e}';

  test.each<[string, Uint8Array, string[]]>([
    ['a node', between([node('Secret', ['x'], ['z'], {}, { name: ODD }), node('Relu', ['z'], ['y'])]), []],
    ['a tensor', between([node('Add', ['x', ODD], ['y'])]), []],
    ['a dimension', between([node('Relu', ['x'], ['y'])], { inputs: { x: ['float32', [ODD, 16]] } }), []],
    [
      'an input',
      between([node('Relu', [ODD], ['y'])], { inputs: { [ODD]: ['float32', [1, 16]] } }),
      ['--budget', '1'],
    ],
    ['an operator', between([node(ODD, ['x'], ['z']), node('Relu', ['z'], ['y'])]), []],
  ])('%s', async (_, content, flags) => {
    const { stdout, stderr } = await stage.plan(content, ...flags);
    expect(stderr).toContain(SHOWN);
    expect(stdout + stderr).not.toMatch(/^error E_INTERNAL/m);
    for (const character of ['\u001b', '\u202e', '\r']) expect(stdout + stderr).not.toContain(character);
    const github = await stage.plan(content, ...flags, '--report', 'github');
    for (const line of github.stderr.trim().split('\n')) expect(line).toMatch(/^::(error|warning|notice) /);
  });
});

describe('docs/errors.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  const sections = page
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { title: title.replaceAll('`', ''), text: lines.join(' ').replace(/\s+/g, ' ').trim() };
    });

  test('has every code, in the order of the catalogue', () => {
    expect(sections.map(({ title }) => title)).toEqual(Object.keys(CODES));
  });

  test.each(Object.entries(CODES))(
    '%s: what it means, as the catalogue says, and what to do',
    (code, sentence) => {
      const { text } = sections.find(({ title }) => title === code)!;
      expect(text.startsWith(sentence)).toBe(true);
      expect(text.slice(sentence.length)).toMatch(/^ \*\*Why\*\*: \S.*\*\*What to do\*\*: \S/);
    },
  );
});
