/** What the checker believes of operators without a kernel library: written down apart from the operator table. */

/** Output 0 (for Split every output) may show the bytes of an input unchanged. */
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
