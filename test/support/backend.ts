/** Runs inference over the official backend tests of ONNX, packed in the shared corpus, and compares its answers. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import onnxProto, { type onnx } from 'onnx-proto';
import { elementTypeOf } from '../../src/graph/data-types.ts';
import { formatShape } from '../../src/graph/dims.ts';
import { type ElementType, isFloat } from '../../src/graph/element-type.ts';
import type { Constant, Fact, Graph, Value } from '../../src/graph/types.ts';
import { readModel } from '../../src/model/read.ts';
import { decodeBytes } from '../../src/model/values.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';

/** Float operands up to this size may decide shapes (the scales of Resize): they become constants. */
const FEW_FLOATS = 16;

export type Verdict = 'exact' | 'wrong' | 'unknown';

export interface Compared {
  readonly verdict: Verdict;
  /** What differs, or why nothing is known. */
  readonly text: string;
}

/** Unpacks the tests into a folder that goes away with the process; names to folders, in alphabetical order. */
export function unpackBackend(corpus: string): ReadonlyMap<string, string> {
  const root = mkdtempSync(join(tmpdir(), 'memplan-backend-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  for (const archive of ['node', 'pytorch-and-simple']) {
    execFileSync('tar', ['xf', join(corpus, 'data', 'onnx-backend', `${archive}.tar.xz`), '-C', root]);
  }
  const tests: [string, string][] = [];
  for (const group of readdirSync(root).sort()) {
    for (const name of readdirSync(join(root, group)).sort()) tests.push([name, join(root, group, name)]);
  }
  return new Map(tests.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Infers one test and compares its outputs with the tensors that it expects; undefined when an output is not a tensor.
 * Integer inputs, and small ones of floats, become constants: they stand where a real model has some. What the file
 * declares about its outputs is hidden unless `declared`, so that it cannot stand in for a rule.
 */
export function compareBackend(folder: string, declared = false): Compared | undefined {
  const graph = withConstants(readModel(join(folder, 'model.onnx')).graph, folder);
  const outputs = graph.outputs.map((tensor) => graph.tensors[tensor]!);
  if (outputs.some(({ declared }) => declared?.container !== undefined)) return undefined;
  const hidden = graph.tensors.map((tensor, i) =>
    declared || graph.inputs.includes(i) ? tensor : { ...tensor, declared: undefined },
  );
  let facts: readonly (Fact | undefined)[];
  try {
    facts = inferShapes({ ...graph, tensors: hidden }, NO_BINDINGS, { allowOpen: true }).graph.facts;
  } catch (error) {
    return { verdict: 'unknown', text: (error as Error).message };
  }
  return worst(
    graph.outputs.map((tensor, i) => {
      const path = join(folder, 'test_data_set_0', `output_${i}.pb`);
      return existsSync(path) ? compare(facts[tensor], tensorAt(path)) : EXACT;
    }),
  );
}

const EXACT: Compared = { verdict: 'exact', text: '' };

function worst(all: readonly Compared[]): Compared {
  const by = (verdict: Verdict) => all.find((one) => one.verdict === verdict);
  return by('wrong') ?? by('unknown') ?? EXACT;
}

interface Expected {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly value: Value | undefined;
}

function compare(fact: Fact | undefined, expected: Expected): Compared {
  const wanted = `${expected.type}${formatShape(expected.shape)}`;
  const got = fact === undefined ? 'nothing' : `${fact.type}${formatShape(fact.shape)}`;
  if (got === wanted) return compareValue(fact!, expected);
  if (fact === undefined) return { verdict: 'unknown', text: `nothing, not ${wanted}` };
  const { shape } = fact;
  const open = shape === undefined || shape.some((dim) => typeof dim !== 'number');
  const agrees =
    fact.type === expected.type &&
    (shape === undefined ||
      (shape.length === expected.shape.length &&
        shape.every((dim, i) => typeof dim !== 'number' || dim === expected.shape[i])));
  return { verdict: open && agrees ? 'unknown' : 'wrong', text: `${got}, not ${wanted}` };
}

/** A folded value must be the one that came out of the reference. */
function compareValue(fact: Fact, expected: Expected): Compared {
  const { value } = fact;
  if (value === undefined || expected.value === undefined) return EXACT;
  const near = (a: Value[number], b: Value[number]) => {
    if (!isFloat(fact.type)) return a === b;
    const [x, y] = [Number(a), Number(b)];
    return Object.is(x, y) || x === y || Math.abs(x - y) <= 1e-3 * Math.max(1, Math.abs(y));
  };
  const at = value.findIndex((element, i) => !near(element, expected.value![i]!));
  if (at < 0) return EXACT;
  return {
    verdict: 'wrong',
    text: `element ${at} is ${String(value[at])}, not ${String(expected.value[at])}`,
  };
}

/** The graph with the inputs that may decide shapes turned into constants. */
function withConstants(graph: Graph, folder: string): Graph {
  const tensors = [...graph.tensors];
  const inputs: number[] = [];
  for (const [i, index] of graph.inputs.entries()) {
    const tensor = graph.tensors[index]!;
    const path = join(folder, 'test_data_set_0', `input_${i}.pb`);
    const isTensor = tensor.declared?.container === undefined && existsSync(path);
    const read = isTensor ? tensorAt(path) : undefined;
    if (read?.value === undefined || (isFloat(read.type) && read.value.length > FEW_FLOATS)) {
      inputs.push(index);
      continue;
    }
    const { type, shape, value } = read;
    const constant: Constant = { type, shape, place: undefined, value: () => value };
    tensors[index] = { ...tensor, role: 'weight', declared: undefined, constant };
  }
  return { ...graph, tensors, inputs };
}

function tensorAt(path: string): Expected {
  const proto = onnxProto.onnx.TensorProto.decode(readFileSync(path));
  const type = elementTypeOf(proto.dataType) ?? 'float32';
  const shape = proto.dims.map(Number);
  const count = shape.reduce((a, b) => a * b, 1);
  return { type, shape, value: elementsOf(proto, type, count) };
}

/** The tests keep numbers in raw_data; strings have no value here. */
function elementsOf(proto: onnx.TensorProto, type: ElementType, count: number): Value | undefined {
  if (count === 0) return [];
  return proto.rawData.length > 0 ? decodeBytes(type, proto.rawData, count) : undefined;
}
