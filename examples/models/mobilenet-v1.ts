/** MobileNetV1 (Howard et al., 2017): the network of most microcontroller demonstrations, at any width and size. */
import { block, dense, flatten, globalAveragePool, relu6, softmax } from './layers.ts';
import {
  flattenQuantized,
  LOGITS,
  quantizedAverage,
  quantizedConv,
  quantizedDepthwise,
  quantizedInput,
  quantizedSoftmax,
  RELU6,
  SIGNED_UNIT,
} from './quantized.ts';
import { type ModelWriter, newModel, type WriterOptions } from './writer.ts';

/** Output channels at width 1 and stride of the thirteen separable layers. */
const LAYERS: readonly (readonly [channels: number, stride: 1 | 2])[] = [
  [64, 1],
  [128, 2],
  [128, 1],
  [256, 2],
  [256, 1],
  [512, 2],
  [512, 1],
  [512, 1],
  [512, 1],
  [512, 1],
  [512, 1],
  [1024, 2],
  [1024, 1],
];

/** Spreads the scores of a thousand classes over the range of int8. */
const LOGIT_GAIN = 5;

export interface MobileNetV1Options extends WriterOptions {
  readonly width: number;
  readonly size: number;
  readonly classes: number;
}

const STANDARD: MobileNetV1Options = { width: 0.25, size: 224, classes: 1000 };

export interface FloatOptions extends MobileNetV1Options {
  /** False: BatchNormalization stays a step of its own. */
  readonly foldNormalization: boolean;
}

export function mobileNetV1(options: Partial<FloatOptions> = {}): ModelWriter {
  const { width, size, classes, foldNormalization = true } = { ...STANDARD, ...options };
  const m = newModel('mobilenet_v1', options);
  const shared = { activation: relu6, foldNormalization };
  let x = m.input('image', 'float32', [1, 3, size, size]);
  x = block(m, 'conv1', x, { channels: 32 * width, kernel: 3, stride: 2, ...shared });
  for (const [i, [channels, stride]] of LAYERS.entries()) {
    const before = x.shape[1]!;
    x = block(m, `dw${i + 1}`, x, { channels: before, groups: before, kernel: 3, stride, ...shared });
    x = block(m, `pw${i + 1}`, x, { channels: channels * width, kernel: 1, ...shared });
  }
  x = flatten(m, 'features', globalAveragePool(m, 'pool', x));
  m.output(softmax(m, 'scores', dense(m, 'logits', x, classes, LOGIT_GAIN)));
  return m;
}

/** The int8 form: int8 in, int8 out, ReLU6 as the clamp of the type. */
export function mobileNetV1Int8(options: Partial<MobileNetV1Options> = {}): ModelWriter {
  const { width, size, classes } = { ...STANDARD, ...options };
  const m = newModel('mobilenet_v1_int8', options);
  const quantization = RELU6;
  let x = quantizedInput(m, 'image', [1, 3, size, size], SIGNED_UNIT);
  x = quantizedConv(m, 'conv1', x, { channels: 32 * width, kernel: 3, stride: 2, quantization });
  for (const [i, [channels, stride]] of LAYERS.entries()) {
    x = quantizedDepthwise(m, `dw${i + 1}`, x, { kernel: 3, stride, quantization });
    x = quantizedConv(m, `pw${i + 1}`, x, { channels: channels * width, kernel: 1, quantization });
  }
  x = quantizedAverage(m, 'pool', x);
  x = quantizedConv(m, 'logits', x, { channels: classes, kernel: 1, quantization: LOGITS, gain: LOGIT_GAIN });
  m.output(quantizedSoftmax(m, 'scores', flattenQuantized(m, 'logits_flat', x)));
  return m;
}
