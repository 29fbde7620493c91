/** The official backend tests: every model is read, and small types decode to what the Cast tests expect. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../src/model/read.ts';
import { unpackBackend } from '../support/backend.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { model, writeTemp } from '../support/onnx.ts';
import { tensorOf } from '../support/read.ts';

const folder = corpus();
if (folder === undefined) console.log(`test/model/backend.corpus.ts is skipped: ${CORPUS_MISSING}`);

const backend = folder === undefined ? new Map<string, string>() : unpackBackend(folder);

/** The elements of a .pb file, by way of a model that has it as a weight. */
function elements(path: string) {
  const proto = onnxProto.onnx.TensorProto.decode(readFileSync(path));
  const bytes = model({ outputs: ['w'], initializers: { w: proto } });
  const { type, value } = tensorOf(readModel(writeTemp(bytes)).graph, 'w').constant!;
  return { type, value: value() };
}

describe.skipIf(folder === undefined)('backend tests', () => {
  test('every model is read', () => {
    const refused: string[] = [];
    for (const [name, at] of backend) {
      try {
        readModel(join(at, 'model.onnx'));
      } catch (error) {
        refused.push(`${name}: ${(error as Error).message}`);
      }
    }
    expect(refused).toEqual([]);
    expect(backend.size).toBeGreaterThan(1900);
  });

  const casts = [...backend].filter(([name]) =>
    /^test_cast_(no_saturate_)?(FLOAT[48]|E8M0|U?INT[24]|BFLOAT16|FLOAT16)\w*_to_(FLOAT|FLOAT32)$/i.test(
      name,
    ),
  );
  test.each(casts)('%s', (_, at) => {
    const input = elements(join(at, 'test_data_set_0', 'input_0.pb'));
    const output = elements(join(at, 'test_data_set_0', 'output_0.pb'));
    expect(output.type).toBe('float32');
    expect(input.value).toBeDefined();
    expect(input.value).toEqual(output.value);
  });

  test('enough casts were tried', () => {
    expect(casts.length).toBe(12);
    for (const [, at] of casts) expect(existsSync(join(at, 'test_data_set_0', 'input_0.pb'))).toBe(true);
  });
});
