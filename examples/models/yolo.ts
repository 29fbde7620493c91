/** A detector with the shape of YOLOv5s 6.0: cross-stage partial blocks, a pyramid down and up again, three heads. */
import { type Activation, add, block, concat, conv, maxPool, silu, upsample } from './layers.ts';
import { type ModelWriter, newModel, type Value, type WriterOptions } from './writer.ts';

export interface YoloOptions extends WriterOptions {
  readonly size: number;
  readonly classes: number;
  readonly foldNormalization: boolean;
  readonly activation: Activation;
}

const STANDARD = { size: 640, classes: 80, foldNormalization: true, activation: silu };
const ANCHORS = 3;
const BOX_NUMBERS = 5;

export function yolo(options: Partial<YoloOptions> = {}): ModelWriter {
  const { size, classes, ...follow } = { ...STANDARD, ...options };
  const m = newModel('yolo_s', options);

  function cbs(
    name: string,
    x: Value,
    channels: number,
    kernel: number,
    stride = 1,
    pad = (kernel - 1) / 2,
  ): Value {
    const { activation, foldNormalization } = follow;
    return block(m, name, x, { channels, kernel, stride, pad, activation, foldNormalization });
  }

  /** Cross-stage partial: half of the channels go through the bottlenecks, half around them. */
  function c3(name: string, x: Value, channels: number, repeats: number, shortcut: boolean): Value {
    const half = channels / 2;
    let inner = cbs(`${name}_in`, x, half, 1);
    for (let i = 1; i <= repeats; i++) {
      const y = cbs(`${name}_b${i}_b`, cbs(`${name}_b${i}_a`, inner, half, 1), half, 3);
      inner = shortcut ? add(m, `${name}_b${i}`, inner, y) : y;
    }
    return cbs(name, concat(m, `${name}_both`, [inner, cbs(`${name}_around`, x, half, 1)]), channels, 1);
  }

  /** Spatial pyramid pooling, one pool after the other. */
  function sppf(name: string, x: Value, channels: number): Value {
    const pools = [cbs(`${name}_in`, x, channels / 2, 1)];
    for (let i = 1; i <= 3; i++) pools.push(maxPool(m, `${name}_pool${i}`, pools.at(-1)!, 5, 1));
    return cbs(name, concat(m, `${name}_cat`, pools), channels, 1);
  }

  const image = m.input('image', 'float32', [1, 3, size, size]);
  const p2 = c3('p2', cbs('p2_down', cbs('p1', image, 32, 6, 2, 2), 64, 3, 2), 64, 1, true);
  const p3 = c3('p3', cbs('p3_down', p2, 128, 3, 2), 128, 2, true);
  const p4 = c3('p4', cbs('p4_down', p3, 256, 3, 2), 256, 3, true);
  const p5 = sppf('p5', c3('p5_c3', cbs('p5_down', p4, 512, 3, 2), 512, 1, true), 512);

  const lateral5 = cbs('n5', p5, 256, 1);
  const fused4 = c3('n4_c3', concat(m, 'n4_cat', [upsample(m, 'n4_up', lateral5), p4]), 256, 1, false);
  const lateral4 = cbs('n4', fused4, 128, 1);
  const out3 = c3('n3', concat(m, 'n3_cat', [upsample(m, 'n3_up', lateral4), p3]), 128, 1, false);
  const out4 = c3('m4', concat(m, 'm4_cat', [cbs('m4_down', out3, 128, 3, 2), lateral4]), 256, 1, false);
  const out5 = c3('m5', concat(m, 'm5_cat', [cbs('m5_down', out4, 256, 3, 2), lateral5]), 512, 1, false);

  for (const [i, x] of [out3, out4, out5].entries()) {
    m.output(detect(m, `detect${i + 3}`, x, BOX_NUMBERS + classes));
  }
  return m;
}

/** One row of numbers per box: a convolution, then the boxes' numbers moved to the last axis. */
function detect(m: ModelWriter, name: string, x: Value, numbers: number): Value {
  const [n, , h, w] = x.shape as [number, number, number, number];
  const raw = conv(m, `${name}_conv`, x, { channels: ANCHORS * numbers, kernel: 1 });
  const split = [n, ANCHORS, numbers, h, w];
  const shape = m.constant(`${name}_split_shape`, 'int64', [split.length], split);
  const boxes = m.node('Reshape', `${name}_split`, [raw, shape], { type: x.type, shape: split });
  const last = { type: x.type, shape: [n, ANCHORS, h, w, numbers] };
  const moved = m.node('Transpose', `${name}_boxes`, [boxes], last, { perm: [0, 1, 3, 4, 2] });
  return m.node('Sigmoid', name, [moved], moved);
}
