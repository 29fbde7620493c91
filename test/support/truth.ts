/** Compares inference with the shapes that onnxruntime produced, which the shared corpus holds for real models. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemplanError } from '../../src/errors.ts';
import { formatShape } from '../../src/graph/dims.ts';
import type { Fact, Graph } from '../../src/graph/types.ts';
import { readModel } from '../../src/model/read.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';

type Recorded = readonly [type: string, shape: readonly number[]];

interface Truth {
  readonly inputs: Readonly<Record<string, Recorded>>;
  readonly tensors: Readonly<Record<string, Recorded>>;
}

export interface Comparison {
  readonly right: number;
  /** `name: float32[1,2], not float32[1,3]`. */
  readonly wrong: readonly string[];
  /** Names of tensors whose size stays open. */
  readonly unknown: readonly string[];
  /** Codes of the errors that a plan for these inputs would end with. */
  readonly errors: readonly string[];
}

/** The recordings of a corpus: file names without `.json`; a second run of a model ends with `.second`. */
export function recordings(corpus: string): readonly string[] {
  return readdirSync(join(corpus, 'data', 'truth'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** Binds the inputs as they were in the recorded run, infers, and compares every recorded tensor. */
export function compareWithTruth(corpus: string, recording: string): Comparison {
  const truth = truthOf(corpus, recording);
  const { graph } = readModel(join(corpus, 'data', 'models', `${recording.replace(/\.second$/, '')}.onnx`));
  const bindings = bindingsOf(truth, graph);
  const facts = factsByName(graph, bindings);
  const wrong: string[] = [];
  const unknown: string[] = [];
  let right = 0;
  for (const [name, [type, shape]] of Object.entries(truth.tensors)) {
    const fact = facts.get(name);
    const text = `${fact?.type}${formatShape(fact?.shape)}`;
    if (text === `${type}[${shape.join(',')}]`) right++;
    else if (fact?.shape?.every((dim) => typeof dim === 'number')) {
      wrong.push(`${name}: ${text}, not ${type}[${shape.join(',')}]`);
    } else unknown.push(name);
  }
  return { right, wrong, unknown, errors: errorsOf(graph, bindings) };
}

/** The input shapes of a recorded run; undefined when there is no recording of that name. */
export function recordedBindings(corpus: string, recording: string, graph: Graph): Bindings | undefined {
  return recordings(corpus).includes(recording) ? bindingsOf(truthOf(corpus, recording), graph) : undefined;
}

function truthOf(corpus: string, recording: string): Truth {
  return JSON.parse(readFileSync(join(corpus, 'data', 'truth', `${recording}.json`), 'utf8'));
}

/** Weights that an old file lists as inputs were recorded too. */
function bindingsOf(truth: Truth, graph: Graph): Bindings {
  const names = new Set(graph.inputs.map((tensor) => graph.tensors[tensor]!.name));
  const shapes = Object.entries(truth.inputs).filter(([name]) => names.has(name));
  return { ...NO_BINDINGS, inputShapes: new Map(shapes.map(([name, [, shape]]) => [name, shape])) };
}

function factsByName(graph: Graph, bindings: Bindings): ReadonlyMap<string, Fact | undefined> {
  const { facts } = inferShapes(graph, bindings, { allowOpen: true }).graph;
  return new Map(graph.tensors.map(({ name }, tensor) => [name, facts[tensor]]));
}

function errorsOf(graph: Graph, bindings: Bindings): readonly string[] {
  try {
    inferShapes(graph, bindings);
    return [];
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    return [...new Set(error.diagnostics.map(({ code }) => code))];
  }
}
