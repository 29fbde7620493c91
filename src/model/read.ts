/** Reads an ONNX file: the first stage of the pipeline. */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fail, MemplanError } from '../errors.ts';
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
  const { proto, skeleton, sha256 } = readFile(path, file);
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

interface FileContent {
  readonly proto: ModelProto;
  readonly skeleton: Skeleton;
  readonly sha256: string;
}

function readFile(path: string, name: string): FileContent {
  const handle = open(path);
  try {
    const { size } = fstatSync(handle);
    const skeleton = walkOrExplain(handle, size, name);
    const proto = decodeModel(skeleton.bytes);
    const { graph } = proto;
    if (graph == null || (!graph.node?.length && !graph.output?.length)) {
      refuseForeign(handle, size, name);
      const text = `${name} has no graph with nodes or outputs: it is no ONNX model, or it is damaged.`;
      fail('E_NOT_ONNX', text, { hint: ONNX_WANTED });
    }
    return { proto, skeleton, sha256: hashFile(handle, size) };
  } finally {
    closeSync(handle);
  }
}

/** A file that breaks the format is perhaps no ONNX model at all: then that is the better message. */
function walkOrExplain(handle: number, size: number, name: string): Skeleton {
  try {
    return walk(openSource(handle, size), name);
  } catch (error) {
    if (error instanceof MemplanError && error.code === 'E_MODEL') refuseForeign(handle, size, name);
    throw error;
  }
}

function refuseForeign(handle: number, size: number, name: string): void {
  const foreign = describeForeign(readRange(handle, 0, Math.min(SNIFFED_BYTES, size)));
  if (foreign === undefined) return;
  fail('E_NOT_ONNX', `${name} is ${foreign.what}.`, { hint: foreign.hint ?? ONNX_WANTED });
}

const ONNX_WANTED = 'memplan reads ONNX models (.onnx).';

/** Looks before it opens: opening a pipe would wait for its writer. */
function open(path: string): number {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) {
      fail('E_FILE', `${path} is a directory, not a model file.`, { hint: 'Name the .onnx file in it.' });
    }
    if (!stat.isFile()) {
      fail('E_FILE', `${path} is not a regular file.`, { hint: 'Save the model to a file first.' });
    }
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof MemplanError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return fail('E_FILE', `There is no file ${path}.`, { hint: 'Check the path of the model.' });
    }
    return fail('E_FILE', `${path} cannot be read (${code ?? String(error)}).`);
  }
}
