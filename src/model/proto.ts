/** The one import of onnx-proto: the messages of an ONNX file, as the package decodes them. */
import onnxProto, { type onnx } from 'onnx-proto';

const messages = onnxProto.onnx;

export type ModelProto = onnx.IModelProto;
export type GraphProto = onnx.IGraphProto;
export type NodeProto = onnx.INodeProto;
export type AttributeProto = onnx.IAttributeProto;
export type FunctionProto = onnx.IFunctionProto;
export type TensorProto = onnx.ITensorProto;
export type SparseTensorProto = onnx.ISparseTensorProto;
export type TypeProto = onnx.ITypeProto;
export type ValueInfoProto = onnx.IValueInfoProto;
export type TensorShapeProto = onnx.ITensorShapeProto;
export type OperatorSetId = onnx.IOperatorSetIdProto;
export type TensorAnnotation = onnx.ITensorAnnotation;

/** A 64-bit integer as protobufjs hands it over: a number, or two halves. */
export type Int64 = number | { readonly low: number; readonly high: number; readonly unsigned: boolean };

export function decodeModel(bytes: Uint8Array): ModelProto {
  return messages.ModelProto.decode(asBuffer(bytes));
}

export function decodeAttribute(bytes: Uint8Array): AttributeProto {
  return messages.AttributeProto.decode(asBuffer(bytes));
}

export function decodeValueInfo(bytes: Uint8Array): ValueInfoProto {
  return messages.ValueInfoProto.decode(asBuffer(bytes));
}

/** Of a Buffer, protobufjs leaves the reading of text to Node. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The exact value: a number up to 2^53, else a bigint. An unsigned field that wrapped stays unsigned. */
export function exact(value: Int64): number | bigint {
  if (typeof value === 'number') return value;
  const high = value.unsigned ? BigInt(value.high >>> 0) : BigInt(value.high);
  const whole = high * 0x1_0000_0000n + BigInt(value.low >>> 0);
  const small = Number(whole);
  return Number.isSafeInteger(small) ? small : whole;
}
