/** The example models: parameters and tensor sizes as published or counted by hand, and files that can be rebuilt. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { autoencoder } from '../../examples/models/autoencoder.ts';
import { branchy } from '../../examples/models/branchy.ts';
import { ARCHITECTURES, EXAMPLES } from '../../examples/models/catalogue.ts';
import { keywordSpotter, keywordSpotterInt8 } from '../../examples/models/keyword-spotter.ts';
import { mobileNetV1, mobileNetV1Int8 } from '../../examples/models/mobilenet-v1.ts';
import { mobileNetV3Large } from '../../examples/models/mobilenet-v3.ts';
import { seedOf, uniform } from '../../examples/models/random.ts';
import { resNet8 } from '../../examples/models/resnet8.ts';
import { resNet50 } from '../../examples/models/resnet50.ts';
import { bytesOf, count, type ModelWriter, type Value } from '../../examples/models/writer.ts';
import { yolo } from '../../examples/models/yolo.ts';

const examples = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'examples');

const sum = (values: Iterable<Value>) => [...values].reduce((total, value) => total + bytesOf(value), 0);

/** Weights and biases, with what normalisation learns; no means, variances, scales of quantisation or shapes. */
function parameters(m: ModelWriter): readonly Value[] {
  const isGamma = (name: string) => m.constants.has(name.replace(/_scale$/, '_variance'));
  return [...m.constants.values()].filter(
    (v) => /_(weight|bias)$/.test(v.name) || (v.name.endsWith('_scale') && isGamma(v.name)),
  );
}

const parameterCount = (m: ModelWriter) => parameters(m).reduce((total, v) => total + count(v.shape), 0);

describe('parameters', () => {
  const unfolded = { foldNormalization: false, weights: 'light' } as const;
  it.each([
    // As their authors and torchvision count them: weights, biases, gamma and beta.
    ['ResNet-50', resNet50(unfolded), 25_557_032],
    ['MobileNetV3-Large', mobileNetV3Large(unfolded), 5_483_032],
    ['YOLOv5s 6.0', yolo(unfolded), 7_235_389],
    ['YOLOv5s 6.0, normalisation folded', yolo({ weights: 'light' }), 7_225_885],
    // MLPerf Tiny lists 24,908, 78,666 and 269,992. Its convolutions keep a bias beside the normalisation, and it
    // counts means and variances: per normalised channel one and two numbers more (9 x 64 channels; 240; 8 x 128 + 8).
    ['keyword spotter', keywordSpotter(unfolded), 24_908 - 3 * 9 * 64],
    ['ResNet-8', resNet8(unfolded), 78_666 - 3 * 240],
    ['autoencoder', autoencoder(unfolded), 269_992 - 2 * (8 * 128 + 8)],
  ])('%s', (_, model, published) => {
    expect(parameterCount(model)).toBe(published);
  });

  it('of the int8 MobileNetV1 0.25 fill 478,544 bytes; equal weights of its average come on top', () => {
    const [average, learned] = [true, false].map((is) =>
      parameters(mobileNetV1Int8()).filter((v) => v.name.startsWith('pool_') === is),
    );
    // 463,600 weights of a byte and 3,736 biases of four.
    expect(sum(learned!)).toBe(463_600 + 3736 * 4);
    expect(sum(average!)).toBe(256 * 7 * 7 + 256 * 4);
  });
});

