// Run by true-bytes.ts: node oracle-tensors.cjs <folder of onnxruntime-node> <job.json> runs a model once and keeps
// the bytes of all its outputs. The job: { model, inputs: [{ name, type, shape }], least, out }; floats are in [least, 1). Writes the bytes one after
// the other to `out` and prints [{ name, type, shape, offset, bytes }], inputs first.
const { openSync, readFileSync, writeSync } = require('node:fs');

const [ortFolder, jobFile] = process.argv.slice(2);
const ort = require(ortFolder);
const job = JSON.parse(readFileSync(jobFile, 'utf8'));

const ARRAYS = {
  ...{ float32: Float32Array, float64: Float64Array, float16: Uint16Array, bool: Uint8Array },
  ...{ int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array },
  ...{ int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array },
};

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

/** Floats around 0, indexes of two, bytes; halves are bit patterns of numbers in [0.5, 1). */
function inputOf({ type, shape }, random) {
  const count = shape.reduce((product, dim) => product * dim, 1);
  const array = ARRAYS[type];
  const element = () => {
    if (type === 'float16') return 0x3800 + Math.floor(random() * 0x400);
    if (type.startsWith('float')) return job.least + random() * (1 - job.least);
    if (type === 'int8' || type === 'uint8') return Math.floor(random() * 128);
    return Math.floor(random() * 2);
  };
  const values = Array.from({ length: count }, element);
  const data = array === BigInt64Array || array === BigUint64Array ? values.map(BigInt) : values;
  return new ort.Tensor(type, array.from(data), shape);
}

(async () => {
  const session = await ort.InferenceSession.create(job.model, {
    graphOptimizationLevel: 'disabled',
    intraOpNumThreads: 1,
    logSeverityLevel: 4,
  });
  const random = generator(20);
  const inputs = job.inputs.map((input) => [input.name, inputOf(input, random)]);
  const results = await session.run(Object.fromEntries(inputs));
  const out = openSync(job.out, 'w');
  const index = [];
  let offset = 0;
  for (const [name, { type, dims, data }] of [...inputs, ...Object.entries(results)]) {
    if (!ArrayBuffer.isView(data)) continue;
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    if (bytes.length > 0) writeSync(out, bytes);
    index.push({ name, type, shape: dims, offset, bytes: bytes.length });
    offset += bytes.length;
  }
  process.stdout.write(JSON.stringify(index));
})();
