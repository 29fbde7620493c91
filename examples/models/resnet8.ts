/** ResNet-8 for CIFAR-10, as in the image classification task of MLPerf Tiny: three residual stacks. */
import { add, block, dense, flatten, globalAveragePool, relu, softmax } from './layers.ts';
import { type ModelWriter, newModel, type WriterOptions } from './writer.ts';

const STACKS = [16, 32, 64];
const CLASSES = 10;

export function resNet8(options: WriterOptions & { readonly foldNormalization?: boolean } = {}): ModelWriter {
  const m = newModel('resnet8', options);
  const foldNormalization = options.foldNormalization ?? true;
  const image = m.input('image', 'float32', [1, 3, 32, 32]);
  let x = block(m, 'conv1', image, { channels: STACKS[0]!, kernel: 3, activation: relu, foldNormalization });
  for (const [i, channels] of STACKS.entries()) {
    const name = `stack${i + 1}`;
    const stride = i === 0 ? 1 : 2;
    const shared = { channels, kernel: 3, foldNormalization } as const;
    const y = block(m, `${name}_a`, x, { ...shared, stride, activation: relu });
    const z = block(m, `${name}_b`, y, shared);
    // The shortcut is a plain convolution: MLPerf Tiny normalises only the main path.
    const plain = { channels, kernel: 1, stride, foldNormalization: true };
    const shortcut = i === 0 ? x : block(m, `${name}_shortcut`, x, plain);
    x = relu(m, name, add(m, `${name}_sum`, z, shortcut));
  }
  x = flatten(m, 'features', globalAveragePool(m, 'pool', x));
  m.output(softmax(m, 'scores', dense(m, 'logits', x, CLASSES)));
  return m;
}
