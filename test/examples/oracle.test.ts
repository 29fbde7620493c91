/** The example models run in onnxruntime: valid files, right shapes, and int8 forms that compute what float does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARCHITECTURES, EXAMPLES } from '../../examples/models/catalogue.ts';
import { hasOracle, ORACLE_MISSING, type Run, runModels } from '../support/oracle.ts';

const oracle = hasOracle();
const folder = mkdtempSync(join(tmpdir(), 'memplan-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Examples with their weights, large architectures without. */
const models = [
  ...EXAMPLES.map((e) => ({ name: e.name, model: e.build() })),
  ...ARCHITECTURES.map((e) => ({ name: `${e.name} (light)`, model: e.build({ weights: 'light' }) })),
];

describe.skipIf(!oracle)(`onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`, () => {
  const runs = new Map<string, Run>();

  beforeAll(() => {
    const paths = models.map(({ model }, i) => {
      const path = join(folder, `${i}.onnx`);
      writeFileSync(path, model.encode());
      return path;
    });
    for (const [i, run] of runModels(paths).entries()) runs.set(models[i]!.name, run);
  });

  it.each(models)('runs $name and finds the shapes it was built with', ({ name, model }) => {
    const { inputs, outputs } = runs.get(name)!;
    for (const [tensor, { type, shape }] of Object.entries({ ...inputs, ...outputs })) {
      expect({ tensor, type, shape }).toEqual({
        tensor,
        type: model.activations.get(tensor)?.type,
        shape: model.activations.get(tensor)?.shape,
      });
    }
    expect(Object.keys(outputs).length).toBeGreaterThan(0);
  });

  it.each(['kws', 'mobilenet-v1'])('%s scores alike in float32 and int8', (name) => {
    const float = runs.get(name)!.outputs.scores!.elements;
    const int8 = runs.get(`${name}-int8`)!.outputs.scores!.elements.map((q) => (q + 128) / 256);
    expect(Math.max(...int8)).toBeGreaterThan(0.05);
    // The scores' own step is 1/256; the rest is what rounding adds up to in 28 layers.
    const errors = float.map((score, i) => Math.abs(score - int8[i]!));
    expect(Math.max(...errors)).toBeLessThan(0.03);
  });
});
