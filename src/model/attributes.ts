/** AttributeProto to Attribute. */
import type { Attribute } from '../graph/types.ts';
import { constantOf, type TensorSource } from './constant.ts';
import { factOf } from './facts.ts';
import { type AttributeProto, exact } from './proto.ts';
import { sparseConstantOf } from './sparse.ts';

/** The numbers of AttributeProto.AttributeType. */
export const TYPE = {
  float: 1,
  int: 2,
  string: 3,
  tensor: 4,
  graph: 5,
  floats: 6,
  ints: 7,
  strings: 8,
  tensors: 9,
  graphs: 10,
  sparseTensor: 11,
  sparseTensors: 12,
  typeProto: 13,
  typeProtos: 14,
} as const;

/** The type of an attribute; files of IR version 1 do not say it, so there the field that is set tells. */
export function typeOf(proto: AttributeProto): number {
  if (proto.type) return proto.type;
  if (proto.t) return TYPE.tensor;
  if (proto.g) return TYPE.graph;
  if (proto.sparseTensor) return TYPE.sparseTensor;
  if (proto.tp) return TYPE.typeProto;
  if (proto.floats?.length) return TYPE.floats;
  if (proto.ints?.length) return TYPE.ints;
  if (proto.strings?.length) return TYPE.strings;
  if (proto.tensors?.length) return TYPE.tensors;
  if (proto.graphs?.length) return TYPE.graphs;
  if (Object.hasOwn(proto, 'f')) return TYPE.float;
  if (Object.hasOwn(proto, 'i')) return TYPE.int;
  return TYPE.string;
}

/**
 * The attribute as data. Undefined: a graph (a body, see build.ts), a list of tensors or types (no operator
 * whose outputs are tensors takes its shapes from one), or a fault. `where` names it in messages. A list of
 * numbers too long to decide a shape is a tensor.
 */
export function attributeOf(
  proto: AttributeProto,
  where: string,
  source: TensorSource,
): Attribute | undefined {
  switch (typeOf(proto)) {
    case TYPE.float:
      return { kind: 'float', value: proto.f ?? 0 };
    case TYPE.int:
      return { kind: 'int', value: exact(proto.i ?? 0) };
    case TYPE.string:
      return { kind: 'string', value: textOf(proto.s) };
    case TYPE.floats:
      return longList(proto, where, source) ?? { kind: 'floats', value: proto.floats ?? [] };
    case TYPE.ints:
      return longList(proto, where, source) ?? { kind: 'ints', value: (proto.ints ?? []).map(exact) };
    case TYPE.strings:
      return { kind: 'strings', value: (proto.strings ?? []).map(textOf) };
    case TYPE.tensor: {
      const value = proto.t ? constantOf(proto.t, where, source) : undefined;
      return value && { kind: 'tensor', value };
    }
    case TYPE.sparseTensor: {
      const value = proto.sparseTensor ? sparseConstantOf(proto.sparseTensor, where, source) : undefined;
      return value && { kind: 'tensor', value };
    }
    case TYPE.typeProto: {
      const value = factOf(proto.tp, where, source.faults);
      return value && { kind: 'type', value };
    }
    default:
      return undefined;
  }
}

/** A list that the walker left in the file. */
function longList(proto: AttributeProto, where: string, source: TensorSource): Attribute | undefined {
  const constant = proto.t ? constantOf(proto.t, where, source) : undefined;
  if (constant === undefined) return undefined;
  const value = constant.value();
  if (value === undefined) return { kind: 'tensor', value: constant };
  return constant.type === 'float32'
    ? { kind: 'floats', value: value as readonly number[] }
    : { kind: 'ints', value: value as readonly (number | bigint)[] };
}

const utf8 = new TextDecoder();

function textOf(bytes: Uint8Array | null | undefined): string {
  return bytes == null ? '' : utf8.decode(bytes);
}
