// Run by inference.ts: node oracle-infer.cjs <folder of onnxruntime-node> <job.json> runs a model over seeded inputs.
// The job: { model, folder, runs, inputs: [{ name, type, shape, range? }], outputs: [name] }. Writes inputs.bin and
// expected.bin to the folder and prints the outputs' names, types and shapes.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [ortFolder, jobFile] = process.argv.slice(2);
const ort = require(ortFolder);
const job = JSON.parse(readFileSync(jobFile, 'utf8'));

/** Numbers in [0, 1): mulberry32. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  bool: Uint8Array,
};

/** Where nothing else is said: the whole range of bytes, small indexes, and floats around 0. */
const RANGES = {
  float32: [-1, 1],
  float64: [-1, 1],
  int8: [-128, 128],
  uint8: [0, 256],
  int16: [-1000, 1000],
  uint16: [0, 1000],
  int32: [0, 4],
  int64: [0, 4],
  bool: [0, 2],
};

function inputOf({ type, shape, range }, random) {
  const count = shape.reduce((product, dim) => product * dim, 1);
  const [least, most] = range ?? RANGES[type];
  const real = type.startsWith('float');
  const values = Array.from({ length: count }, () => {
    const value = least + (most - least) * random();
    return real ? value : Math.floor(value);
  });
  const data = type === 'int64' ? BigInt64Array.from(values, BigInt) : ARRAYS[type].from(values);
  return new ort.Tensor(type, data, shape);
}

const bytesOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

(async () => {
  const session = await ort.InferenceSession.create(job.model, {
    graphOptimizationLevel: 'disabled',
    intraOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  const fed = [];
  const got = [];
  let outputs = [];
  for (let run = 0; run < job.runs; run++) {
    const random = generator(run + 1);
    const inputs = job.inputs.map((input) => [input.name, inputOf(input, random)]);
    const results = await session.run(Object.fromEntries(inputs));
    for (const [, tensor] of inputs) fed.push(bytesOf(tensor));
    outputs = job.outputs.map((name) => ({ name, type: results[name].type, shape: results[name].dims }));
    for (const name of job.outputs) got.push(bytesOf(results[name]));
  }
  writeFileSync(join(job.folder, 'inputs.bin'), Buffer.concat(fed));
  writeFileSync(join(job.folder, 'expected.bin'), Buffer.concat(got));
  process.stdout.write(JSON.stringify(outputs));
})();
