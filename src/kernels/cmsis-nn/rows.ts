/** The kernels of CMSIS-NN for 8-bit and 16-bit data, channels last. */
import type { ElementType } from '../../graph/element-type.ts';
import { dataOf, elements, type KernelCall, weightOf, weightPosition } from '../call.ts';
import {
  all,
  alongChannels,
  atMostFourAxes,
  inShares,
  isImage,
  keepsType,
  needsConstantWeight,
  noBroadcast,
  oneImage,
  oneScale,
  plainPool,
  plainProduct,
  rowsInMemory,
  symmetricWeight,
  twoOperands,
} from '../conditions.ts';
import { type Convolution, channelsFirst, convolutionOf, isDepthwise } from '../convolution.ts';
import { MOVING_ROWS } from '../moving.ts';
import type { KernelRow, Proof, Scratch } from '../types.ts';
import type { CmsisNn } from './build.ts';
import { convS4, convS8, convS16 } from './conv-sizes.ts';
import { depthwiseS4, depthwiseS8, depthwiseS16 } from './depthwise-sizes.ts';
import { provedInPlace } from './proofs.ts';
import { transposeConvS8 } from './transpose-conv-sizes.ts';

const S8: readonly ElementType[] = ['int8'];
const S8_S16: readonly ElementType[] = ['int8', 'int16'];

/** One table for each version and build. */
export function cmsisNnRows(lib: CmsisNn): readonly KernelRow[] {
  // Pools of version 5 leave all images but the first as they are.
  const images = lib.version === 5 ? [oneImage] : [];
  const since7 = (rows: readonly KernelRow[]): readonly KernelRow[] => (lib.version === 7 ? rows : []);
  return [
    ...['Conv', 'QLinearConv'].map((op): KernelRow => {
      return { op, types: S8_S16, refuses: refusesConv(lib), scratch: (call) => convScratch(call, lib) };
    }),
    {
      op: 'ConvTranspose',
      types: S8,
      refuses: all(keepsType, refusesTransposeConv),
      scratch: (call) => ofConvolution(call, (c) => transposeConvS8(c, lib)),
    },
    ...['Gemm', 'MatMul', 'QGemm', 'QLinearMatMul'].map((op): KernelRow => {
      const conditions = [keepsType, plainProduct, rowsInMemory, productWeights, symmetricWeight];
      return {
        op,
        types: S8_S16,
        refuses: all(...conditions, ...(lib.version === 7 ? [] : [needsConstantWeight])),
        scratch: (call) => productScratch(call, lib),
      };
    }),
    ...['AveragePool', 'GlobalAveragePool', 'QLinearAveragePool', 'QLinearGlobalAveragePool'].map(
      (op): KernelRow => ({
        ...{ op, types: S8_S16, refuses: all(isImage, plainPool, oneScale, ...images) },
        scratch: (call) => averageScratch(call, lib),
      }),
    ),
    ...['MaxPool', 'GlobalMaxPool', 'NhwcMaxPool'].map((op): KernelRow => {
      return { op, types: S8_S16, refuses: all(isImage, plainPool, oneOutput, ...images) };
    }),
    ...['Softmax', 'QLinearSoftmax'].map((op): KernelRow => {
      const conditions = all(alongChannels, inShares);
      return { op, types: S8_S16, refuses: conditions, ...inPlace(lib, 'softmax', 0) };
    }),
    ...['Add', 'Mul'].flatMap((op): readonly KernelRow[] => {
      const kernel = op === 'Add' ? 'elementwise_add' : 'elementwise_mul';
      return [
        { op, types: S8_S16, refuses: noBroadcast(0, 1), ...inPlace(lib, kernel, 0, 1) },
        {
          op: `QLinear${op}`,
          types: S8_S16,
          refuses: noBroadcast(0, 3),
          ...inPlace(lib, kernel, 0, 3),
        },
      ];
    }),
    ...since7([
      ...['Max', 'Min'].flatMap((op): readonly KernelRow[] => {
        const kernel = op === 'Max' ? 'maximum' : 'minimum';
        const equal = all(twoOperands, noBroadcast(0, 1));
        return [
          { op, types: S8, refuses: equal, ...inPlace(lib, kernel, 0, 1) },
          { op, types: S8, refuses: twoOperands },
        ];
      }),
      { op: 'Pad', types: S8, refuses: all(atMostFourAxes, constantPad) },
      { op: 'Transpose', types: S8, refuses: atMostFourAxes },
    ]),
    { op: 'Concat', types: S8, refuses: all(atMostFourAxes, oneScale) },
    { op: 'LSTM', types: S8_S16, refuses: keepsType, scratch: (call) => lstmScratch(call, lib) },
    ...MOVING_ROWS,
  ];
}

