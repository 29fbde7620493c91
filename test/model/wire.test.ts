/** The walker: what it keeps, what it refuses, and that nothing a file says can hang or crash it. */
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { readModel } from '../../src/model/read.ts';
import { openSource } from '../../src/model/source.ts';
import { walk } from '../../src/model/wire.ts';
import { concat, field, graph, model, node, tensor, varint, writeTemp } from '../support/onnx.ts';
import { faultsOf, tensorOf } from '../support/read.ts';

const text = (s: string): Uint8Array => new TextEncoder().encode(s);
const RELU = concat([field(1, text('x')), field(2, text('y')), field(4, text('Relu'))]);
const ENDS = concat([field(11, field(1, text('x'))), field(12, field(1, text('y')))]);

/** A model around the bytes of a graph. */
function around(graphBytes: Uint8Array, ...more: Uint8Array[]): Uint8Array {
  const opset = field(8, concat([varint(16), varint(17)]));
  return concat([varint(8), varint(8), opset, field(7, graphBytes), ...more]);
}

function codes(bytes: Uint8Array): string[] {
  return faultsOf(() => readModel(writeTemp(bytes))).map((d) => d.code);
}

/** A small model with something of everything. */
const RICH = model({
  inputs: { c: ['bool', []], x: ['float32', ['N', 4]] },
  outputs: { y: ['float32', ['N', 4]] },
  initializers: { w: tensor('float32', [4], [1, 2, 3, 4]) },
  opset: { '': 17, local: 1 },
  functions: [
    {
      name: 'F',
      inputs: ['a'],
      outputs: ['b'],
      defaults: { k: 3 },
      overload: 'o',
      nodes: [node('Relu', ['a'], ['b'])],
    },
  ],
  nodes: [
    node('F', ['x'], ['m'], {}, { domain: 'local', overload: 'o', name: 'call' }),
    node('If', ['c'], ['y'], {
      then_branch: graph({ outputs: ['o'], nodes: [node('Add', ['m', 'w'], ['o'])] }),
      else_branch: graph({ outputs: ['o'], nodes: [node('Transpose', ['m'], ['o'], { perm: [0, 1] })] }),
    }),
  ],
});

