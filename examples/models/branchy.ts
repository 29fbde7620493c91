/** A net of Inception-like cells with residual connections: small, and with many tensors alive at once. */
import { add, block, concat, dense, flatten, globalAveragePool, maxPool, relu, softmax } from './layers.ts';
import { type ModelWriter, newModel, type Value, type WriterOptions } from './writer.ts';

export interface BranchyOptions extends WriterOptions {
  readonly size: number;
  /** Channels of a cell's output; a quarter of them for each branch. */
  readonly channels: number;
  readonly cells: number;
  readonly classes: number;
}

const STANDARD = { size: 32, channels: 16, cells: 4, classes: 10 };

export function branchy(options: Partial<BranchyOptions> = {}): ModelWriter {
  const { size, channels, cells, classes } = { ...STANDARD, ...options };
  const m = newModel('branchy', options);
  const active = { activation: relu, foldNormalization: true };

  function cell(name: string, x: Value): Value {
    const quarter = channels / 4;
    const point = (branch: string, y: Value) =>
      block(m, `${name}_${branch}`, y, { channels: quarter, kernel: 1, ...active });
    const square = (branch: string, y: Value) =>
      block(m, `${name}_${branch}`, y, { channels: quarter, kernel: 3, ...active });
    const one = point('one', x);
    const three = square('three', point('three_in', x));
    const five = square('five', square('five_mid', point('five_in', x)));
    const pool = point('pool', maxPool(m, `${name}_max`, x, 3, 1));
    return relu(m, name, add(m, `${name}_sum`, concat(m, `${name}_cat`, [one, three, five, pool]), x));
  }

  let x = m.input('image', 'float32', [1, 3, size, size]);
  x = block(m, 'stem', x, { channels, kernel: 3, stride: 2, ...active });
  for (let i = 1; i <= cells; i++) x = cell(`cell${i}`, x);
  x = flatten(m, 'features', globalAveragePool(m, 'pool', x));
  m.output(softmax(m, 'scores', dense(m, 'logits', x, classes)));
  return m;
}
