// Run by oracle.ts: node oracle-job.cjs <folder of onnxruntime-node> <job.json> prints types and shapes of the outputs.
const { readFileSync } = require('node:fs');
const [folder, job] = process.argv.slice(2);
const ort = require(folder);

const ARRAYS = {
  ...{ float32: Float32Array, float64: Float64Array, float16: Uint16Array, bool: Uint8Array },
  ...{ int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array },
  ...{ int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array },
};

function tensorOf({ type, shape, values, fill }) {
  const count = shape.reduce((product, dim) => product * dim, 1);
  const array = ARRAYS[type];
  const convert = array === BigInt64Array || array === BigUint64Array ? BigInt : Number;
  const elements = Array.from({ length: count }, (_, i) => convert(values?.[i] ?? fill));
  return new ort.Tensor(type, array.from(elements), shape);
}

async function run({ model, inputs }) {
  try {
    const session = await ort.InferenceSession.create(model, {
      graphOptimizationLevel: 'disabled',
      logSeverityLevel: 4,
    });
    const feeds = Object.fromEntries(inputs.map((input) => [input.name, tensorOf(input)]));
    const outputs = Object.entries(await session.run(feeds));
    return {
      outputs: Object.fromEntries(
        outputs.map(([name, { type, dims }]) => [name, { type, shape: [...dims] }]),
      ),
    };
  } catch (error) {
    return { error: String(error.message).split('\n')[0] };
  }
}

(async () => {
  const results = [];
  for (const one of JSON.parse(readFileSync(job, 'utf8'))) results.push(await run(one));
  process.stdout.write(JSON.stringify(results));
})();