describe('tensors', () => {
  const only = (m: ModelWriter, keep: (v: Value) => boolean) => [...m.activations.values()].filter(keep);

  it('of the int8 MobileNetV1 0.25 have the bytes of its layers', () => {
    const bytes = [...mobileNetV1Int8().activations.values()].map((v) => [v.name, bytesOf(v)]);
    const k = 25_088; // 28 x 28 x 32 pixels and channels; the layers are that times a power of two
    expect(bytes).toEqual([
      ['image', 150_528],
      ['conv1', 4 * k],
      ['dw1', 4 * k],
      ['pw1', 8 * k],
      ['dw2', 2 * k],
      ['pw2', 4 * k],
      ['dw3', 4 * k],
      ['pw3', 4 * k],
      ['dw4', k],
      ['pw4', 2 * k],
      ['dw5', 2 * k],
      ['pw5', 2 * k],
      ['dw6', k / 2],
      ...['pw6', 'dw7', 'pw7', 'dw8', 'pw8', 'dw9', 'pw9', 'dw10', 'pw10', 'dw11', 'pw11'].map((n) => [n, k]),
      ['dw12', k / 4],
      ...['pw12', 'dw13', 'pw13'].map((n) => [n, k / 2]),
      ['pool', 256],
      ['logits', 1000],
      ['logits_flat', 1000],
      ['scores_in', 4000],
      ['scores_float', 4000],
      ['scores', 1000],
    ]);
  });

  it('of MobileNetV1 0.25 add up to 1,413,456 elements', () => {
    const views = ['logits_flat', 'features'];
    const int8 = only(mobileNetV1Int8(), (v) => v.type === 'int8' && !views.includes(v.name));
    expect(sum(int8)).toBe(1_413_456);
    // Normalisation and ReLU6 as steps of their own: 15.7 MB.
    const blocks = only(mobileNetV1(), (v) => !v.name.endsWith('_conv') && !views.includes(v.name));
    expect(sum(blocks)).toBe(4 * 1_413_456);
    const unfolded = only(mobileNetV1({ foldNormalization: false }), (v) => !views.includes(v.name));
    expect(sum(unfolded)).toBe(4 * (3 * 1_413_456 - 2 * (150_528 + 256 + 2 * 1000)));
  });

  it('of ResNet-50 fill 106.4 MB, 150.8 MB with normalisation apart', () => {
    expect(sum(resNet50({ weights: 'light' }).activations.values()) / 1e6).toBeCloseTo(106.4, 1);
    const unfolded = resNet50({ weights: 'light', foldNormalization: false });
    expect(sum(unfolded.activations.values()) / 1e6).toBeCloseTo(150.8, 0);
    const stages = (m: ModelWriter) => sum(only(m, (v) => /^conv[2-5]_/.test(v.name))) / 1e6;
    expect(stages(resNet50({ weights: 'light' }))).toBeCloseTo(98.5, 1);
    expect(stages(unfolded)).toBeCloseTo(139.8, 1);
  });

  it('of MobileNetV3-Large fill 43.7 MB and of the detector 372 MB', () => {
    expect(sum(mobileNetV3Large({ weights: 'light' }).activations.values()) / 1e6).toBeCloseTo(43.7, 1);
    expect(sum(yolo({ weights: 'light' }).activations.values()) / 1e6).toBeCloseTo(372, 0);
  });

  it('of the keyword spotter are 25 x 5 x 64 in every layer', () => {
    const shapes = only(keywordSpotterInt8(), (v) => /^(conv|dw|pw)/.test(v.name)).map((v) => v.shape);
    expect(shapes).toEqual(Array.from({ length: 9 }, () => [1, 64, 25, 5]));
  });

  it('of a branchy net end in the shape they began with', () => {
    const m = branchy({ cells: 2, channels: 8, size: 16 });
    expect([m.activations.get('stem')?.shape, m.activations.get('cell2')?.shape]).toEqual([
      [1, 8, 8, 8],
      [1, 8, 8, 8],
    ]);
  });
});

describe('files', () => {
  it.each(EXAMPLES.filter((e) => e.committed))('$name is what its builder writes', ({ name, build }) => {
    const committed = readFileSync(join(examples, name, `${name}.onnx`));
    expect(Buffer.compare(committed, build().encode())).toBe(0);
    expect(committed.length).toBeLessThan(200_000);
  });

  it.each([...EXAMPLES, ...ARCHITECTURES])(
    '$name is the same each time and has names of its own',
    ({ name, build }) => {
      const [a, b] = [build({ weights: 'light' }).encode(), build({ weights: 'light' }).encode()];
      expect(Buffer.compare(a, b)).toBe(0);
      expect([...EXAMPLES, ...ARCHITECTURES].filter((e) => e.name === name)).toHaveLength(1);
    },
  );
});

describe('seeded weights', () => {
  it('depend on the name alone and stay inside their limit', () => {
    const a = uniform(seedOf('a'), 10_000, 0.5);
    expect(uniform(seedOf('a'), 10_000, 0.5)).toEqual(a);
    expect(uniform(seedOf('b'), 4, 0.5)).not.toEqual(a.slice(0, 4));
    expect(Math.max(...a.map(Math.abs))).toBeLessThanOrEqual(0.5);
    // The mean of n even draws over [-0.5, 0.5) has a deviation of 1 / sqrt(12 n): 0.003.
    expect(Math.abs(a.reduce((x, y) => x + y, 0) / a.length)).toBeLessThan(0.012);
  });
});
