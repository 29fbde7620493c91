/** Which nodes a kernel library's converter makes one kernel call of: the form, and what most runtimes do. */

/** How an operator is computed on integers, between DequantizeLinear and QuantizeLinear. */
export interface IntegerOperator {
  readonly op: string;
  /** Positions of the operands with one scale each. */
  readonly data: readonly number[] | 'all';
  /** Position of an operand that may have one scale per output channel, where it is a constant. */
  readonly weight?: number;
  /** Position of an int32 bias, whose scale is that of the data times that of the weight. */
  readonly bias?: number;
  /** `equal`: elements are moved or compared, so that what goes in and what comes out must mean the same. */
  readonly scales: 'any' | 'equal';
}

export interface IntegerFusions {
  readonly operators: readonly IntegerOperator[];
  /** Element types of data; what a kernel reads and writes has one type. */
  readonly types: readonly string[];
  readonly weightTypes: readonly string[];
  /** Activations that are nothing but limits of the result, whatever its scale. */
  readonly clamps: readonly string[];
}

/** What `--fuse default` means for a library. The conditions of each fusion stand in `src/fuse`. */
export interface Fusions {
  /** Operators that pass their input on: they are left out. */
  readonly passes: readonly string[];
  /** Two Transpose that undo each other are left out. */
  readonly transposes: boolean;
  /** Operators into whose weights a BatchNormalization is folded. */
  readonly normalised: readonly string[];
  /** Operators that take a constant that is added per channel as their bias. */
  readonly biased: readonly string[];
  /** Operators that apply an activation before they write their result. */
  readonly activated: readonly string[];
  /** The activations that they know. */
  readonly activations: readonly string[];
  /** Operators that take in a Pad before them. */
  readonly padded: readonly string[];
  readonly integer: IntegerFusions;
}

const product = (op: string): IntegerOperator => ({ op, data: [0], weight: 1, bias: 2, scales: 'any' });

const computes = (data: IntegerOperator['data'], ...ops: readonly string[]): readonly IntegerOperator[] =>
  ops.map((op) => ({ op, data, scales: 'any' }));

const moves = (data: IntegerOperator['data'], ...ops: readonly string[]): readonly IntegerOperator[] =>
  ops.map((op) => ({ op, data, scales: 'equal' }));

/** What onnxruntime, TensorFlow Lite and their like do before a network runs. */
export const COMMON_FUSIONS: Fusions = {
  passes: ['Identity', 'Dropout'],
  transposes: true,
  normalised: ['Conv', 'ConvTranspose', 'Gemm'],
  biased: ['Conv', 'ConvTranspose', 'Gemm', 'MatMul'],
  activated: ['Conv', 'ConvTranspose', 'Gemm', 'MatMul', 'Add', 'Sub', 'Mul'],
  activations: ['Relu', 'Clip', 'LeakyRelu', 'HardSigmoid', 'HardSwish', 'Sigmoid', 'Tanh'],
  padded: ['Conv', 'QLinearConv', 'AveragePool', 'MaxPool'],
  integer: {
    operators: [
      ...['Conv', 'ConvTranspose', 'Gemm', 'MatMul'].map(product),
      ...computes([0, 1], 'Add', 'Sub', 'Mul', 'PRelu'),
      ...computes([0], 'AveragePool', 'GlobalAveragePool', 'ReduceMean', 'Softmax', 'LogSoftmax'),
      ...computes(
        [0],
        'Relu',
        'Clip',
        'LeakyRelu',
        'Elu',
        'Gelu',
        'Sigmoid',
        'HardSigmoid',
        'HardSwish',
        'Tanh',
      ),
      ...computes([1, 2], 'Where'),
      ...computes('all', 'Concat'),
      ...moves('all', 'Max', 'Min'),
      ...moves([0], 'MaxPool', 'GlobalMaxPool', 'ReduceMax', 'Resize', 'Pad', 'Slice', 'Split', 'Gather'),
      ...moves([0], 'Reshape', 'Flatten', 'Squeeze', 'Unsqueeze', 'Transpose', 'Expand', 'Tile'),
      ...moves([0], 'DepthToSpace', 'SpaceToDepth'),
    ],
    types: ['int8', 'uint8', 'int16', 'uint16'],
    weightTypes: ['int8', 'uint8', 'int16', 'int4', 'uint4', 'int2', 'uint2'],
    clamps: ['Relu', 'Clip'],
  },
};
