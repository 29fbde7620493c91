// Writes models for the benchmarks, as protobuf by hand: onnx-proto would hold the weights in memory.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const text = new TextEncoder();

// Fields, each with its number in onnx.proto; messages are lists of fields.
function varint(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) + 0x80);
  return Buffer.from([...bytes, value]);
}

/** A whole number. */
export const int = (number, value) => Buffer.concat([varint(number * 8), varint(value)]);
/** What stands before `length` bytes of content. */
export const head = (number, length) => Buffer.concat([varint(number * 8 + 2), varint(length)]);
/** A message inside another. */
const message = (number, ...parts) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([head(number, content.length), content]);
};
export const string = (number, value) => message(number, text.encode(value));
/** A node of a graph. */
export const node = (op, inputs, output) =>
  message(1, ...inputs.map((name) => string(1, name)), string(2, output), string(4, op));
/** A float32 input (number 11) or output (12) of a graph. */
export const info = (number, name, dims) => {
  const shape = message(2, ...dims.map((dim) => message(1, int(1, dim))));
  return message(number, string(1, name), message(2, message(1, int(1, 1), shape)));
};
/** IR version 8, opset 17. */
export const PREFIX = Buffer.concat([int(1, 8), message(8, int(2, 17))]);

/** Alternating MatMul, Add with a skip connection, and Relu. */
export function chain(folder, nodes) {
  const parts = [];
  let at = 'x';
  let skip = 'x';
  for (let i = 0; i < nodes; i++) {
    const output = i === nodes - 1 ? 'y' : `t${i}`;
    if (i % 3 === 0) parts.push(node('MatMul', [at, 'w'], output));
    else if (i % 3 === 1) parts.push(node('Add', [at, skip], output));
    else parts.push(node('Relu', [at], output));
    if (i % 3 === 1) skip = output;
    at = output;
  }
  const weight = message(
    5,
    int(1, 16),
    int(1, 16),
    int(2, 1),
    string(8, 'w'),
    message(9, Buffer.alloc(1024)),
  );
  const graph = message(7, Buffer.concat(parts), weight, info(11, 'x', [1, 16]), info(12, 'y', [1, 16]));
  return write(folder, `${nodes} nodes`, Buffer.concat([PREFIX, graph]));
}

/** A file of `size` bytes that begins with `content`; what follows is a hole. */
export function write(folder, name, content, size = content.length) {
  const path = join(folder, `${name.replaceAll(' ', '-')}.onnx`);
  const handle = openSync(path, 'w');
  writeSync(handle, content);
  ftruncateSync(handle, size);
  closeSync(handle);
  return { name, path };
}
