/**
 * Walks the protobuf wire format of an ONNX file and copies what decides sizes, without the weights.
 * Data stays in the file unless it is short; its place is noted. Fields that onnx-proto does not know are set aside.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import { fail } from '../errors.ts';
import { fieldReader, isWireType } from './fields.ts';
import {
  KEPT_DATA_BYTES,
  KEPT_LOOSE_ELEMENTS,
  MAX_DEPTH,
  MAX_FIELDS,
  MAX_KEPT_BYTES,
  MAX_NAME_BYTES,
  MAX_RANK,
} from './limits.ts';
import { type Encoding, FUNCTION, type Message, MODEL, NODE, type Rule, TENSOR } from './schema.ts';
import type { Source } from './source.ts';
import { BYTES, newWriter } from './writer.ts';

/** Where data lies in the file. */
export interface Payload {
  readonly encoding: Encoding;
  readonly offset: number;
  readonly bytes: number;
}

/** What onnx-proto drops of a local function. */
export interface FunctionExtras {
  readonly overload: string;
  /** Attributes with defaults, each an encoded AttributeProto. */
  readonly defaults: readonly Uint8Array[];
  /** Each an encoded ValueInfoProto. */
  readonly valueInfo: readonly Uint8Array[];
}

export interface Skeleton {
  /** An encoded ModelProto. A tensor names the payloads of its data in `segment`, as a range of indexes. */
  readonly bytes: Uint8Array;
  readonly payloads: readonly Payload[];
  /** One for each FunctionProto, in order. */
  readonly functions: readonly FunctionExtras[];
}

/** The attribute that carries a node's `overload`; no operator has an attribute of this name. */
export const OVERLOAD_ATTRIBUTE = '\0overload';

const OP_TYPE_FIELD = 4;
const GRAPH_FIELD = 7;
const INT64 = 7;
const FLOAT32 = 1;

