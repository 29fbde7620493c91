import { describe, expect, test } from 'vitest';
import { faults } from '../../src/cli/faults.ts';
import { type Job, readJob } from '../../src/cli/job.ts';
import { parseCommandLine } from '../../src/cli/program.ts';
import { readRequest } from '../../src/cli/request.ts';
import { type Code, MemplanError } from '../../src/errors.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { writeTemp } from '../support/onnx.ts';

const at = (path: string) => `/home/me/${path}`;

function read(argv: readonly string[]): Job {
  const asked = parseCommandLine(argv, '0', { write: () => {}, columns: undefined });
  const found = faults();
  const job = readJob(asked!, at, found);
  found.finish();
  return job;
}

function job(...flags: string[]): Job {
  return read(['m.onnx', '--target', 'stm32h743', ...flags]);
}

/** Code and text of every fault. */
function faultsOf(...flags: string[]): [Code, string][] {
  try {
    job(...flags);
  } catch (error) {
    if (error instanceof MemplanError && error.exitCode === 2) {
      return error.diagnostics.map(({ code, text }) => [code, text]);
    }
    throw error;
  }
  return [];
}

test('without options everything has its stated default', () => {
  expect(job()).toMatchObject({
    request: {
      models: ['/home/me/m.onnx'],
      target: 'stm32h743',
      bindings: NO_BINDINGS,
      prefix: undefined,
      align: undefined,
      sizeRound: 1,
      io: 'arena',
      asyncIo: false,
      preserveInputs: false,
      keep: [],
      inPlace: true,
      inPlaceInputs: true,
      views: true,
      elide: true,
      schedule: 'model',
      strategy: 'auto',
      effort: undefined,
      kernels: undefined,
      kernelsVersion: undefined,
      kernelsBuild: undefined,
      layout: undefined,
      scratch: new Map(),
      guard: 0,
      trustUnproved: false,
      fuse: undefined,
      regions: [],
      place: 'auto',
      reserve: new Map(),
      budget: new Map(),
    },
    given: { models: ['m.onnx'], target: 'stm32h743' },
    out: '.',
    base: 'tensor_memory_pool',
    emit: ['h', 'c'],
    render: {
      name: 'tensor_memory_pool',
      arena: 'static',
      table: 'const',
      headerOnly: false,
      sections: new Map(),
    },
    check: false,
    depfile: undefined,
    stamp: undefined,
    baseline: undefined,
    maxGrowth: 0,
    scales: [],
    map: false,
    reports: [],
    config: undefined,
  });
});

