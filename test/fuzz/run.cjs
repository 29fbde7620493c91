// Run by oracle.ts: node run.cjs <folder of onnxruntime-node>; paths of models on standard input, one line of JSON each.
const { readFileSync, writeSync } = require('node:fs');
const [folder] = process.argv.slice(2);
const ort = require(folder);

/** Small numbers that are the same in every run. */
function dataOf(type, count) {
  const at = (i) => ((i * 7919 + 13) % 31) / 15 - 1;
  const whole = (i) => (i * 5 + 1) % 4;
  if (type === 'float32') return Float32Array.from({ length: count }, (_, i) => at(i));
  if (type === 'int64') return BigInt64Array.from({ length: count }, (_, i) => BigInt(whole(i)));
  const arrays = { int32: Int32Array, uint8: Uint8Array, int8: Int8Array, bool: Uint8Array };
  return arrays[type].from({ length: count }, (_, i) => (type === 'bool' ? i % 2 : whole(i)));
}

async function run(path) {
  const options = { graphOptimizationLevel: 'disabled', logSeverityLevel: 4 };
  const session = await ort.InferenceSession.create(path, options);
  const feeds = {};
  for (const { name, type, shape } of session.inputMetadata) {
    const count = shape.reduce((product, size) => product * size, 1);
    feeds[name] = new ort.Tensor(type, dataOf(type, count), shape);
  }
  const outputs = await session.run(feeds);
  return Object.fromEntries(Object.entries(outputs).map(([name, t]) => [name, [t.type, [...t.dims]]]));
}

(async () => {
  for (const path of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    let line;
    try {
      line = { outputs: await run(path) };
    } catch (error) {
      line = { error: String(error.message).slice(0, 300) };
    }
    writeSync(1, `${JSON.stringify(line)}\n`);
  }
})();