function inPlace(
  { version }: CmsisNn,
  kernel: string,
  ...operands: readonly number[]
): { readonly inPlace: readonly number[]; readonly proof: Proof } {
  return { inPlace: operands, proof: provedInPlace(kernel, version) ? 'proved' : 'unproved' };
}

/** The numbers of the convolution, or undefined where the shapes do not tell. */
export function ofConvolution<T>(call: KernelCall, size: (c: Convolution) => T): T | undefined {
  const convolution = convolutionOf(call);
  return convolution && size(convolution);
}

export function main(bytes: number): readonly Scratch[] {
  return [{ part: '', bytes }];
}

const refusesConv =
  ({ version }: CmsisNn) =>
  (call: KernelCall): string | undefined => {
    const c = convolutionOf(call);
    if (c === undefined) return isImage(call) ?? 'its shapes are not known';
    const refused = keepsType(call) ?? weightFault(c.type, c.weightType) ?? symmetricWeight(call);
    if (refused !== undefined || c.group === 1 || isDepthwise(c)) return refused;
    const knowsGroups = version > 5 && c.type === 'int8' && c.weightType === 'int8';
    return knowsGroups ? undefined : `it has ${c.group} groups`;
  };

/** 16-bit data goes with 8-bit weights, 8-bit data with 8 or 4 bits. */
function weightFault(type: ElementType, weight: ElementType): string | undefined {
  return weight === 'int8' || (weight === 'int4' && type === 'int8')
    ? undefined
    : `its weights are ${weight}`;
}

function productWeights(call: KernelCall): string | undefined {
  const weight = weightOf(call);
  const data = dataOf(call)?.type;
  if (weight === undefined || data === undefined)
    return `its input ${weightPosition(call.node.op)} is not known`;
  return weight.constant || weight.type !== data ? weightFault(data, weight.type) : undefined;
}

export function convScratch(call: KernelCall, lib: CmsisNn): readonly Scratch[] | undefined {
  return ofConvolution(call, (c) => {
    const [s8, s4, s16] = isDepthwise(c)
      ? [depthwiseS8, depthwiseS4, depthwiseS16]
      : [convS8, convS4, convS16];
    return main((c.type === 'int16' ? s16 : c.weightType === 'int4' ? s4 : s8)(c, lib));
  });
}

function refusesTransposeConv(call: KernelCall): string | undefined {
  const c = convolutionOf(call);
  if (c === undefined) return isImage(call) ?? 'its shapes are not known';
  if (c.group !== 1) return `it has ${c.group} groups`;
  if (c.height.dilation !== 1 || c.width.dilation !== 1) return 'its window has holes';
  return c.weightType === 'int8' ? undefined : `its weights are ${c.weightType}`;
}

/** `arm_fully_connected_s8`, `arm_batch_matmul_s8`: Helium kernels sum the filters up first. */
export function productScratch(call: KernelCall, { build }: CmsisNn): readonly Scratch[] | undefined {
  const columns = call.outputs[0]?.shape.at(-1);
  const needs = build === 'mve' && dataOf(call)?.type === 'int8' && weightOf(call)?.type === 'int8';
  return columns === undefined ? undefined : main(needs ? 4 * columns : 0);
}

/** `arm_avgpool_s8` and `_s16`: sums of one pixel in 32 bits. */
export function averageScratch(call: KernelCall, { build }: CmsisNn): readonly Scratch[] | undefined {
  const channels = channelsFirst(call, dataOf(call)?.shape)?.[1];
  return channels === undefined ? undefined : main(build === 'dsp' ? 4 * channels : 0);
}

function oneOutput({ node }: KernelCall): string | undefined {
  return node.outputs[1] === undefined ? undefined : 'it also gives indices';
}

function constantPad({ context }: KernelCall): string | undefined {
  const mode = context.string('mode', 'constant');
  return mode === 'constant' ? undefined : `it pads by ${mode}`;
}

/** 16-bit gates: in version 5 all four, later two and the state of the cell. */
function lstmScratch({ context, inputs }: KernelCall, { version }: CmsisNn): readonly Scratch[] | undefined {
  const x = inputs[0]?.shape;
  const hidden = context.int('hidden_size', inputs[2]?.shape.at(-1) ?? 0);
  if (x === undefined || hidden === 0) return undefined;
  const bytes = 2 * hidden * x[context.int('layout', 0) === 0 ? 1 : 0]!;
  const parts = version === 5 ? ['input', 'forget', 'cell', 'output'] : ['temp1', 'temp2', 'cell_state'];
  return elements(x) === 0 ? [] : parts.map((part) => ({ part, bytes }));
}
