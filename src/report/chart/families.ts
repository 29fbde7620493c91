/** What a box is coloured by: the family of the operator that writes it, or the kind of its buffer. */
import type { BufferKind } from '../../plan/types.ts';

export type Look =
  | 'conv'
  | 'matmul'
  | 'pool'
  | 'element'
  | 'norm'
  | 'move'
  | 'quantise'
  | 'recurrent'
  | 'other'
  | 'input'
  | 'output'
  | 'scratch'
  | 'state'
  | 'weight';

/** Each pattern tells the look apart where colour does not. */
export type Pattern =
  | 'solid'
  | 'rising'
  | 'falling'
  | 'dots'
  | 'rows'
  | 'columns'
  | 'grid'
  | 'waves'
  | 'rings'
  | 'dense';

export interface LookStyle {
  readonly look: Look;
  readonly label: string;
  /** Light enough for dark text on it, in light and dark pages alike. */
  readonly fill: string;
  readonly pattern: Pattern;
}

/**
 * In the order of legends. The fills were searched for a distance in OKLab that survives protanopia, deuteranopia and
 * tritanopia (simulated after Machado, Oliveira and Fernandes 2009).
 */
export const LOOKS: readonly LookStyle[] = [
  { look: 'conv', label: 'convolution', fill: '#7fadec', pattern: 'solid' },
  { look: 'matmul', label: 'matrix product, attention', fill: '#cfc0f5', pattern: 'rising' },
  { look: 'pool', label: 'pooling, reduction', fill: '#8eecd6', pattern: 'dots' },
  { look: 'element', label: 'element by element', fill: '#e2bf7c', pattern: 'rows' },
  { look: 'norm', label: 'normalisation, softmax', fill: '#c9737f', pattern: 'columns' },
  { look: 'move', label: 'data movement', fill: '#e9f0a3', pattern: 'falling' },
  { look: 'quantise', label: 'quantisation, casts', fill: '#b078b6', pattern: 'grid' },
  { look: 'recurrent', label: 'recurrent, control flow', fill: '#d39a6e', pattern: 'waves' },
  { look: 'other', label: 'other operators', fill: '#a9a9a9', pattern: 'rings' },
  { look: 'input', label: 'graph input', fill: '#dde4ec', pattern: 'solid' },
  { look: 'output', label: 'graph output', fill: '#dde4ec', pattern: 'rows' },
  { look: 'scratch', label: 'kernel scratch', fill: '#d9d9d9', pattern: 'dense' },
  { look: 'state', label: 'kept from run to run', fill: '#dde4ec', pattern: 'columns' },
  { look: 'weight', label: 'weights in RAM', fill: '#d9d9d9', pattern: 'dots' },
];

/** The first pattern that an operator's name matches decides; domains do not matter. */
const FAMILIES: readonly (readonly [Look, RegExp])[] = [
  ['other', /Loss$|^String|^Affine/],
  ['recurrent', /^(If|Loop|Scan|SequenceMap|RNN)$|GRU|LSTM/],
  ['norm', /Norm(alization|alizer)?$|Softmax$|^Hardmax$|^LRN$/],
  ['conv', /Conv/],
  ['matmul', /MatMul|Gemm|Attention|^(Einsum|Det|Inverse|CDist)$/],
  ['pool', /[Pp]ool|^(QLinear)?Reduce|^Arg(Max|Min)$|^TopK$|^MaxUnpool$/],
  ['quantise', /^(Dynamic)?(Q|Deq)uantizeLinear$|^(Bit)?Cast(Like)?$/],
  [
    'move',
    new RegExp(
      '^((QLinear)?Concat(FromSequence|Training)?|Split(ToSequence)?|(Dynamic)?Slice|Reshape|Flatten|(Uns|S)queeze|' +
        'ExpandDims|Transpose|DepthToSpace|SpaceToDepth|Gather.*|Scatter.*|TensorScatter|ArrayFeatureExtractor|Pad|' +
        'CenterCropPad|Crop.*|Expand|Tile|Identity|Dropout|Resize|Upsample|GridSample|AffineGrid|RoiAlign|Col2Im|' +
        'ReverseSequence|Compress|Unique|NonZero|OneHot|Sequence.*|Optional.*|Constant.*|Range|EyeLike|GivenTensorFill)$',
    ),
  ],
  [
    'element',
    new RegExp(
      '^((P|Leaky|Thresholded)?Relu|(Hard|QLinear)?Sigmoid|(Hard|Scaled)?Swish|SwiGLU|(Scaled)?Tanh|QLinearLeakyRelu|' +
        '[SC]?[Ee]lu|Mish|Gelu|(Fast|Quick|Bias|BiasSplit)Gelu|(Parametric)?Softplus|Softsign|Shrink|Clip|Abs|Neg|' +
        'Sign|Ceil|Floor|Round|Sqrt|Exp|Log|Reciprocal|Erf|A?[CcSsTt](in|os|an)h?|(QLinear)?(Add|Mul)|MulInteger|BiasAdd|' +
        'Sub|Div|Pow|Mod|Max|Min|Sum|Mean|Scale|Scaler|ImageScaler|Cum(Sum|Prod)|Trilu|RotaryEmbedding|ComplexMul.*|' +
        'Equal|Greater|Less|(Greater|Less)OrEqual|Is(NaN|Inf|AllFinite)|Not|And|Or|Xor|Bit.*|(QLinear)?Where|' +
        'Binarizer|Imputer)$',
    ),
  ],
];

/** The family of an operator; 'other' where memplan has no opinion. */
export function familyOf(op: string): Look {
  return FAMILIES.find(([, pattern]) => pattern.test(op))?.[0] ?? 'other';
}

/** The look of a buffer whose largest tensor is written by `op` (undefined: by nobody in the graph). */
export function lookOf(kind: BufferKind, op: string | undefined): Look {
  if (kind === 'copy') return 'weight';
  if (kind === 'persistent') return 'state';
  if (kind !== 'activation') return kind;
  return op === undefined ? 'other' : familyOf(op);
}