/** `name` is what messages call the file. Throws E_MODEL where the file breaks the format, E_TOO_LARGE past a limit. */
export function walk(source: Source, name: string): Skeleton {
  const fields = fieldReader(source, name);
  const main = newWriter();
  let out = main;
  const payloads: Payload[] = [];
  const functions: { overload: string; defaults: Uint8Array[]; valueInfo: Uint8Array[] }[] = [];
  const scratch = Buffer.alloc(MAX_NAME_BYTES);
  let fieldCount = 0;

  function copyScalar(field: number, wireType: number, end: number): void {
    const bytes = fields.contentBytes(wireType, end);
    if (out.length() + bytes > MAX_KEPT_BYTES) {
      fail('E_TOO_LARGE', `${name} has more than ${MAX_KEPT_BYTES} bytes besides its weights.`);
    }
    out.tag(field, wireType);
    if (wireType === BYTES) out.varint(bytes);
    out.copy(source, bytes);
  }

  /** A name that is not UTF-8 is read byte for byte as Latin-1, so that different names stay different. */
  function copyText(field: number, end: number): void {
    const at = source.position();
    const bytes = fields.length(end);
    if (bytes > MAX_NAME_BYTES) {
      fail(
        'E_TOO_LARGE',
        `${name} has a name of ${bytes} bytes at byte ${at}; at most ${MAX_NAME_BYTES} make sense.`,
      );
    }
    const content = scratch.subarray(0, bytes);
    source.copy(content, 0, bytes);
    out.bytes(field, isUtf8(content) ? content : Buffer.from(content.toString('latin1')));
  }

  function copyDims(field: number, wireType: number, end: number): void {
    const at = source.position();
    if (wireType === BYTES && fields.length(end) > MAX_RANK * 10) {
      fields.damaged(`a tensor has more than ${MAX_RANK} dimensions`, at);
    }
    source.seek(at);
    copyScalar(field, wireType, end);
  }

  function writeSegment(firstPayload: number): void {
    const token = out.open(3);
    out.number(1, firstPayload);
    out.number(2, payloads.length);
    out.close(token);
  }

  /** Data of a tensor: its place is noted, and it is kept where it is short. */
  function copyData(field: number, wireType: number, encoding: Encoding, end: number): void {
    if (wireType === BYTES) {
      const from = source.position();
      const bytes = fields.length(end);
      payloads.push({ encoding, offset: source.position(), bytes });
      if (bytes > KEPT_DATA_BYTES) {
        source.seek(source.position() + bytes);
        return;
      }
      source.seek(from);
    }
    copyScalar(field, wireType, end);
  }

  /** Numbers of an attribute: a long list becomes the attribute's tensor, whose data stays in the file. */
  function copyNumbers(field: number, wireType: number, encoding: Encoding, end: number): void {
    const from = source.position();
    const bytes = wireType === BYTES ? fields.length(end) : 0;
    if (bytes > KEPT_DATA_BYTES) writeListAsTensor(encoding, bytes);
    else {
      source.seek(from);
      copyScalar(field, wireType, end);
    }
  }

  function writeListAsTensor(encoding: Encoding, bytes: number): void {
    payloads.push({ encoding, offset: source.position(), bytes });
    let count = bytes / 4;
    if (encoding === 'varint') {
      count = 0;
      for (let i = 0; i < bytes; i++) if (source.byte() < 0x80) count++;
    } else source.seek(source.position() + bytes);
    const token = out.open(5);
    out.number(1, Math.floor(count));
    out.number(2, encoding === 'varint' ? INT64 : FLOAT32);
    writeSegment(payloads.length - 1);
    out.close(token);
  }

  function readText(end: number): string {
    const bytes = new Uint8Array(fields.length(end));
    source.copy(bytes, 0, bytes.length);
    return new TextDecoder().decode(bytes);
  }

  function writeOverload(overload: string): void {
    const token = out.open(5);
    out.bytes(1, Buffer.from(OVERLOAD_ATTRIBUTE));
    out.bytes(4, Buffer.from(overload));
    out.number(20, 3);
    out.close(token);
  }

  function setAside(rule: Rule & { kind: 'aside' }, end: number, depth: number): void {
    if (rule.name === 'nodeOverload') {
      writeOverload(readText(end));
      return;
    }
    const extras = functions.at(-1)!;
    if (rule.message === undefined) {
      extras.overload = readText(end);
      return;
    }
    const outer = out;
    out = newWriter();
    const bytes = fields.length(end);
    copyMessage(rule.message, source.position() + bytes, depth + 1);
    (rule.name === 'functionDefault' ? extras.defaults : extras.valueInfo).push(out.finish());
    out = outer;
  }

  function copyField(field: number, wireType: number, rule: Rule, end: number, depth: number): void {
    switch (rule.kind) {
      case 'scalar':
        copyScalar(field, wireType, end);
        break;
      case 'text':
        copyText(field, end);
        break;
      case 'dims':
        copyDims(field, wireType, end);
        break;
      case 'message': {
        const bytes = fields.length(end);
        const token = out.open(field);
        copyMessage(rule.message, source.position() + bytes, depth + 1);
        out.close(token);
        break;
      }
      case 'data':
        copyData(field, wireType, rule.encoding, end);
        break;
      case 'numbers':
        copyNumbers(field, wireType, rule.encoding, end);
        break;
      case 'aside':
        setAside(rule, end, depth);
        break;
    }
  }

  function copyMessage(message: Message, end: number, depth: number): void {
    const start = source.position();
    if (depth > MAX_DEPTH) fields.damaged(`messages are nested more than ${MAX_DEPTH} deep`, start);
    if (message === FUNCTION) functions.push({ overload: '', defaults: [], valueInfo: [] });
    const firstPayload = payloads.length;
    let seen = 0;
    let loose = 0;

    while (source.position() < end) {
      const at = source.position();
      const tag = fields.varint(end);
      const field = Math.floor(tag / 8);
      const wireType = tag % 8;
      if (field === 0 || !isWireType(wireType)) {
        fields.damaged(`no field of a ${message.name} starts with the number ${tag}`, at);
      }
      if (++fieldCount > MAX_FIELDS) {
        fail('E_TOO_LARGE', `${name} has more than ${MAX_FIELDS} fields besides its weights.`);
      }
      const rule = message.fields[field];
      if (rule === undefined) {
        fields.skip(wireType, end);
        continue;
      }
      if ((rule.wires & (1 << wireType)) === 0) {
        fields.damaged(`field ${field} of a ${message.name} has the wrong wire type`, at);
      }
      if (message === MODEL && field === GRAPH_FIELD && (seen & (1 << field)) !== 0)
        fields.damaged('there is a second graph', at);
      seen |= 1 << field;
      if (rule.kind === 'data' && wireType !== BYTES && ++loose > KEPT_LOOSE_ELEMENTS)
        fields.skip(wireType, end);
      else copyField(field, wireType, rule, end, depth);
    }
    if (message === TENSOR && payloads.length > firstPayload) writeSegment(firstPayload);
    if (message === NODE && (seen & (1 << OP_TYPE_FIELD)) === 0)
      fields.damaged('a node has no operator', start);
  }

  copyMessage(MODEL, source.size, 0);
  return { bytes: main.finish(), payloads, functions };
}
