/** Plans for tests of the generated C: an everyday one, and one for every awkward corner. */
import type { ElementType } from '../../src/graph/element-type.ts';
import type { Plan } from '../../src/plan/types.ts';
import { AXISRAM, DTCM, planOf, type TensorSketch } from './plans.ts';

/** Convolution, Relu in place, a view, a matrix product: 7,168 bytes, the bound of its first step. */
export const EVERYDAY = planOf({
  file: 'kws.onnx',
  tensors: [
    { name: 'input', shape: [1, 1, 16, 16], role: 'input', live: [0, 1], offset: 0 },
    { name: 'conv1/out', shape: [1, 6, 16, 16], live: [0, 2], offset: 1024 },
    {
      name: 'relu1/out',
      shape: [1, 6, 16, 16],
      live: [1, 3],
      offset: 1024,
      how: 'in-place',
      aliasOf: 'conv1/out',
    },
    { name: 'flat', shape: [1, 1536], live: [2, 4], offset: 1024, how: 'view', aliasOf: 'relu1/out' },
    { name: 'scores', shape: [1, 12], role: 'output', live: [3, 4], offset: 0 },
  ],
  steps: [
    { node: 'conv1', op: 'Conv', reads: ['input'], writes: ['conv1/out'] },
    { node: 'relu1', op: 'Relu', reads: ['conv1/out'], writes: ['relu1/out'] },
    { node: 'flatten', op: 'Flatten', reads: ['relu1/out'], writes: ['flat'] },
    { node: 'fc', op: 'Gemm', reads: ['flat'], writes: ['scores'] },
  ],
  constants: [{ name: 'w', type: 'float32', shape: [6, 1, 3, 3] }],
});

/** Names that try to break out of identifiers, comments, directives and strings. */
const HOSTILE = [
  'int',
  'class',
  'NULL',
  '123',
  '9lives',
  '/a/b.c:0',
  'a__b',
  '_',
  '__',
  '',
  ' ',
  'a_x2fb',
  'a/b',
  'tail\\',
  '*/ int evil; /*',
  '??/',
  '??)trigraph',
  'line\nbreak\r\n#error evil',
  '"quoted" \'single\'',
  '%s%n',
  '//',
  '#define X',
  'COUNT',
  'x_OFFSET',
  'x_SIZE',
  'x',
  'naïve',
  '出力',
  '🙂',
  '\u0000\u0007\u007f',
  '\u202eright-to-left',
  `deep/${'block/'.repeat(40)}conv`,
  `deep/${'block/'.repeat(40)}relu`,
];

export const HOSTILE_NAMES = planOf({
  file: '*/ ??/ 9\\.onnx',
  prefix: 'H9',
  tensors: HOSTILE.map((name, i): TensorSketch => {
    return {
      name,
      shape: [4],
      role: i === 0 ? 'input' : 'activation',
      live: [i, i + 1],
      offset: 16 * (i % 2),
    };
  }),
  steps: HOSTILE.map((name) => ({ node: name, op: name, reads: [name], writes: [name] })),
  outputs: HOSTILE.slice(-2),
  constants: [{ name: HOSTILE[3]!, type: 'int8', shape: [0] }],
});

const TYPES: readonly ElementType[] = [
  'bool',
  'int4',
  'uint2',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float4e2m1',
  'float8e4m3fn',
  'float8e8m0',
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'complex64',
  'complex128',
];

/** An input and an output of every element type, scalars, tensors without bytes, quantisation of both kinds, two regions. */
export const EVERY_TYPE = planOf({
  file: 'types.onnx',
  regions: [
    { ...AXISRAM, reserved: 4096 },
    { ...DTCM, alignment: 16 },
  ],
  tensors: [
    ...TYPES.flatMap((type, i): readonly TensorSketch[] => [
      { name: `in_${type}`, type, shape: [3], role: 'input', live: [0, 2], offset: 64 * i },
      { name: `out_${type}`, type, shape: [3], role: 'output', live: [1, 2], offset: 64 * i, region: 'DTCM' },
    ]),
    { name: 'scalar', shape: [], role: 'input', live: [0, 2], offset: 2000 },
    { name: 'empty', shape: [3, 0], role: 'output', live: [1, 2], offset: 2000, region: 'DTCM' },
    {
      name: 'per tensor',
      type: 'int8',
      shape: [4],
      live: [0, 1],
      offset: 2048,
      quant: { scale: [0.1], zeroPoint: [-128], axis: null },
    },
    {
      name: 'per channel',
      type: 'int32',
      shape: [1, 3],
      live: [0, 1],
      offset: 2080,
      quant: { scale: [1e-45, 3.4e38, 1], zeroPoint: [-(2 ** 31), 2 ** 31 - 1, 0], axis: 1 },
    },
    { name: 'caller', shape: [8], role: 'input', live: [0, 2], offset: null },
  ],
});

/** Alignment 1: pointers of a wider type would not suit their addresses. */
export const UNALIGNED = planOf({
  file: 'packed.onnx',
  align: 1,
  tensors: [
    { name: 'byte', type: 'int8', shape: [1], role: 'input', live: [0, 1], offset: 0 },
    { name: 'word', shape: [2], role: 'output', live: [0, 1], offset: 1 },
  ],
});

/** A model whose outputs are all constant: no tensor, no step. */
export const NOTHING = planOf({
  file: 'nothing.onnx',
  tensors: [],
  steps: [],
  outputs: ['k'],
  constants: [{ name: 'k', type: 'float32', shape: [2] }],
});

/** Tensors, but not one byte. */
export const NO_BYTES = planOf({
  file: 'empty.onnx',
  tensors: [{ name: 'x', shape: [0, 4], role: 'input', live: [0, 1], offset: 0 }],
  outputs: ['x'],
});

/** Everything belongs to the caller. */
export const ALL_EXTERNAL = planOf({
  file: 'external.onnx',
  assumptions: { io: 'external' },
  tensors: [
    { name: 'x', shape: [4], role: 'input', live: [0, 1], offset: null },
    { name: 'y', shape: [4], role: 'output', live: [0, 1], offset: null },
  ],
});

/** Four gigabytes, the most that 32-bit offsets cannot count, on a 64-bit core. */
export const HUGE: Plan = {
  ...planOf({
    file: 'huge.onnx',
    regions: [{ name: 'DRAM', origin: 0x40000000, capacity: 2 ** 34, alignment: 64 }],
    align: 64,
    tensors: [
      { name: 'x', type: 'uint8', shape: [2 ** 32], role: 'input', live: [0, 1], offset: 0 },
      { name: 'y', shape: [16], role: 'output', live: [0, 1], offset: 2 ** 32 },
    ],
  }),
  target: { id: 'sbc', core: 'cortex-a53' },
};
