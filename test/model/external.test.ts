/** Weights in files of their own. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { expect, test } from 'vitest';
import { readModel } from '../../src/model/read.ts';
import { model, rawBytes, tempFolder, tensor } from '../support/onnx.ts';
import { faultsOf, tensorOf } from '../support/read.ts';

function outside(entries: Record<string, string>, shape = [3]): onnx.ITensorProto {
  const externalData = Object.entries(entries).map(([key, value]) => ({ key, value }));
  return { ...tensor('int64', shape), dataLocation: 1, externalData };
}

/** A folder with a model and the files given beside it; returns the path of the model. */
function place(
  initializers: Record<string, onnx.ITensorProto>,
  files: Record<string, Uint8Array> = {},
): string {
  const folder = tempFolder();
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  const path = join(folder, 'm.onnx');
  writeFileSync(path, model({ outputs: Object.keys(initializers), initializers }));
  return path;
}

const VALUES = rawBytes('int64', [99, 7, 8, 9]);

test('elements are read from offset and length, relative to the folder of the model', () => {
  const path = place(
    {
      a: outside({ location: 'sub/data.bin', offset: '8', length: '24' }),
      b: outside({ location: 'sub\\data.bin', offset: '8' }),
      c: outside({ location: './sub/../other.bin' }, [4]),
    },
    { 'sub/data.bin': VALUES, 'other.bin': VALUES },
  );
  const { graph, externalFiles, diagnostics } = readModel(path);
  expect(tensorOf(graph, 'a').constant).toMatchObject({
    place: { file: 'sub/data.bin', offset: 8, bytes: 24 },
  });
  expect(['a', 'b', 'c'].map((name) => tensorOf(graph, name).constant!.value())).toEqual([
    [7, 8, 9],
    [7, 8, 9],
    [99, 7, 8, 9],
  ]);
  expect(externalFiles).toEqual(['other.bin', 'sub/data.bin']);
  expect(diagnostics).toEqual([]);
});

test('a model reached through a symbolic link has its data beside the link', () => {
  const target = place({ a: outside({ location: 'data.bin', offset: '8' }) });
  const folder = tempFolder();
  symlinkSync(target, join(folder, 'link.onnx'));
  writeFileSync(join(folder, 'data.bin'), VALUES);
  expect(tensorOf(readModel(join(folder, 'link.onnx')).graph, 'a').constant!.value()).toEqual([7, 8, 9]);
});

test('strings in a file of their own are not read', () => {
  const strings = { ...outside({ location: 'd.bin', length: '32' }, [2]), dataType: 8 };
  const { constant } = tensorOf(readModel(place({ a: strings }, { 'd.bin': VALUES })).graph, 'a');
  expect(constant).toMatchObject({ type: 'string', shape: [2], place: { file: 'd.bin', bytes: 32 } });
  expect(constant!.value()).toBeUndefined();
});

test('a missing file is one warning however many weights it has, and no elements', () => {
  const path = place({
    a: outside({ location: 'gone.bin' }),
    b: outside({ location: 'gone.bin', offset: '24' }),
    c: outside({ location: 'gone too.bin' }),
  });
  const { graph, diagnostics } = readModel(path);
  expect(diagnostics.map((d) => [d.kind, d.code, d.text])).toEqual([
    [
      'warning',
      'W_EXTERNAL_DATA',
      'The file gone too.bin with the weight c is missing; only sizes are known.',
    ],
    ['warning', 'W_EXTERNAL_DATA', 'The file gone.bin with 2 weights is missing; only sizes are known.'],
  ]);
  expect(tensorOf(graph, 'a').constant).toMatchObject({ type: 'int64', shape: [3] });
  expect(tensorOf(graph, 'a').constant!.value()).toBeUndefined();
});

test('a short file is a warning with both sizes', () => {
  const path = place(
    { a: outside({ location: 'd.bin' }), b: outside({ location: 'd.bin', offset: '24' }) },
    { 'd.bin': VALUES },
  );
  const { graph, diagnostics } = readModel(path);
  expect(diagnostics.map((d) => d.text)).toEqual([
    'The file d.bin has 32 bytes, but the weight b ends at byte 48.',
  ]);
  expect(tensorOf(graph, 'a').constant!.value()).toEqual([99, 7, 8]);
  expect(tensorOf(graph, 'b').constant!.value()).toBeUndefined();
});

test.each(['../data.bin', 'sub/../../data.bin', '/etc/passwd', '..', '..\\data.bin', 'C:\\data.bin', 'a\0b'])(
  'a path that leaves the folder is refused: %s',
  (location) => {
    const found = faultsOf(() => readModel(place({ a: outside({ location }) })));
    expect(found.map((d) => [d.code, d.tensor])).toEqual([['E_MODEL', 'a']]);
    expect(found[0]!.text).toContain("outside the model's folder");
  },
);

test.each<[string, Record<string, string>, RegExp]>([
  ['no location', { offset: '0' }, /cannot be understood: offset=0/],
  ['nothing', {}, /cannot be understood: nothing/],
  [
    'an offset that is no number',
    { location: 'd', offset: '-8' },
    /cannot be understood: location=d, offset=-8/,
  ],
  ['a length that is no number', { location: 'd', length: '1e9' }, /cannot be understood/],
  [
    'a length that does not fit',
    { location: 'd', length: '25' },
    /needs 24 bytes, but its external data has 25/,
  ],
])('refused: %s', (_, entries, text) => {
  const found = faultsOf(() => readModel(place({ a: outside(entries) })));
  expect(found.map((d) => d.code)).toEqual(['E_MODEL']);
  expect(found[0]!.text).toMatch(text);
});
