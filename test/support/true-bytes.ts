/** The bytes that onnxruntime gives to every tensor of a model, in one run over seeded inputs. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyFolder } from './generated.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Row-major, as in the model. */
export interface TrueTensor {
  readonly type: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

export interface RunInput {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly number[];
}

/**
 * Runs the model without optimisations on floats of [least, 1), with the tensors of these names as graph outputs besides its own. Throws what
 * the run says when it fails.
 */
export function trueBytes(
  model: string,
  inputs: readonly RunInput[],
  tensors: readonly string[],
  least = -1,
): ReadonlyMap<string, TrueTensor> {
  const dir = emptyFolder();
  const [from, file] = [dirname(model), basename(model)];
  // External data lies beside the model, and must not be a link out of its folder.
  for (const other of readdirSync(from)) {
    if (/\.(bin|data)$/.test(other)) copyFileSync(join(from, other), join(dir, other));
  }
  const path = join(dir, file);
  writeFileSync(path, Buffer.concat([readFileSync(model), withOutputs(tensors)]));
  const [job, out] = [join(dir, '.job.json'), join(dir, '.bytes.bin')];
  writeFileSync(job, JSON.stringify({ model: path, inputs, least, out }));
  const script = join(root, 'test/support/oracle-tensors.cjs');
  const folder = join(root, '.cache/oracle/node_modules/onnxruntime-node');
  const run = spawnSync(process.execPath, [script, folder, job], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`the oracle failed on ${file}: ${run.stderr}`);
  const bytes = readFileSync(out);
  const index = JSON.parse(run.stdout) as (RunInput & { offset: number; bytes: number })[];
  return new Map(
    index.map(({ name, type, shape, offset, bytes: count }) => [
      name,
      { type, shape, bytes: bytes.subarray(offset, offset + count) },
    ]),
  );
}

const GRAPH = 7;
const OUTPUT = 12;
const NAME = 1;

/**
 * Bytes to append to a model file: a message that comes twice in the wire format is merged, so a second graph with
 * outputs alone adds them to the first. Their types are inferred.
 */
function withOutputs(names: readonly string[]): Buffer {
  const outputs = names.map((name) => field(OUTPUT, field(NAME, Buffer.from(name, 'utf8'))));
  return outputs.length === 0 ? Buffer.alloc(0) : field(GRAPH, Buffer.concat(outputs));
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
