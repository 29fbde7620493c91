/** Every body of If, Loop and Scan of the shared models, run alone in onnxruntime, against inference of the whole model. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatShape, isKnown } from '../../src/graph/dims.ts';
import { readModel } from '../../src/model/read.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';
import { type CutBody, cutBodies } from '../support/bodies.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { tempFolder, writeTemp } from '../support/onnx.ts';
import { hasOracle, type JobResult, ORACLE_MISSING, runJobs } from '../support/oracle.ts';
import { recordedBindings } from '../support/truth.ts';

const folder = corpus();
const missing = folder === undefined ? CORPUS_MISSING : hasOracle() ? undefined : ORACLE_MISSING;
if (missing !== undefined) console.warn(`skipped: ${missing}`);

/** Models with control flow. A model that gets some must be added. */
const MODELS = [
  'burn_nested_if_loop_if_scan',
  'occ_test_subgraph',
  'ort_crop_and_resize',
  'ort_scan_1',
  'ort_subgraph_input_shadows_outer_scope_value',
  'ort_three_layer_nested_subgraph',
  'silero_vad_16k_op15',
  'silero_vad_piper_v2',
  'tract_qlstm_3-2-3_T3_S1',
];

it.skipIf(missing !== undefined)('covers every model that has bodies', () => {
  const files = readdirSync(join(folder!, 'data', 'models')).filter((file) => file.endsWith('.onnx'));
  const names = files.map((file) => file.slice(0, -'.onnx'.length));
  expect(names.filter(hasBodies).sort()).toEqual(MODELS);
});

it.skipIf(missing !== undefined).each(MODELS)('%s: no body has a wrong type or shape', (name) => {
  const bodies = bodiesOf(name);
  expect(bodies.length).toBeGreaterThan(0);
  const results = run(bodies);
  const report = bodies.map((body, i) => compare(body, results[i]!));
  console.log(`${name}\n${report.map(({ line }) => `  ${line}`).join('\n')}`);
  expect(report.flatMap(({ wrong }) => wrong)).toEqual([]);
});

function hasBodies(name: string): boolean {
  try {
    return readModel(pathOf(name)).graph.nodes.some(({ bodies }) => bodies.length > 0);
  } catch {
    return false;
  }
}

function pathOf(name: string): string {
  return join(folder!, 'data', 'models', `${name}.onnx`);
}

function bodiesOf(name: string): readonly CutBody[] {
  const { graph } = readModel(pathOf(name));
  const bindings = recordedBindings(folder!, name, graph) ?? { ...NO_BINDINGS, all: 1 };
  const { facts } = inferShapes(graph, bindings, { allowOpen: true }).graph;
  return cutBodies(readFileSync(pathOf(name)), graph, facts);
}

/** With ones, and where that fails with zeros: one of them is a valid index or size. */
function run(bodies: readonly CutBody[]): readonly JobResult[] {
  const dir = tempFolder();
  const paths = bodies.map(({ model }, i) => writeTemp(model, `body-${i}.onnx`));
  const jobs = bodies.flatMap(({ feeds }, i) =>
    [1, 0].map((fill) => ({ model: paths[i]!, inputs: feeds.map((feed) => ({ ...feed, fill })) })),
  );
  const results = runJobs(jobs, join(dir, 'job.json'));
  return bodies.map((_, i) => (results[2 * i]!.outputs ? results[2 * i]! : results[2 * i + 1]!));
}

interface Compared {
  readonly line: string;
  readonly wrong: readonly string[];
}

function compare({ path, expected, obstacle }: CutBody, { outputs, error }: JobResult): Compared {
  if (obstacle !== undefined || outputs === undefined) {
    return { line: `${path}: not run: ${obstacle ?? error}`, wrong: [] };
  }
  const wrong: string[] = [];
  const unknown: string[] = [];
  for (const [name, fact] of expected) {
    const text = `${fact?.type}${formatShape(fact?.shape)}`;
    const { type, shape } = outputs[name]!;
    const truth = `${type}[${shape.join(',')}]`;
    const open = fact?.shape === undefined || !fact.shape.every(isKnown);
    if (open) unknown.push(`${name} ${text} (${truth})`);
    if (fact !== undefined && (open ? fact.type !== type : text !== truth)) {
      wrong.push(`${path}: ${name} is ${truth}, not ${text}`);
    }
  }
  const right = expected.size - wrong.length - unknown.length;
  const list = unknown.length === 0 ? '' : `: ${unknown.join(', ')}`;
  return { line: `${path}: ${right} right, ${wrong.length} wrong, ${unknown.length} unknown${list}`, wrong };
}
