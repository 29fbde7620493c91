/** Files that are no models: each is told what it is. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../src/model/read.ts';
import { concat, field, model, node, tempFolder, varint, writeTemp } from '../support/onnx.ts';
import { faultsOf } from '../support/read.ts';

const SMALL = model({ inputs: { x: ['float32', [1]] }, outputs: ['y'], nodes: [node('Relu', ['x'], ['y'])] });

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

test.each<[string, Uint8Array | string, RegExp]>([
  ['empty', '', /is empty/],
  ['64 zero bytes', new Uint8Array(64), /full of zero bytes/],
  ['a web page', '<!DOCTYPE html><html><head></head></html>', /web page/],
  ['a web page after a byte order mark', '\ufeff\n<html>', /web page/],
  ['XML', '<?xml version="1.0"?><net/>', /web page or XML/],
  [
    'a Git LFS pointer',
    'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 26454\n',
    /Git LFS pointer/,
  ],
  ['TFLite', latin1('\x1c\0\0\0TFL3\x14\0\x20\0'), /TensorFlow Lite/],
  ['ORT format', latin1('\x1c\0\0\0ORTM\x14\0\x20\0'), /ONNX Runtime format/],
  ['gzip', gzipSync(SMALL), /gzip/],
  ['zip', latin1('PK\x03\x04\x14\0\0\0archive/data.pkl'), /zip archive/],
  ['a pickle', latin1('\x80\x02}q\0X'), /pickle/],
  ['HDF5', latin1('\x89HDF\r\n\x1a\n\0\0'), /HDF5/],
  ['NumPy', latin1("\x93NUMPY\x01\0v\0{'descr'"), /NumPy/],
  ['safetensors', latin1('\x40\0\0\0\0\0\0\0{"w":{"dtype":"F32"'), /safetensors/],
  ['GGUF', latin1('GGUF\x03\0\0\0'), /GGUF/],
  ['ELF', latin1('\x7fELF\x02\x01\x01'), /ELF/],
  ['JSON', '{"format": "graph-model"}', /JSON/],
  ['the text form', 'ir_version: 8\ngraph {\n}', /text form/],
  ['text', 'Not found\r\n', /text, not a model; it starts with "Not found"/],
])('%s', (_, bytes, text) => {
  const found = faultsOf(() => readModel(writeTemp(bytes, 'thing.onnx')));
  expect(found.map((d) => d.code)).toEqual(['E_NOT_ONNX']);
  expect(found[0]!.text).toMatch(text);
  expect(found[0]!.text).toMatch(/^thing\.onnx is /);
  expect(found[0]!.hint).not.toBeNull();
});

test('a tar archive', () => {
  const bytes = new Uint8Array(1024);
  bytes.set(latin1('model.onnx'), 0);
  bytes.set(latin1('ustar'), 257);
  expect(faultsOf(() => readModel(writeTemp(bytes)))[0]!.text).toMatch(/tar archive/);
});

describe('protobuf that is no model', () => {
  test.each<[string, Uint8Array]>([
    ['a tensor (.pb)', concat([varint(8), varint(3), varint(16), varint(1), field(9, new Uint8Array(12))])],
    ['a message of unknown fields', concat([field(100, new Uint8Array(10)), field(101, new Uint8Array(3))])],
    [
      'a graph with neither nodes nor outputs',
      concat([varint(8), varint(8), field(7, field(2, latin1('g')))]),
    ],
  ])('%s', (_, bytes) => {
    const { code } = faultsOf(() => readModel(writeTemp(bytes)))[0]!;
    expect(['E_NOT_ONNX', 'E_MODEL']).toContain(code);
  });
});

test('a model whose first bytes look like another format is a model', () => {
  // ir_version 8, then producer_name "TFL3": bytes 4 to 7 are the mark of TensorFlow Lite.
  const bytes = concat([varint(8), varint(8), field(2, latin1('TFL3')), SMALL.subarray(2)]);
  expect(Buffer.from(bytes.subarray(4, 8)).toString()).toBe('TFL3');
  expect(readModel(writeTemp(bytes)).graph.nodes).toHaveLength(1);
});

describe('paths', () => {
  test('a missing file, a path through a file, and a directory', () => {
    const folder = tempFolder();
    const file = writeTemp(SMALL, 'there.onnx');
    for (const [path, text] of [
      [join(folder, 'gone.onnx'), /There is no file .*gone\.onnx/],
      [join(file, 'below.onnx'), /There is no file/],
      [folder, /is a directory/],
    ] as const) {
      const found = faultsOf(() => readModel(path));
      expect(found.map((d) => d.code)).toEqual(['E_FILE']);
      expect(found[0]!.text).toMatch(text);
    }
  });

  test.skipIf(process.platform === 'win32')('a pipe is refused at once instead of waited for', () => {
    const pipe = join(tempFolder(), 'model.onnx');
    execFileSync('mkfifo', [pipe]);
    expect(faultsOf(() => readModel(pipe))[0]!.text).toMatch(/is not a regular file/);
  });

  test.each([
    ['model.onnx', 'model'],
    ['a.b.onnx', 'a.b'],
    ['noextension', 'noextension'],
    ['.hidden', '.hidden'],
  ])('the name of %s is %s', (file, name) => {
    expect(readModel(writeTemp(SMALL, file))).toMatchObject({ file, name });
  });
});
