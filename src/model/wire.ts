/**
 * Walks the protobuf wire format of an ONNX file and copies what decides sizes, without the weights.
 * Data stays in the file unless it is short; its place is noted. Fields that onnx-proto does not know are set aside.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import { fail } from '../errors.ts';
import { fieldReader, isPacked } from './fields.ts';
import {
  FIELD_DECODED_BYTES,
  KEPT_DATA_BYTES,
  KEPT_LIMITS,
  KEPT_LOOSE_ELEMENTS,
  type KeptLimits,
  MAX_DEPTH,
  MAX_NAME_BYTES,
  MAX_RANK,
  MAX_TEXT_BYTES,
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
const STRING = 3;

/** `name` is what messages call the file. Throws E_MODEL where the file breaks the format, E_TOO_LARGE past a limit. */
export function walk(source: Source, name: string, limits: KeptLimits = KEPT_LIMITS): Skeleton {
  const fields = fieldReader(source, name);
  const main = newWriter();
  let out = main;
  const payloads: Payload[] = [];
  const functions: { overload: string; defaults: Uint8Array[]; valueInfo: Uint8Array[] }[] = [];
  let decodedBytes = 0;
  let keptBytes = 0;

  function count(decoded: number, kept: number): void {
    decodedBytes += decoded;
    keptBytes += kept;
    if (decodedBytes > limits.decodedBytes || keptBytes > limits.keptBytes) {
      fail('E_TOO_LARGE', `${name} describes more nodes, tensors and names than memplan can hold in memory.`);
    }
  }

  function keep(field: number, wireType: number, bytes: number): void {
    count(0, bytes);
    out.tag(field, wireType);
    if (wireType === BYTES) out.varint(bytes);
    out.copy(source, bytes);
  }

  function leave(bytes: number): void {
    source.seek(source.position() + bytes);
  }

  /** A short field's content, valid until something else is read. */
  function content(bytes: number): Uint8Array {
    count(0, bytes);
    return source.view(bytes);
  }

  /** A name that is not UTF-8 is read byte for byte as Latin-1, so that different names stay different. */
  function keepName(field: number, bytes: number): void {
    if (bytes > MAX_NAME_BYTES) {
      const at = source.position();
      fail(
        'E_TOO_LARGE',
        `${name} has a name of ${bytes} bytes at byte ${at}; at most ${MAX_NAME_BYTES} make sense.`,
      );
    }
    const text = content(bytes);
    out.bytes(field, isUtf8(text) ? text : Buffer.from(Buffer.from(text).toString('latin1')));
  }

  /** Few numbers in one field, or one number in its own. */
  function keepNumbers(field: number, wireType: number, encoding: Encoding, bytes: number): void {
    if (wireType !== BYTES) {
      keep(field, wireType, bytes);
      return;
    }
    const at = source.position();
    const numbers = content(bytes);
    if (!isPacked(encoding, numbers)) fields.damaged('a list of numbers ends in the middle of one', at);
    out.bytes(field, numbers);
  }

  function keepDims(field: number, wireType: number, bytes: number): void {
    if (bytes > MAX_RANK * 10) {
      fields.damaged(`a tensor has more than ${MAX_RANK} dimensions`, source.position());
    }
    keepNumbers(field, wireType, 'varint', bytes);
  }

  function writeSegment(firstPayload: number): void {
    const token = out.open(3);
    out.number(1, firstPayload);
    out.number(2, payloads.length);
    out.close(token);
  }

  /** Data of a tensor: its place is noted, and it is kept where it is short. */
  function keepData(field: number, wireType: number, encoding: Encoding, bytes: number): void {
    if (wireType === BYTES) payloads.push({ encoding, offset: source.position(), bytes });
    if (bytes > KEPT_DATA_BYTES) leave(bytes);
    else keepNumbers(field, wireType, encoding, bytes);
  }

  /** A long list of numbers in an attribute becomes the attribute's tensor, whose data stays in the file. */
  function keepList(field: number, wireType: number, encoding: Encoding, bytes: number): void {
    if (bytes <= KEPT_DATA_BYTES) {
      keepNumbers(field, wireType, encoding, bytes);
      return;
    }
    payloads.push({ encoding, offset: source.position(), bytes });
    let count = Math.floor(bytes / 4);
    if (encoding === 'varint') {
      count = 0;
      for (let i = 0; i < bytes; i++) if (source.byte() < 0x80) count++;
    } else leave(bytes);
    const token = out.open(5);
    out.number(1, count);
    out.number(2, encoding === 'varint' ? INT64 : FLOAT32);
    writeSegment(payloads.length - 1);
    out.close(token);
  }

  function setAside(rule: Rule & { kind: 'aside' }, bytes: number, depth: number): void {
    if (rule.message === undefined) {
      if (bytes > MAX_NAME_BYTES) fields.damaged('an overload is too long', source.position());
      const overload = content(bytes);
      if (rule.name === 'functionOverload') functions.at(-1)!.overload = Buffer.from(overload).toString();
      else writeOverload(overload);
      return;
    }
    const outer = out;
    out = newWriter();
    copyMessage(rule.message, source.position() + bytes, depth + 1);
    const extras = functions.at(-1)!;
    (rule.name === 'functionDefault' ? extras.defaults : extras.valueInfo).push(out.finish().slice());
    out = outer;
  }

  function writeOverload(overload: Uint8Array): void {
    const token = out.open(5);
    out.bytes(1, Buffer.from(OVERLOAD_ATTRIBUTE));
    out.bytes(4, overload);
    out.number(20, STRING);
    out.close(token);
  }

  function copyField(field: number, wireType: number, rule: Rule, bytes: number, depth: number): void {
    switch (rule.kind) {
      case 'scalar':
        keep(field, wireType, bytes);
        break;
      case 'name':
        keepName(field, bytes);
        break;
      case 'text':
        if (bytes > MAX_TEXT_BYTES) leave(bytes);
        else keep(field, wireType, bytes);
        break;
      case 'dims':
        keepDims(field, wireType, bytes);
        break;
      case 'data':
        keepData(field, wireType, rule.encoding, bytes);
        break;
      case 'numbers':
        keepList(field, wireType, rule.encoding, bytes);
        break;
      case 'aside':
        setAside(rule, bytes, depth);
        break;
      case 'message': {
        const token = out.open(field);
        copyMessage(rule.message, source.position() + bytes, depth + 1);
        out.close(token);
        break;
      }
    }
  }

  function copyMessage(message: Message, end: number, depth: number): void {
    const start = source.position();
    count(message.decodedBytes, 0);
    if (depth > MAX_DEPTH) fields.damaged(`messages are nested more than ${MAX_DEPTH} deep`, start);
    if (message === FUNCTION) functions.push({ overload: '', defaults: [], valueInfo: [] });
    const firstPayload = payloads.length;
    let seen = 0;
    let loose = 0;
    for (let at = start; at < end; at = source.position()) {
      const tag = fields.tag(message.name, at, end);
      const field = tag >>> 3;
      const wireType = tag & 7;
      const bytes = fields.contentBytes(wireType, end);
      const rule = message.fields[field];
      if (rule === undefined) {
        leave(bytes);
        continue;
      }
      if ((rule.wires & (1 << wireType)) === 0) {
        fields.damaged(`field ${field} of a ${message.name} has the wrong wire type`, at);
      }
      if (message === MODEL && field === GRAPH_FIELD && seen & (1 << field)) {
        fields.damaged('there is a second graph', at);
      }
      seen |= 1 << field;
      count(FIELD_DECODED_BYTES, 0);
      if (rule.kind === 'data' && wireType !== BYTES && ++loose > KEPT_LOOSE_ELEMENTS) leave(bytes);
      else copyField(field, wireType, rule, bytes, depth);
    }
    if (message === TENSOR && payloads.length > firstPayload) writeSegment(firstPayload);
    if (message === NODE && !(seen & (1 << OP_TYPE_FIELD))) fields.damaged('a node has no operator', start);
  }

  copyMessage(MODEL, source.size, 0);
  return { bytes: main.finish(), payloads, functions };
}
