/** DS-CNN (Zhang et al., 2017), as in the keyword spotting task of MLPerf Tiny: 49 frames of 10 MFCCs, 12 words. */
import { block, dense, flatten, globalAveragePool, relu, softmax } from './layers.ts';
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

const FRAMES = [1, 1, 49, 10];
const CHANNELS = 64;
const WORDS = 12;
const FIRST = { channels: CHANNELS, kernel: [10, 4], stride: 2 } as const;
const SEPARABLE_LAYERS = [1, 2, 3, 4];

export function keywordSpotter(
  options: WriterOptions & { readonly foldNormalization?: boolean } = {},
): ModelWriter {
  const m = newModel('keyword_spotter', options);
  const shared = {
    channels: CHANNELS,
    activation: relu,
    foldNormalization: options.foldNormalization ?? true,
  };
  let x = block(m, 'conv1', m.input('mfcc', 'float32', FRAMES), { ...shared, ...FIRST });
  for (const i of SEPARABLE_LAYERS) {
    x = block(m, `dw${i}`, x, { ...shared, groups: CHANNELS, kernel: 3 });
    x = block(m, `pw${i}`, x, { ...shared, kernel: 1 });
  }
  x = flatten(m, 'features', globalAveragePool(m, 'pool', x));
  m.output(softmax(m, 'scores', dense(m, 'logits', x, WORDS)));
  return m;
}

/** The int8 form. */
export function keywordSpotterInt8(): ModelWriter {
  const m = newModel('keyword_spotter_int8');
  const quantization = RELU6;
  let x = quantizedConv(m, 'conv1', quantizedInput(m, 'mfcc', FRAMES, SIGNED_UNIT), {
    ...FIRST,
    quantization,
  });
  for (const i of SEPARABLE_LAYERS) {
    x = quantizedDepthwise(m, `dw${i}`, x, { kernel: 3, quantization });
    x = quantizedConv(m, `pw${i}`, x, { channels: CHANNELS, kernel: 1, quantization });
  }
  x = quantizedAverage(m, 'pool', x);
  x = quantizedConv(m, 'logits', x, { channels: WORDS, kernel: 1, quantization: LOGITS });
  m.output(quantizedSoftmax(m, 'scores', flattenQuantized(m, 'logits_flat', x)));
  return m;
}
