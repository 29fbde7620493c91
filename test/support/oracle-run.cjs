// Run by oracle.ts: node oracle-run.cjs <folder of onnxruntime-node> <model>... prints what each model computes.
const [folder, ...paths] = process.argv.slice(2);
const ort = require(folder);

const MOST_ELEMENTS = 2000;

/** Numbers over [-1, 1): xorshift, the same for every model. */
function spread(count) {
  let state = 12345;
  return Float32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 31 - 1;
  });
}

function inputOf({ type, shape }) {
  const values = spread(shape.reduce((product, dim) => product * dim, 1));
  if (type !== 'int8') return new ort.Tensor(type, values, shape);
  return new ort.Tensor(
    type,
    Int8Array.from(values, (v) => Math.floor(v * 128)),
    shape,
  );
}

function describe(tensors) {
  const entries = Object.entries(tensors).map(([name, { type, dims, data }]) => [
    name,
    { type, shape: [...dims], elements: Array.from(data.subarray(0, MOST_ELEMENTS), Number) },
  ]);
  return Object.fromEntries(entries);
}

async function run(path) {
  const session = await ort.InferenceSession.create(path, { graphOptimizationLevel: 'disabled' });
  const inputs = Object.fromEntries(session.inputMetadata.map((input) => [input.name, inputOf(input)]));
  return { inputs: describe(inputs), outputs: describe(await session.run(inputs)) };
}

(async () => {
  const runs = [];
  for (const path of paths) runs.push(await run(path));
  process.stdout.write(JSON.stringify(runs));
})();
