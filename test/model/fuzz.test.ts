/** Damaged files: whatever bytes change, a model is read or refused, never more. Seeded; a failure prints its seed. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { readModel } from '../../src/model/read.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { concat, float, graph, model, node, tensor, writeTemp } from '../support/onnx.ts';
import { createRandom } from '../support/random.ts';

const SPECIAL = [0, 1, 2, 8, 0x0a, 0x12, 0x7f, 0x80, 0xff];

/** One to four changes: bytes replaced, flipped, cut out, repeated, or the end cut off. */
function mutate(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let out = Uint8Array.from(bytes);
  for (let changes = 1 + random(4); changes > 0 && out.length > 0; changes--) {
    const at = random(out.length);
    const to = Math.min(out.length, at + 1 + random(32));
    switch (random(6)) {
      case 0:
        out[at] = random(256);
        break;
      case 1:
        out[at]! ^= 1 << random(8);
        break;
      case 2:
        out[at] = SPECIAL[random(SPECIAL.length)]!;
        break;
      case 3:
        out = out.slice(0, at);
        break;
      case 4:
        out = Uint8Array.from(concat([out.subarray(0, at), out.subarray(to)]));
        break;
      default:
        out = Uint8Array.from(concat([out.subarray(0, to), out.subarray(at)]));
    }
  }
  return out;
}

/** Reads and asks for every element; anything but a MemplanError gets out. */
function readAll(bytes: Uint8Array): void {
  try {
    const read = readModel(writeTemp(bytes, 'fuzz.onnx'));
    for (const { constant } of read.graph.tensors) constant?.value();
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    expect(error.diagnostics.every((d) => d.text !== '' && d.kind === 'error')).toBe(true);
  }
}

function fuzz(
  files: readonly (readonly [name: string, bytes: Uint8Array])[],
  rounds: number,
  seed: number,
): void {
  for (let round = 0; round < rounds; round++) {
    const random = createRandom(seed + round);
    const [name, bytes] = files[random(files.length)]!;
    try {
      readAll(mutate(bytes, random));
    } catch (error) {
      throw new Error(`seed ${seed + round}, ${name}`, { cause: error });
    }
  }
}

test('hand-made models', () => {
  const branch = (op: string) => graph({ outputs: ['o'], nodes: [node(op, ['m', 'w'], ['o'])] });
  const rich = model({
    inputs: { c: ['bool', []], x: ['float32', ['N', null, -1]], s: { sequenceType: { elemType: {} } } },
    outputs: { y: ['float32', undefined] },
    valueInfo: { m: ['float32', [1, 2]] },
    initializers: {
      w: tensor('int64', [3], [1, 2, 3]),
      e: { ...tensor('float32', [4]), dataLocation: 1, externalData: [{ key: 'location', value: 'e.bin' }] },
    },
    opset: { '': 17, local: 1 },
    functions: [
      {
        name: 'F',
        inputs: ['a'],
        outputs: ['b'],
        defaults: { k: float(3) },
        overload: 'o',
        nodes: [node('Relu', ['a'], ['b'])],
      },
    ],
    nodes: [
      node('Constant', [], ['k'], { value_ints: [1, 2, 3] }),
      node('F', ['x'], ['m'], {}, { domain: 'local', overload: 'o', name: 'call' }),
      node('If', ['c'], ['y'], { then_branch: branch('Add'), else_branch: branch('Mul') }),
    ],
  });
  fuzz([['rich', rich]], 1500, 1000);
});

const folder = corpus();
if (folder === undefined) console.log(`part of test/model/fuzz.test.ts is skipped: ${CORPUS_MISSING}`);

describe.skipIf(folder === undefined)('real models', () => {
  test('with a few bytes changed', () => {
    const directory = join(folder!, 'data', 'models');
    const small = readdirSync(directory)
      .sort()
      .filter((file) => file.endsWith('.onnx') && statSync(join(directory, file)).size < 60_000)
      .map((file) => [file, readFileSync(join(directory, file))] as const);
    expect(small.length).toBeGreaterThan(30);
    fuzz(small, 1000, 5_000_000);
  });
});