describe('every option that shapes the plan', () => {
  test.each<[string[], Partial<Job['request']>]>([
    [['--prefix', 'KWS_1'], { prefix: 'KWS_1' }],
    [['--align', '0x20'], { align: 32 }],
    [['--size-round', '16'], { sizeRound: 16 }],
    [['--io', 'external'], { io: 'external' }],
    [['--io', 'arena'], { io: 'arena' }],
    [['--async-io'], { asyncIo: true }],
    [['--preserve-inputs'], { preserveInputs: true }],
    [['--keep', 'a', '--keep', 'b,c'], { keep: ['a', 'b,c'] }],
    [['--no-in-place'], { inPlace: false }],
    [['--no-in-place-inputs'], { inPlaceInputs: false }],
    [['--no-views'], { views: false }],
    [['--no-elide'], { elide: false }],
    [['--schedule', 'model'], { schedule: 'model' }],
    [['--strategy', 'size'], { strategy: 'size' }],
    [['--effort', '5000'], { effort: 5000 }],
    [['--kernels', 'none'], { kernels: 'none' }],
    [['--kernels', 'cmsis-nn'], { kernels: 'cmsis-nn' }],
    [['--kernels-version', '7'], { kernelsVersion: '7' }],
    [['--kernels-build', 'mve'], { kernelsBuild: 'mve' }],
    [['--layout', 'nchw'], { layout: 'nchw' }],
    [['--layout', 'nhwc'], { layout: 'nhwc' }],
    [['--guard', '32'], { guard: 32 }],
    [['--trust', 'unproved'], { trustUnproved: true }],
    [
      ['--scratch', 'conv:0=4K', '--scratch', 'a=b=1', '--scratch', '#3=0', '--scratch', 'conv:0=8'],
      {
        scratch: new Map([
          ['conv:0', 8],
          ['a=b', 1],
          ['#3', 0],
        ]),
      },
    ],
    [['--fuse', 'none'], { fuse: 'none' }],
    [['--region', 'DTCM'], { regions: ['DTCM'] }],
    [
      ['--reserve', 'DTCM=16K', '--reserve', 'A=B=1'],
      {
        reserve: new Map([
          ['DTCM', 16384],
          ['A=B', 1],
        ]),
      },
    ],
    [
      ['--budget', '256K', '--budget', 'DTCM=64K'],
      {
        budget: new Map([
          ['', 262144],
          ['DTCM', 65536],
        ]),
      },
    ],
    [['--weights', 'flash'], {}],
    [['--run', 'exclusive'], {}],
  ])('%j', (flags, expected) => {
    expect(job(...flags).request).toMatchObject(expected);
  });

  test('bindings', () => {
    const flags = ['--dim', 'batch=1', '--dim', '*=7', '--dim', 'a=b=2'];
    flags.push('--input-shape', 'in:0:1,3', '--input-shape', 's:', '--op-shape', 'n:float32,1,8/int64,1');
    expect(job(...flags).request.bindings).toEqual({
      dims: new Map([
        ['batch', 1],
        ['a=b', 2],
      ]),
      all: 7,
      inputShapes: new Map<string, number[]>([
        ['in:0', [1, 3]],
        ['s', []],
      ]),
      ranges: new Map(),
      maxSizes: new Map(),
      opShapes: new Map([
        [
          'n',
          [
            { type: 'float32', shape: [1, 8] },
            { type: 'int64', shape: [1] },
          ],
        ],
      ]),
    });
  });

  test('a target that is a file is found relative to the working directory', () => {
    expect(read(['m.onnx', '--target', 'chip.json']).request.target).toBe('/home/me/chip.json');
    expect(read(['m.onnx', '--target', 'a/chip']).request.target).toBe('/home/me/a/chip');
    expect(read(['m.onnx', '--target', 'chip']).request.target).toBe('chip');
  });
});

describe('every option of the files and gates', () => {
  test.each<[string[], Partial<Job>]>([
    [['--out', 'gen/c'], { out: 'gen/c' }],
    [['--name', 'kws'], { base: 'kws' }],
    [['--emit', 'h,json,csv,md'], { emit: ['h', 'json', 'csv', 'md'] }],
    [['--check'], { check: true }],
    [['--depfile', 'a.d'], { depfile: 'a.d' }],
    [['--stamp', 'a.stamp'], { stamp: 'a.stamp' }],
    [['--baseline', 'old.json', '--max-growth', '2.5%'], { baseline: 'old.json', maxGrowth: 2.5 }],
    [['--emit', 'runner', '--runner-weights', 'bin'], { runnerWeights: 'bin' }],
    [['--map'], { map: true }],
    [['--report', 'github'], { reports: [{ form: 'github', file: undefined }] }],
    [
      ['--report', 'junit', '--report', 'gitlab=a/b.json'],
      {
        reports: [
          { form: 'junit', file: 'memplan-junit.xml' },
          { form: 'gitlab', file: 'a/b.json' },
        ],
      },
    ],
  ])('%j', (flags, expected) => {
    expect(job(...flags)).toMatchObject(expected);
  });

  test.each<[string[], Partial<Job['render']>]>([
    [['--name', 'kws'], { name: 'kws' }],
    [['--arena', 'pointer'], { arena: 'pointer' }],
    [['--table', 'xmacro'], { table: 'xmacro' }],
    [['--header-only'], { headerOnly: true }],
    [
      ['--section', 'DTCM=.dtcm', '--section', 'A='],
      {
        sections: new Map([
          ['DTCM', '.dtcm'],
          ['A', ''],
        ]),
      },
    ],
  ])('%j', (flags, expected) => {
    expect(job(...flags).render).toMatchObject(expected);
  });
});

