/** Random convolutions that reach every path of the kernels: rows, single taps, one channel, holes, uneven padding. */
import type { ConvSketch } from '../support/kernels.ts';
import { createRandom } from '../support/random.ts';

export function randomConv(seed: number): ConvSketch {
  const random = createRandom(seed);
  const from = (least: number, most: number): number => least + random(most - least + 1);
  const isRow = random(4) === 0;
  const isPoint = random(6) === 0;
  const is3x3 = random(6) === 0;
  const kernel: [number, number] = isPoint ? [1, 1] : is3x3 ? [3, 3] : [isRow ? 1 : from(1, 5), from(1, 7)];
  const hasHoles = random(5) === 0;
  const dilation: [number, number] = hasHoles ? [from(1, 2), from(1, 2)] : [1, 1];
  const head: [number, number] = [isRow ? 0 : random(Math.min(kernel[0], 3)), random(kernel[1])];
  const tail: [number, number] = [head[0], head[1] + (random(3) === 0 ? 1 : 0)];
  const reach = (axis: 0 | 1): number => (kernel[axis] - 1) * dilation[axis] + 1;
  return {
    batch: random(4) === 0 ? 2 : 1,
    channels: random(8) === 0 ? 1 : from(2, 40),
    filters: from(1, 40),
    size: [isRow && kernel[0] === 1 ? 1 : reach(0) + random(20), reach(1) + random(28)],
    kernel,
    stride: [isRow ? 1 : from(1, 3), from(1, 3)],
    dilation,
    ...{ head, tail },
  };
}

/** The same window with one filter, or `multiplier` filters, for each channel. */
export function asDepthwise(conv: ConvSketch, multiplier: number): ConvSketch {
  const channels = Math.max(2, conv.channels);
  return { ...conv, channels, filters: channels * multiplier, group: channels };
}