describe('what breaks the format is refused', () => {
  test('the file cut off at every byte', () => {
    expect(readModel(writeTemp(RICH)).graph.nodes.map((n) => n.op)).toEqual(['Relu', 'If']);
    for (let bytes = 0; bytes < RICH.length; bytes++) {
      const path = writeTemp(RICH.subarray(0, bytes), 'cut.onnx');
      try {
        const { graph: read } = readModel(path);
        // The functions come last: without the one that is called, the model is another, whole one.
        expect(read.nodes.map((n) => n.op)).toEqual(['F', 'If']);
      } catch (error) {
        expect(error).toBeInstanceOf(MemplanError);
        expect(['E_MODEL', 'E_NOT_ONNX']).toContain((error as MemplanError).code);
      }
    }
  });

  test('a truncated file says so', () => {
    const said = faultsOf(() => readModel(writeTemp(RICH.subarray(0, 100), 'cut.onnx')))[0]!.text;
    expect(said).toMatch(
      /^cut\.onnx is truncated or damaged: a field at byte \d+ needs \d+ more bytes, but the file has \d+\.$/,
    );
  });

  test.each<[string, Uint8Array]>([
    [
      'a length past its message',
      around(concat([field(1, RELU), Uint8Array.from([0x12, 5, 65])]), field(2, text('later'))),
    ],
    ['a number of eleven bytes', around(concat([varint(8), new Uint8Array(10).fill(0xff), varint(0), ENDS]))],
    ['a group', around(concat([field(1, RELU), Uint8Array.from([0x0b]), ENDS]))],
    ['wire type 7', around(concat([Uint8Array.from([0x0f, 1]), ENDS]))],
    ['field number 0', around(concat([Uint8Array.from([0x02, 0]), ENDS]))],
    ['a name that is a number', around(concat([varint(2 * 8), varint(1), ENDS]))],
    ['a second graph', around(concat([field(1, RELU), ENDS]), field(7, ENDS))],
    ['a node without an operator', around(concat([field(1, field(1, text('x'))), ENDS]))],
    [
      'dimensions that end in a number',
      around(concat([field(5, concat([field(1, Uint8Array.from([0x80])), field(8, text('w'))])), ENDS])),
    ],
    [
      'floats that end in one',
      around(concat([field(5, concat([field(4, new Uint8Array(5)), field(8, text('w'))])), ENDS])),
    ],
    [
      '641 bytes of dimensions',
      around(concat([field(5, concat([field(1, new Uint8Array(641)), field(8, text('w'))])), ENDS])),
    ],
  ])('%s', (_, bytes) => {
    expect(codes(bytes)).toEqual(['E_MODEL']);
  });

  test.each<[string, (inner: Uint8Array) => Uint8Array, (inner: Uint8Array) => Uint8Array]>([
    ['types', (t) => field(4, field(1, t)), (t) => field(11, concat([field(1, text('x')), field(2, t)]))],
    ['bodies', (g) => field(1, concat([field(4, text('If')), field(5, field(6, g))])), (g) => g],
  ])('nesting without end: %s', (_, deeper, graphOf) => {
    let inner: Uint8Array = new Uint8Array(0);
    for (let i = 0; i < 1000; i++) inner = deeper(inner);
    const found = faultsOf(() => readModel(writeTemp(around(concat([graphOf(inner), ENDS])))));
    expect(found[0]!.text).toMatch(/nested more than 100 deep/);
  });

  test('a name of a megabyte', () => {
    const long = new Uint8Array(1 << 20).fill(65);
    expect(codes(around(concat([field(1, concat([RELU, field(3, long)])), ENDS])))).toEqual(['E_TOO_LARGE']);
  });

  // The real limits are a thousand times these; empty messages take two bytes in a file and hundreds in memory.
  const LIMITS = { decodedBytes: 1_280_000, keptBytes: 256_000 };
  test.each<[string, number, (count: number) => Uint8Array]>([
    ['initializers', 384 + 64, (count) => around(repeat(Uint8Array.from([0x2a, 0]), count))],
    ['value_info', 64 + 64, (count) => around(repeat(Uint8Array.from([0x6a, 0]), count))],
    [
      'inputs of a node',
      64,
      (count) => around(field(1, concat([field(4, text('X')), repeat(Uint8Array.from([0x0a, 0]), count)]))),
    ],
  ])('more than fits into memory: empty %s', (_, bytes, make) => {
    const most = Math.floor(LIMITS.decodedBytes / bytes);
    expect(walked(make(most - 100)).length).toBeGreaterThan(most);
    expect(faultsOf(() => walked(make(most + 100))).map((d) => d.code)).toEqual(['E_TOO_LARGE']);
  });

  test('more than fits into memory: texts', () => {
    const texts = (count: number) =>
      around(field(1, concat([RELU, field(5, repeat(field(9, new Uint8Array(60_000)), count))])));
    expect(walked(texts(4)).length).toBeGreaterThan(240_000);
    expect(faultsOf(() => walked(texts(6))).map((d) => d.code)).toEqual(['E_TOO_LARGE']);
  });

  function walked(bytes: Uint8Array): Uint8Array {
    const file = openSync(writeTemp(bytes, 'walked.onnx'), 'r');
    try {
      return walk(openSource(file, bytes.length), 'walked.onnx', LIMITS).bytes;
    } finally {
      closeSync(file);
    }
  }

  test('a million empty nodes', () => {
    expect(codes(around(repeat(Uint8Array.from([0x0a, 0]), 1_000_000)))).toEqual(['E_MODEL']);
  });
});

function repeat(bytes: Uint8Array, times: number): Uint8Array {
  return Buffer.alloc(bytes.length * times, bytes);
}