describe('faults', () => {
  test('a missing model and target are named together', () => {
    expect(() => read([])).toThrow('no model is given\nno target is given');
  });

  test('all faults come together, each once', () => {
    const faults = faultsOf('--align', 'x', '--emit', 'exe', '--io', 'nowhere', '--weights', 'attic');
    expect(faults.map(([code]) => code)).toEqual(['E_USAGE', 'E_USAGE', 'E_USAGE', 'E_USAGE']);
  });

  test.each<[string[], string]>([
    [['--align', '0'], '--align'],
    [['--align', '48'], 'not a power of two'],
    [['--align-tensor', 'x=3'], 'not a power of two'],
    [['--size-round', '0'], '--size-round'],
    [['--effort', '0'], '--effort'],
    [['--prefix', '1x'], '--prefix'],
    [['--prefix', 'a-b'], '--prefix'],
    [['--name', 'a/b'], '--name'],
    [['--name', '..'], '--name'],
    [['--name', ''], '--name'],
    [['--emit', ''], '--emit'],
    [['--emit', 'h,exe'], '"exe"'],
    [['--io', 'x'], '"x"'],
    [['--arena', 'x'], '"x"'],
    [['--dim', 'batch'], '--dim'],
    [['--dim', 'batch=-1'], '--dim'],
    [['--dim', 'b=1', '--dim', 'b=2'], 'twice'],
    [['--input-shape', 'x'], '--input-shape'],
    [['--input-shape', 'x:1,-1'], '--input-shape'],
    [['--op-shape', 'n:1,2'], '"1" is no element type'],
    [['--reserve', '16K'], '--reserve'],
    [['--scratch', 'conv1'], '--scratch'],
    [['--scratch', 'conv1=much'], '--scratch'],
    [['--guard', 'wide'], '--guard'],
    [['--kernels', 'esp-nn'], '--kernels'],
    [['--kernels-build', 'avx'], '--kernels-build'],
    [['--trust', 'everybody'], '--trust'],
    [['--reserve', 'A=1', '--reserve', 'A=2'], 'twice'],
    [['--budget', 'lots'], '"lots"'],
    [['--budget', '1', '--budget', '2'], 'twice'],
    [['--section', 'A=a"b'], '--section'],
    [['--max-growth', '2%'], '--max-growth'],
    [['--baseline', 'a.json', '--max-growth', 'x'], '"x"'],
    [['--scratch', 'conv=much'], '"much"'],
    [['--pin', 'a=DTCM@x'], '"x"'],
    [['--bucket', 'seq=1,x'], '"x"'],
    [['--flash', 'x'], '"x"'],
    [['--report', 'teamcity'], '"teamcity" is none of github, gitlab, junit'],
    [['--report', 'github=a'], 'github has no file'],
    [['--report', 'junit='], 'names no file'],
    [['--watch', '--json'], '--watch'],
  ])('%j', (flags, part) => {
    const faults = faultsOf(...flags).filter(([code]) => code === 'E_USAGE');
    expect(faults).toHaveLength(1);
    expect(faults[0]![1]).toContain(part);
  });
});

describe('a file of scratch sizes', () => {
  const file = writeTemp(Buffer.from('conv1=4K\n\n#3 = 0x10\r\ndw/5=b=7\n'), 'scratch.txt');
  const read = (path: string) =>
    readRequest(['m.onnx'], { target: 'stm32h743', scratch: [`@${path}`, 'conv1=1'] }, (p) => p, faults());

  test('has one to a line; what is said later counts', () => {
    expect([...read(file).scratch]).toEqual([
      ['conv1', 1],
      ['#3', 16],
      ['dw/5=b', 7],
    ]);
  });

  test('that is not there is named', () => {
    const found = faults();
    readRequest(['m.onnx'], { target: 'stm32h743', scratch: ['@nowhere.txt'] }, (p) => p, found);
    expect(() => found.finish()).toThrow('nowhere.txt: there is no such file');
  });
});
