/**
 * Which fields of an ONNX file are kept, by message and field number (onnx.proto3 of ONNX 1.20).
 * What is not listed is skipped: documentation, metadata, training and device data decide no size.
 */

import { BYTES, FIXED32, FIXED64, VARINT } from './writer.ts';

export type Rule = (
  | { readonly kind: 'scalar' }
  /** A name. */
  | { readonly kind: 'name' }
  /** The text of an attribute: left out where it is too long to be one. */
  | { readonly kind: 'text' }
  | { readonly kind: 'message'; readonly message: Message }
  /** Dimensions of a tensor: one field each, or packed into one. */
  | { readonly kind: 'dims' }
  /** The numbers of an attribute: kept when few, else turned into a tensor whose data stays in the file. */
  | { readonly kind: 'numbers'; readonly encoding: Encoding }
  /** The data of a tensor: its place is noted, and it is kept where it is short. */
  | { readonly kind: 'data'; readonly encoding: Encoding }
  /** A field that onnx-proto does not know, set aside by name. */
  | { readonly kind: 'aside'; readonly name: Aside; readonly message?: Message }
) & {
  /** Bit n is set where wire type n is right. */
  readonly wires: number;
};

/** Wire types of the elements; raw: little-endian bytes of the tensor's own type. */
export type Encoding = 'raw' | 'varint' | 'fixed32' | 'fixed64';

export type Aside = 'nodeOverload' | 'functionOverload' | 'functionDefault' | 'functionValueInfo';

export interface Message {
  readonly name: string;
  /** About what an empty one takes in memory once it is decoded and, for a node, built. */
  readonly decodedBytes: number;
  readonly fields: (Rule | undefined)[];
}

const INT: Rule = { kind: 'scalar', wires: 1 << VARINT };
const NAME: Rule = { kind: 'name', wires: 1 << BYTES };
const TEXT: Rule = { kind: 'text', wires: 1 << BYTES };
const FLOAT: Rule = { kind: 'scalar', wires: 1 << FIXED32 };
const DIMS: Rule = { kind: 'dims', wires: (1 << BYTES) | (1 << VARINT) };
const INTS: Rule = { kind: 'numbers', encoding: 'varint', wires: (1 << BYTES) | (1 << VARINT) };
const FLOATS: Rule = { kind: 'numbers', encoding: 'fixed32', wires: (1 << BYTES) | (1 << FIXED32) };

const WIRE_OF = { raw: BYTES, varint: VARINT, fixed32: FIXED32, fixed64: FIXED64 } as const;

function message(name: string, fields: Readonly<Record<number, Rule>> = {}, decodedBytes = 64): Message {
  const made: Message = { name, decodedBytes, fields: [] };
  define(made, fields);
  return made;
}

function define(target: Message, fields: Readonly<Record<number, Rule>>): void {
  for (const [number, rule] of Object.entries(fields)) target.fields[Number(number)] = rule;
}

function of(inner: Message): Rule {
  return { kind: 'message', message: inner, wires: 1 << BYTES };
}

function data(encoding: Encoding): Rule {
  return { kind: 'data', encoding, wires: (1 << BYTES) | (1 << WIRE_OF[encoding]) };
}

function aside(name: Aside, inner?: Message): Rule {
  return { kind: 'aside', name, wires: 1 << BYTES, ...(inner === undefined ? {} : { message: inner }) };
}

const entry = message('entry', { 1: NAME, 2: NAME });
const opset = message('opset import', { 1: NAME, 2: INT });
const dimension = message('dimension', { 1: INT, 2: NAME });
const shape = message('shape', { 1: of(dimension) });
const tensorType = message('tensor type', { 1: INT, 2: of(shape) });

const type = message('type');
const listType = message('sequence type', { 1: of(type) });
const mapType = message('map type', { 1: INT, 2: of(type) });
define(type, { 1: of(tensorType), 4: of(listType), 5: of(mapType), 8: of(tensorType), 9: of(listType) });

const valueInfo = message('value info', { 1: NAME, 2: of(type) });

/** Field 3, `segment`, is nobody's: the walker writes the places of long data there. */
export const TENSOR = message(
  'tensor',
  {
    1: DIMS,
    2: INT,
    4: data('fixed32'),
    5: data('varint'),
    7: data('varint'),
    8: NAME,
    9: data('raw'),
    10: data('fixed64'),
    11: data('varint'),
    13: of(entry),
    14: INT,
  },
  384,
);

const sparseTensor = message('sparse tensor', { 1: of(TENSOR), 2: of(TENSOR), 3: DIMS });

const graph = message('graph', {}, 320);

export const ATTRIBUTE = message(
  'attribute',
  {
    1: NAME,
    2: FLOAT,
    3: INT,
    4: TEXT,
    5: of(TENSOR),
    6: of(graph),
    7: FLOATS,
    8: INTS,
    9: TEXT,
    10: of(TENSOR),
    11: of(graph),
    14: of(type),
    15: of(type),
    20: INT,
    21: NAME,
    22: of(sparseTensor),
    23: of(sparseTensor),
  },
  320,
);

export const NODE = message(
  'node',
  {
    1: NAME,
    2: NAME,
    3: NAME,
    4: NAME,
    5: of(ATTRIBUTE),
    7: NAME,
    8: aside('nodeOverload'),
  },
  1024,
);

const annotation = message('quantisation annotation', { 1: NAME, 2: of(entry) });

define(graph, {
  1: of(NODE),
  2: NAME,
  5: of(TENSOR),
  11: of(valueInfo),
  12: of(valueInfo),
  13: of(valueInfo),
  14: of(annotation),
  15: of(sparseTensor),
});

export const FUNCTION = message(
  'function',
  {
    1: NAME,
    4: NAME,
    5: NAME,
    6: NAME,
    7: of(NODE),
    9: of(opset),
    10: NAME,
    11: aside('functionDefault', ATTRIBUTE),
    12: aside('functionValueInfo', valueInfo),
    13: aside('functionOverload'),
  },
  256,
);

export const MODEL = message('model', {
  1: INT,
  2: NAME,
  3: NAME,
  4: NAME,
  5: INT,
  7: of(graph),
  8: of(opset),
  25: of(FUNCTION),
});