describe('what is not needed is passed over', () => {
  test('unknown fields of every wire type, documentation, training and metadata', () => {
    const unknown = concat([
      concat([varint(90 * 8), varint(300)]),
      concat([varint(91 * 8 + 1), new Uint8Array(8)]),
      field(92, text('anything')),
      concat([varint(93 * 8 + 5), new Uint8Array(4)]),
    ]);
    const nodeBytes = concat([RELU, unknown, field(6, text('doc')), field(9, field(1, text('k')))]);
    const bytes = around(
      concat([unknown, field(1, nodeBytes), ENDS]),
      field(6, text('doc')),
      field(20, text('\0')),
      unknown,
    );
    expect(readModel(writeTemp(bytes)).graph.nodes.map((n) => n.op)).toEqual(['Relu']);
  });

  test('an attribute with a text too long to be one', () => {
    const blob = concat([
      field(1, text('blob')),
      field(4, new Uint8Array(70_000)),
      varint(20 * 8),
      varint(3),
    ]);
    const bytes = around(concat([field(1, concat([RELU, field(5, blob)])), ENDS]));
    expect(readModel(writeTemp(bytes)).graph.nodes[0]!.attributes.get('blob')).toEqual({
      kind: 'string',
      value: '',
    });
  });

  test('real segments of a tensor do not pass for places of its data', () => {
    const segment = field(3, concat([varint(8), varint(0), varint(16), varint(1)]));
    const w = concat([varint(8), varint(1), varint(16), varint(7), segment, field(8, text('w'))]);
    const other = concat([
      varint(8),
      varint(1),
      varint(16),
      varint(7),
      field(9, Uint8Array.from([5, 0, 0, 0, 0, 0, 0, 0])),
      field(8, text('v')),
    ]);
    const { graph: read } = readModel(
      writeTemp(around(concat([field(5, other), field(5, w), field(1, RELU), ENDS]))),
    );
    expect(tensorOf(read, 'v').constant!.value()).toEqual([5]);
    expect(tensorOf(read, 'w').constant).toMatchObject({ shape: [1], place: undefined });
    expect(tensorOf(read, 'w').constant!.value()).toBeUndefined();
  });
});

test('names that are no UTF-8 are told apart', () => {
  const [a, b] = [Uint8Array.from([0xb0, 0xa1]), Uint8Array.from([0xb0, 0xa2])];
  const relu = (from: Uint8Array, to: Uint8Array) =>
    field(1, concat([field(1, from), field(2, to), field(4, text('Relu'))]));
  const bytes = around(concat([relu(text('x'), a), relu(a, b), relu(b, text('y')), ENDS]));
  const { graph: read } = readModel(writeTemp(bytes));
  expect(read.nodes.map((n) => read.tensors[n.outputs[0]!]!.name)).toEqual([
    '\u00b0\u00a1',
    '\u00b0\u00a2',
    'y',
  ]);
});

describe('large files', () => {
  /** A file whose weight is a hole of `bytes` zero bytes; the file system stores nothing of it. */
  function sparseFile(bytes: number): string {
    const w = concat([
      varint(8),
      varint(bytes / 4),
      varint(16),
      varint(1),
      field(8, text('w')),
      varint(9 * 8 + 2),
      varint(bytes),
    ]);
    const rest = concat([field(1, RELU), ENDS]);
    const graphBytes = concat([rest, varint(5 * 8 + 2), varint(w.length + bytes), w]);
    const head = concat([
      varint(8),
      varint(8),
      varint(7 * 8 + 2),
      varint(graphBytes.length + bytes),
      graphBytes,
    ]);
    const path = writeTemp(head, `large-${bytes}.onnx`);
    const file = openSync(path, 'r+');
    ftruncateSync(file, head.length + bytes);
    closeSync(file);
    return path;
  }

  test('three gigabytes of weights: sizes beyond 32 bits, and nothing is read', () => {
    const bytes = 3 * 2 ** 30;
    const { graph: read, sha256 } = readModel(sparseFile(bytes));
    expect(tensorOf(read, 'w').constant).toMatchObject({ shape: [bytes / 4], place: { file: null, bytes } });
    expect(sha256).toMatch(/^sampled-[0-9a-f]{64}$/);
  });

  test('the hash of a large file depends on size, head and tail', () => {
    const path = sparseFile(300 * 2 ** 20);
    const first = readModel(path).sha256;
    expect(readModel(path).sha256).toBe(first);
    expect(readModel(sparseFile(300 * 2 ** 20 + 4)).sha256).not.toBe(first);
    const file = openSync(path, 'r+');
    writeSync(file, Uint8Array.from([1]), 0, 1, 300 * 2 ** 20);
    closeSync(file);
    expect(readModel(path).sha256).not.toBe(first);
  });
});

test('the hash of a file is that of its bytes', () => {
  expect(readModel(writeTemp(RICH)).sha256).toBe(createHash('sha256').update(RICH).digest('hex'));
});
