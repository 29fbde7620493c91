/** MobileNetV3-Large (Howard et al., 2019): inverted residuals, squeeze-and-excitation, hard swish. */
import {
  type Activation,
  add,
  block,
  conv,
  dense,
  flatten,
  globalAveragePool,
  hardSigmoid,
  hardSwish,
  mul,
  relu,
  softmax,
} from './layers.ts';
import { type ModelWriter, newModel, type Value, type WriterOptions } from './writer.ts';

interface Bottleneck {
  readonly kernel: 3 | 5;
  readonly expanded: number;
  readonly channels: number;
  readonly squeeze: boolean;
  readonly activation: Activation;
  readonly stride: 1 | 2;
}

function bottleneck(
  kernel: 3 | 5,
  expanded: number,
  channels: number,
  squeeze: boolean,
  activation: Activation,
  stride: 1 | 2,
): Bottleneck {
  return { kernel, expanded, channels, squeeze, activation, stride };
}

/** Table 1 of the paper. */
const BOTTLENECKS: readonly Bottleneck[] = [
  bottleneck(3, 16, 16, false, relu, 1),
  bottleneck(3, 64, 24, false, relu, 2),
  bottleneck(3, 72, 24, false, relu, 1),
  bottleneck(5, 72, 40, true, relu, 2),
  bottleneck(5, 120, 40, true, relu, 1),
  bottleneck(5, 120, 40, true, relu, 1),
  bottleneck(3, 240, 80, false, hardSwish, 2),
  bottleneck(3, 200, 80, false, hardSwish, 1),
  bottleneck(3, 184, 80, false, hardSwish, 1),
  bottleneck(3, 184, 80, false, hardSwish, 1),
  bottleneck(3, 480, 112, true, hardSwish, 1),
  bottleneck(3, 672, 112, true, hardSwish, 1),
  bottleneck(5, 672, 160, true, hardSwish, 2),
  bottleneck(5, 960, 160, true, hardSwish, 1),
  bottleneck(5, 960, 160, true, hardSwish, 1),
];

export interface MobileNetV3Options extends WriterOptions {
  readonly size: number;
  readonly classes: number;
  readonly foldNormalization: boolean;
}

const STANDARD = { size: 224, classes: 1000, foldNormalization: true };

export function mobileNetV3Large(options: Partial<MobileNetV3Options> = {}): ModelWriter {
  const { size, classes, foldNormalization } = { ...STANDARD, ...options };
  const m = newModel('mobilenet_v3_large', options);
  const active = { activation: hardSwish, foldNormalization };
  let x = m.input('image', 'float32', [1, 3, size, size]);
  x = block(m, 'conv1', x, { channels: 16, kernel: 3, stride: 2, pad: 1, ...active });
  for (const [i, row] of BOTTLENECKS.entries()) {
    x = invertedResidual(m, `bneck${i + 1}`, x, row, foldNormalization);
  }
  x = block(m, 'conv2', x, { channels: 960, kernel: 1, ...active });
  x = flatten(m, 'features', globalAveragePool(m, 'pool', x));
  x = hardSwish(m, 'hidden', dense(m, 'hidden_dense', x, 1280));
  m.output(softmax(m, 'scores', dense(m, 'logits', x, classes)));
  return m;
}

function invertedResidual(
  m: ModelWriter,
  name: string,
  x: Value,
  { kernel, expanded, channels, squeeze, activation, stride }: Bottleneck,
  foldNormalization: boolean,
): Value {
  const shared = { activation, foldNormalization };
  let y = x;
  if (expanded !== x.shape[1])
    y = block(m, `${name}_expand`, y, { channels: expanded, kernel: 1, ...shared });
  const pad = (kernel - 1) / 2;
  y = block(m, `${name}_dw`, y, { channels: expanded, groups: expanded, kernel, stride, pad, ...shared });
  if (squeeze) y = squeezeAndExcite(m, `${name}_se`, y);
  y = block(m, `${name}_project`, y, { channels, kernel: 1, foldNormalization });
  return stride === 1 && x.shape[1] === channels ? add(m, name, y, x) : y;
}

function squeezeAndExcite(m: ModelWriter, name: string, x: Value): Value {
  const channels = x.shape[1]!;
  const pool = globalAveragePool(m, `${name}_pool`, x);
  const squeezed = conv(m, `${name}_fc1`, pool, { channels: multipleOf8(channels / 4), kernel: 1 });
  const excited = conv(m, `${name}_fc2`, relu(m, `${name}_relu`, squeezed), { channels, kernel: 1 });
  return mul(m, name, x, hardSigmoid(m, `${name}_gate`, excited));
}

/** The nearest multiple of 8, not more than a tenth below. */
function multipleOf8(channels: number): number {
  const nearest = Math.max(8, Math.floor((channels + 4) / 8) * 8);
  return nearest < 0.9 * channels ? nearest + 8 : nearest;
}
