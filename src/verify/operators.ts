/** What the checker believes of operators and kernel libraries: written down apart from the tables of the planner. */
import type { PlanTensor } from '../plan/types.ts';

/** Output 0 may show the bytes of an input unchanged. */
export const MOVES_NOTHING: ReadonlySet<string> = new Set([
  'BitCast',
  'Dropout',
  'Flatten',
  'Identity',
  'Reshape',
  'Squeeze',
  'Transpose',
  'Unsqueeze',
]);

/** Every output is a part of an operand. */
export const CUTS: ReadonlySet<string> = new Set(['Slice', 'Split']);

/** Each element of output 0 depends on the operand's element in the same place alone, so it may be written over it. */
export const WALKS_ELEMENTS: ReadonlySet<string> = new Set(
  `Abs Acos Acosh Add Affine And Asin Asinh Atan Atanh BatchNormalization BiasAdd BiasGelu Binarizer BitShift
   BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Ceil Celu Clip Cos Cosh Div Dropout Elu Equal Erf Exp FastGelu
   Floor Gelu Greater GreaterOrEqual HardSigmoid HardSwish ImageScaler Imputer IsInf IsNaN LeakyRelu Less
   LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu ParametricSoftplus Pow QLinearAdd
   QLinearLeakyRelu QLinearMul QLinearSigmoid QuickGelu Reciprocal Relu Round Scale ScaledTanh Scaler Selu
   Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum SwiGLU Swish Tan Tanh ThresholdedRelu Where
   Xor`.split(/\s+/),
);

/** Operators that read a whole row before they write it, in the kernels of some libraries. */
const WALKS_ROWS: Readonly<Record<string, ReadonlySet<string>>> = {
  'cmsis-nn': new Set(['QLinearSoftmax', 'Softmax']),
};

export function mayWriteInPlace(kernels: string, op: string): boolean {
  return WALKS_ELEMENTS.has(op) || WALKS_ROWS[kernels]?.has(op) === true;
}

/**
 * With channels last a reshape keeps its bytes only where nothing tells the two layouts apart (one channel, or one
 * pixel), or where just ones come and go around the channels. What a Transpose does is not in the plan.
 */
export function movesInLayout(layout: 'nchw' | 'nhwc', op: string, a: PlanTensor, b: PlanTensor): boolean {
  if (layout === 'nchw' || op === 'Transpose' || a.bytes === 0) return false;
  const isPlain = ({ shape }: PlanTensor): boolean => {
    const [, channels = 1, ...pixels] = shape;
    return channels === 1 || pixels.every((size) => size === 1);
  };
  if (isPlain(a) && isPlain(b)) return false;
  const key = ({ shape }: PlanTensor): string =>
    shape.map((size, axis) => (size === 1 ? '' : `${size} ${axis === 1},`)).join('');
  return key(a) !== key(b);
}
