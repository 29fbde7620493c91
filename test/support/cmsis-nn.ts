/** Runners that call CMSIS-NN, beside the integer model: inputs and expected outputs as they lie in memory. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TypedGraph } from '../../src/graph/types.ts';
import { readModel } from '../../src/model/read.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import type { KernelBuild } from '../../src/target/types.ts';
import { type Emitted, type Expected, emitRunner } from './inference.ts';
import { inferIntegers } from './integer-model.ts';
import { createRandom } from './random.ts';

const STAND_IN = fileURLToPath(new URL('../runner/cmsis-nn/', import.meta.url));

/** Options and sources that stand in for the library on a host. */
export function standIn(build: KernelBuild): readonly string[] {
  const number = ['scalar', 'dsp', 'mve'].indexOf(build) + 1;
  return [`-DSTAND_IN_BUILD=${number}`, '-I', STAND_IN, join(STAND_IN, 'stand-in.c')];
}

export interface Prepared {
  readonly emitted: Emitted;
  readonly expected: Expected;
}

/** Emits a runner for the model, with `runs` seeded inputs beside it and what the integer model makes of them. */
export function prepareCmsis(
  dir: string,
  path: string,
  runs: number,
  request: Partial<PlanRequest>,
  library: readonly string[],
  /** What computes the expected outputs, where it is spelt in another way than the model. */
  twin = path,
): Prepared {
  const emitted = { ...emitRunner(dir, { models: [path], kernels: 'cmsis-nn', ...request }), library };
  const graph = typed(twin);
  const { plan } = emitted.planned;
  const { inputs, outputs } = plan.models[0]!;
  const random = createRandom(runs);
  const fed: Uint8Array[] = [];
  const wanted: Uint8Array[] = [];
  for (let run = 0; run < runs; run++) {
    const values = new Map(
      inputs.map((name) => [name, Int8Array.from({ length: countOf(plan, name) }, () => random(256) - 128)]),
    );
    const results = inferIntegers(graph, values);
    for (const name of inputs) fed.push(inMemory(plan, name, values.get(name)!));
    for (const name of outputs) wanted.push(inMemory(plan, name, results.get(name)!));
  }
  writeFileSync(join(dir, 'inputs.bin'), Buffer.concat(fed));
  const shapes = outputs.map((name) => ({ name, type: 'int8', shape: tensorOf(plan, name).shape }));
  return { emitted, expected: { runs, outputs: shapes, bytes: Buffer.concat(wanted) } };
}

function typed(path: string): TypedGraph {
  return inferShapes(readModel(path).graph, NO_BINDINGS).graph;
}

function tensorOf(plan: Plan, name: string) {
  return plan.tensors.find((tensor) => tensor.name === name)!;
}

function countOf(plan: Plan, name: string): number {
  return tensorOf(plan, name).shape.reduce((a, b) => a * b, 1);
}

/** Elements of a tensor in the order of the model, as the plan's layout has them. */
function inMemory(plan: Plan, name: string, values: Int8Array): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return plan.assumptions.layout === 'nchw' ? bytes : channelsLast(bytes, tensorOf(plan, name).shape, 1);
}

/** Elements of `width` bytes in another order: the channels of three and more dimensions last. */
export function channelsLast(bytes: Uint8Array, shape: readonly number[], width: number): Uint8Array {
  if (shape.length < 3) return bytes;
  const [batch, channels] = shape as [number, number];
  const pixels = shape.slice(2).reduce((a, b) => a * b, 1);
  const turned = new Uint8Array(bytes.length);
  for (let i = 0; i < batch * channels * pixels; i++) {
    const [n, c, at] = [Math.floor(i / (channels * pixels)), Math.floor(i / pixels) % channels, i % pixels];
    turned.set(bytes.subarray(i * width, (i + 1) * width), ((n * pixels + at) * channels + c) * width);
  }
  return turned;
}

/** Rewrites what the oracle was fed and what it answered, in the order of the model, as the plan has tensors in memory. */
export function turnOracle({ dir, planned }: Emitted, expected: Expected): Expected {
  const { plan } = planned;
  if (plan.assumptions.layout === 'nchw') return expected;
  const { inputs } = plan.models[0]!;
  const turn = (bytes: Uint8Array, names: readonly string[]): Buffer => {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      for (const name of names) {
        const tensor = tensorOf(plan, name);
        const part = bytes.subarray(at, at + tensor.bytes);
        parts.push(channelsLast(part, tensor.shape, tensor.bytes / countOf(plan, name)));
        at += tensor.bytes;
      }
    }
    return Buffer.concat(parts);
  };
  const file = join(dir, 'inputs.bin');
  writeFileSync(file, turn(readFileSync(file), inputs));
  const names = expected.outputs.map(({ name }) => name);
  return { ...expected, bytes: turn(expected.bytes, names) };
}
