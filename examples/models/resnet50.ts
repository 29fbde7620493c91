/** ResNet-50 (He et al., 2015) in the form of today's training frameworks: the stride lies in the 3x3 convolution. */
import { add, block, dense, flatten, globalAveragePool, maxPool, relu, softmax } from './layers.ts';
import { type ModelWriter, newModel, type WriterOptions } from './writer.ts';

const STAGES: readonly (readonly [width: number, blocks: number])[] = [
  [64, 3],
  [128, 4],
  [256, 6],
  [512, 3],
];
const EXPANSION = 4;

export interface ResNet50Options extends WriterOptions {
  readonly size: number;
  readonly classes: number;
  readonly foldNormalization: boolean;
}

const STANDARD = { size: 224, classes: 1000, foldNormalization: true };

export function resNet50(options: Partial<ResNet50Options> = {}): ModelWriter {
  const { size, classes, foldNormalization } = { ...STANDARD, ...options };
  const m = newModel('resnet50', options);
  const plain = { foldNormalization };
  const active = { activation: relu, foldNormalization };
  let x = m.input('image', 'float32', [1, 3, size, size]);
  x = block(m, 'conv1', x, { channels: 64, kernel: 7, stride: 2, pad: 3, ...active });
  x = maxPool(m, 'pool1', x, 3, 2);
  for (const [s, [width, blocks]] of STAGES.entries()) {
    for (let b = 0; b < blocks; b++) {
      const name = `conv${s + 2}_${b + 1}`;
      const stride = b === 0 && s > 0 ? 2 : 1;
      const channels = width * EXPANSION;
      let y = block(m, `${name}_a`, x, { channels: width, kernel: 1, ...active });
      y = block(m, `${name}_b`, y, { channels: width, kernel: 3, stride, pad: 1, ...active });
      y = block(m, `${name}_c`, y, { channels, kernel: 1, ...plain });
      const shortcut =
        b > 0 ? x : block(m, `${name}_shortcut`, x, { channels, kernel: 1, stride, pad: 0, ...plain });
      x = relu(m, name, add(m, `${name}_sum`, y, shortcut));
    }
  }
  x = flatten(m, 'features', globalAveragePool(m, 'pool5', x));
  m.output(softmax(m, 'scores', dense(m, 'logits', x, classes)));
  return m;
}
