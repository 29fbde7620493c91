/** Reads an ONNX file: the first stage of the pipeline. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { fail } from '../errors.ts';
import { buildGraph } from './build.ts';
import { externalFiles } from './external.ts';
import { newFaults } from './faults.ts';
import { hashFile } from './hash.ts';
import { decodeModel, exact, type ModelProto } from './proto.ts';
import { describeForeign, SNIFFED_BYTES } from './sniff.ts';
import { openSource, readRange } from './source.ts';
import type { Model } from './types.ts';
import { type Skeleton, walk } from './wire.ts';

/**
 * Reads the model at `path`; the weights stay in the file. Throws E_FILE (missing, unreadable, a directory),
 * E_NOT_ONNX (something else; the message says what), E_MODEL (damaged), E_TOO_LARGE, E_TYPE, E_DUPLICATE,
 * E_DANGLING and E_CYCLE, with all faults of the graph together.
 */
export function readModel(path: string): Model {
  const file = basename(path);
  const { skeleton, sha256 } = readFile(path, file);
  const proto = decode(skeleton, file);
  const faults = newFaults();
  const external = externalFiles(path, faults);
  const graph = buildGraph(proto, skeleton.functions, { payloads: skeleton.payloads, external, faults });
  external.warn();
  faults.throwIfAny();
  return {
    name: file.replace(/\.[^.]*$/, '') || file,
    file,
    sha256,
    irVersion: Number(exact(proto.irVersion ?? 0)),
    producer: `${proto.producerName ?? ''} ${proto.producerVersion ?? ''}`.trim(),
    graph,
    diagnostics: faults.remarks(),
    externalFiles: external.names(),
  };
}

function readFile(path: string, name: string): { readonly skeleton: Skeleton; readonly sha256: string } {
  const handle = open(path);
  try {
    const stat = fstatSync(handle);
    if (stat.isDirectory()) {
      fail('E_FILE', `${path} is a directory, not a model file.`, { hint: 'Name the .onnx file in it.' });
    }
    const foreign = describeForeign(readRange(handle, 0, Math.min(SNIFFED_BYTES, stat.size)));
    if (foreign !== undefined)
      fail('E_NOT_ONNX', `${name} is ${foreign.what}.`, { hint: foreign.hint ?? ONNX_WANTED });
    return { skeleton: walk(openSource(handle, stat.size), name), sha256: hashFile(handle, stat.size) };
  } finally {
    closeSync(handle);
  }
}

const ONNX_WANTED = 'memplan reads ONNX models (.onnx).';

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return fail('E_FILE', `There is no file ${path}.`, { hint: 'Check the path of the model.' });
    }
    return fail('E_FILE', `${path} cannot be read (${code ?? String(error)}).`);
  }
}

function decode(skeleton: Skeleton, name: string): ModelProto {
  const proto = decodeModel(skeleton.bytes);
  if (proto.graph == null) {
    fail('E_NOT_ONNX', `${name} has no graph: it is not an ONNX model, or damaged.`, { hint: ONNX_WANTED });
  }
  return proto;
}
