/** The fully connected autoencoder of MLPerf Tiny's anomaly detection: 640 values of a spectrogram through 8. */
import { batchNormalization, dense, relu } from './layers.ts';
import { type ModelWriter, newModel, type WriterOptions } from './writer.ts';

export interface AutoencoderOptions extends WriterOptions {
  readonly features: number;
  readonly width: number;
  readonly bottleneck: number;
  readonly foldNormalization: boolean;
}

const STANDARD = { features: 640, width: 128, bottleneck: 8, foldNormalization: true };

export function autoencoder(options: Partial<AutoencoderOptions> = {}): ModelWriter {
  const { features, width, bottleneck, foldNormalization } = { ...STANDARD, ...options };
  const m = newModel('autoencoder', options);
  const layers = [width, width, width, width, bottleneck, width, width, width, width];
  let x = m.input('spectrum', 'float32', [1, features]);
  for (const [i, units] of layers.entries()) {
    x = dense(m, `dense${i + 1}`, x, units);
    if (!foldNormalization) x = batchNormalization(m, `bn${i + 1}`, x);
    x = relu(m, `relu${i + 1}`, x);
  }
  m.output(dense(m, 'reconstruction', x, features));
  return m;
}
