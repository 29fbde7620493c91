/** Damages model files at random, by seed, and sees that each is read or refused and nothing else. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MemplanError } from '../../src/errors.ts';
import { readModel } from '../../src/model/read.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { concat, writeTemp } from './onnx.ts';
import { createRandom } from './random.ts';

export type NamedFile = readonly [name: string, bytes: Uint8Array];

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

/** Reads, asks for every element, and infers; anything but a MemplanError gets out. */
function readAll(bytes: Uint8Array): void {
  try {
    const read = readModel(writeTemp(bytes, 'fuzz.onnx'));
    for (const { constant } of read.graph.tensors) constant?.value();
    inferShapes(read.graph, NO_BINDINGS, { allowOpen: true });
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    if (!error.diagnostics.every((d) => d.text !== '' && d.kind === 'error')) throw error;
  }
}

/** Throws with the seed of the first file that brings anything but a MemplanError. */
export function fuzz(files: readonly NamedFile[], rounds: number, seed: number): void {
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

/** The models of the corpus that are quick to write again and again. */
export function smallModels(corpus: string): readonly NamedFile[] {
  return ['models', 'cases'].flatMap((group) => {
    const directory = join(corpus, 'data', group);
    return readdirSync(directory)
      .sort()
      .filter((file) => file.endsWith('.onnx') && statSync(join(directory, file)).size < 60_000)
      .map((file): NamedFile => [file, readFileSync(join(directory, file))]);
  });
}
