/** Real models: what is read agrees with the list of the corpus, with a plain decode of the file, and with a run of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { formatShape } from '../../src/graph/dims.ts';
import { tensorBytes } from '../../src/graph/element-type.ts';
import type { Graph, Node } from '../../src/graph/types.ts';
import { readModel } from '../../src/model/read.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { faultsOf, namesOf, tensorOf } from '../support/read.ts';

const folder = corpus();
if (folder === undefined) console.log(`test/model/corpus.test.ts is skipped: ${CORPUS_MISSING}`);

interface Listed {
  readonly file: string;
  readonly opset: string;
  readonly ir: string;
  readonly inputs: string;
  readonly initializer_bytes: string;
  readonly traits: string;
}

function index(): Listed[] {
  if (folder === undefined) return [];
  const [head, ...rows] = readFileSync(join(folder, 'data', 'models', 'INDEX.tsv'), 'utf8')
    .trim()
    .split('\n');
  const columns = head!.split('\t');
  return rows.map(
    (row) => Object.fromEntries(row.split('\t').map((cell, i) => [columns[i], cell])) as unknown as Listed,
  );
}

const SHORT: Readonly<Record<string, string>> = {
  float32: 'f32',
  float16: 'f16',
  int64: 'i64',
  int32: 'i32',
  string: 'str',
};

/** As INDEX.tsv writes an input: `x:f32[N,3]`. */
function inputText(graph: Graph, tensor: number): string {
  const { name, declared } = graph.tensors[tensor]!;
  const { type, shape, container } = declared!;
  if (container === 'sparse') return `${name}:sparse`;
  const text = `${SHORT[type] ?? type}${formatShape(shape)}`.replace(`${name}[0] (-1)`, '-1');
  return `${name}:${container === 'sequence' ? `seq(${text})` : text}`;
}

const models = index().filter((m) => m.file !== 'winmltest_corrupt-model.onnx');

describe.skipIf(folder === undefined)('every model of the corpus', () => {
  test.each(models.map((m) => [m.file, m] as const))('%s', (file, listed) => {
    const path = join(folder!, 'data', 'models', file);
    const { graph, irVersion } = readModel(path);
    // The list cuts texts off after 300 characters.
    expect(
      graph.inputs
        .map((i) => inputText(graph, i))
        .join(' ')
        .slice(0, 300),
    ).toBe(listed.inputs);
    expect(String(irVersion)).toBe(listed.ir);
    for (const entry of listed.opset.split(',').filter((e) => e !== '')) {
      const [domain, version] = entry.split(':');
      expect(graph.opsets.get(domain === 'ai.onnx' ? '' : domain!)).toBe(Number(version));
    }

    const bytes = readFileSync(path);
    const plain = onnxProto.onnx.ModelProto.decode(bytes).graph!;
    for (const proto of plain.initializer ?? []) {
      const { constant } = tensorOf(graph, proto.name!);
      expect(constant!.shape).toEqual((proto.dims ?? []).map(Number));
      if (!proto.rawData?.length) continue;
      const { offset, bytes: length } = constant!.place!;
      expect(Buffer.compare(bytes.subarray(offset, offset + length), Buffer.from(proto.rawData))).toBe(0);
    }
    if (!/const_nodes|external_data/.test(listed.traits)) {
      const weights = graph.tensors.flatMap((t) => t.constant ?? []);
      const sizes = weights.map(
        (c) =>
          tensorBytes(
            c.type,
            c.shape.reduce((a, b) => a * b, 1),
          )!,
      );
      expect(String(sizes.reduce((a, b) => a + b, 0))).toBe(listed.initializer_bytes);
    }

    const ops = (plain.node ?? []).map((n) => n.opType!).filter((op) => op !== 'Constant');
    if (!listed.traits.includes('functions')) expect(graph.nodes.map((n) => n.op).sort()).toEqual(ops.sort());
    expect(namesOf(graph, graph.outputs)).toEqual((plain.output ?? []).map((o) => o.name));
    expectExecutable(graph);

    const truth = join(folder!, 'data', 'truth', file.replace('.onnx', '.json'));
    if (!existsSync(truth)) return;
    const known = new Set(graph.tensors.map((t) => t.name));
    const run = JSON.parse(readFileSync(truth, 'utf8')) as { tensors: Record<string, unknown> };
    expect(Object.keys(run.tensors).filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Every node reads only what stands before it; names and labels are unique. */
function expectExecutable(graph: Graph): void {
  const ready = new Set([
    ...graph.inputs,
    ...graph.tensors.flatMap((t, i) => (t.role === 'weight' ? [i] : [])),
  ]);
  const labels: string[] = [];
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      labels.push(node.label);
      for (const input of node.inputs) if (input !== undefined) expect(ready.has(input)).toBe(true);
      for (const body of node.bodies) {
        for (const input of body.inputs) ready.add(input);
        visit(body.nodes);
        for (const output of body.outputs) expect(ready.has(output)).toBe(true);
      }
      for (const output of node.outputs) if (output !== undefined) ready.add(output);
    }
  };
  visit(graph.nodes);
  for (const output of graph.outputs) expect(ready.has(output)).toBe(true);
  expect(new Set(labels).size).toBe(labels.length);
  expect(new Set(graph.tensors.map((t) => t.name)).size).toBe(graph.tensors.length);
}

describe.skipIf(folder === undefined)('cases', () => {
  const path = (name: string): string => join(folder!, 'data', 'cases', `${name}.onnx`);

  test.each<[string, string, string]>([
    ['broken_empty', 'E_NOT_ONNX', 'broken_empty.onnx'],
    ['broken_html', 'E_NOT_ONNX', 'broken_html.onnx'],
    ['broken_truncated', 'E_MODEL', 'broken_truncated.onnx'],
    ['cycle_invalid', 'E_CYCLE', 'add_a'],
    ['dangling_input_invalid', 'E_DANGLING', 'ghost'],
  ])('%s is refused', (name, code, mentions) => {
    const found = faultsOf(() => readModel(path(name)));
    expect(found.map((d) => d.code)).toEqual([code]);
    expect(found[0]!.text).toContain(mentions);
  });

  const REFUSED = /^(broken_|cycle_|dangling_)/;
  const names =
    folder === undefined ? [] : readdirSync(join(folder, 'data', 'cases')).filter((f) => f.endsWith('.onnx'));
  test.each(names.filter((f) => !REFUSED.test(f)))(
    '%s is read, with the hash and the weights it lists',
    (file) => {
      const facts = JSON.parse(
        readFileSync(path(file.replace('.onnx', '')).replace('.onnx', '.json'), 'utf8'),
      ) as {
        sha256: string;
        initializers: { name: string; bytes: number | null }[];
        nodes: { index: number; name: string; op: string; inputs: string[]; outputs: string[] }[];
      };
      const { graph, sha256 } = readModel(path(file.replace('.onnx', '')));
      expect(sha256).toBe(facts.sha256);
      for (const node of graph.nodes) {
        const listed = facts.nodes.find((n) => n.index === node.index)!;
        const name = (i: number | undefined): string => (i === undefined ? '' : graph.tensors[i]!.name);
        expect([node.name, node.op, node.inputs.map(name), node.outputs.map(name)]).toEqual([
          listed.name,
          listed.op,
          listed.inputs,
          listed.outputs,
        ]);
      }
      expectExecutable(graph);
    },
  );
});
