/** Makes ONNX files for tests: a few words per model, encoded with onnx-proto, newer fields written by hand. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import onnxProto, { type onnx } from 'onnx-proto';
import { numberOfType } from '../../src/graph/data-types.ts';
import type { ElementType } from '../../src/graph/element-type.ts';

const { ModelProto, GraphProto, FunctionProto, AttributeProto, NodeProto } = onnxProto.onnx;

/** A number, a name, or null for a dimension that the file leaves open without a name. */
export type DimSpec = number | string | null;
/** undefined instead of the shape: not even the rank is declared. */
export type TensorSpec = readonly [type: ElementType, shape?: readonly DimSpec[] | undefined];

export interface GraphSpec {
  /** By name; an array of pairs where a name must be odd or repeated. */
  readonly inputs?: Named<TensorSpec | onnx.ITypeProto>;
  /** Names alone leave the outputs undeclared. */
  readonly outputs?: Named<TensorSpec | onnx.ITypeProto> | readonly string[];
  readonly nodes?: readonly onnx.INodeProto[];
  readonly initializers?: Named<onnx.ITensorProto>;
  readonly sparseInitializers?: readonly onnx.ISparseTensorProto[];
  readonly valueInfo?: Named<TensorSpec | onnx.ITypeProto>;
  readonly quantization?: readonly onnx.ITensorAnnotation[];
  readonly name?: string;
}

type Named<T> = Readonly<Record<string, T>> | readonly (readonly [string, T])[];

export interface FunctionSpec {
  readonly name: string;
  readonly domain?: string;
  readonly overload?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly onnx.INodeProto[];
  /** Names of attributes without a default. */
  readonly attributes?: readonly string[];
  /** Attributes with a default. */
  readonly defaults?: Readonly<Record<string, AttributeSpec>>;
  readonly opset?: Opset;
}

type Opset = number | Readonly<Record<string, number>>;

export interface ModelSpec extends GraphSpec {
  /** Version of ai.onnx, or versions by domain; null writes no import at all. */
  readonly opset?: Opset | null;
  readonly ir?: number;
  readonly functions?: readonly FunctionSpec[];
}

export type AttributeSpec =
  | number
  | string
  | readonly number[]
  | readonly string[]
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly tensor: onnx.ITensorProto }
  | { readonly sparse: onnx.ISparseTensorProto }
  | { readonly graph: GraphSpec }
  | { readonly type: onnx.ITypeProto }
  /** A reference to an attribute of the function that the node stands in; its type is TYPE, e.g. 2 for an int. */
  | { readonly ref: string; readonly as: number };

/** A float attribute: `1` alone would be an int. */
export const float = (value: number): AttributeSpec => ({ float: value });
export const floats = (...values: number[]): AttributeSpec => ({ floats: values });
export const ref = (name: string, as: number): AttributeSpec => ({ ref: name, as });
export const graph = (spec: GraphSpec): AttributeSpec => ({ graph: spec });

/** A node; an empty string among inputs or outputs is an omitted one. */
export function node(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, AttributeSpec>> = {},
  more: { readonly name?: string; readonly domain?: string; readonly overload?: string } = {},
): onnx.INodeProto {
  const proto: onnx.INodeProto = {
    opType: op,
    input: [...inputs],
    output: [...outputs],
    attribute: Object.entries(attributes).map(([name, value]) => attributeProto(name, value)),
    ...(more.name === undefined ? {} : { name: more.name }),
    ...(more.domain === undefined ? {} : { domain: more.domain }),
  };
  if (more.overload !== undefined) overloads.set(proto, more.overload);
  return proto;
}

/** A field that onnx-proto cannot encode: nodes of the top graph and of functions may have one, not those of bodies. */
const overloads = new WeakMap<onnx.INodeProto, string>();

/** A tensor message: values go to raw_data; without values it has no data at all. */
export function tensor(
  type: ElementType,
  shape: readonly number[],
  values?: readonly number[],
): onnx.ITensorProto {
  const proto: onnx.ITensorProto = { dataType: numberOfType(type), dims: [...shape] };
  return values === undefined ? proto : { ...proto, rawData: rawBytes(type, values) };
}

/** Little-endian bytes of the common types. */
export function rawBytes(type: ElementType, values: readonly number[]): Uint8Array {
  const arrays = {
    float32: Float32Array,
    float64: Float64Array,
    int8: Int8Array,
    uint8: Uint8Array,
    bool: Uint8Array,
    int16: Int16Array,
    uint16: Uint16Array,
    int32: Int32Array,
    uint32: Uint32Array,
  } as const;
  if (type === 'int64') return new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  const make = arrays[type as keyof typeof arrays];
  if (make === undefined) throw new Error(`no raw bytes for ${type}: set rawData by hand`);
  return new Uint8Array(make.from(values).buffer);
}

/** The bytes of an ONNX file. Defaults: opset 17, IR version 8. */
export function model(spec: ModelSpec): Uint8Array {
  const known = ModelProto.encode({
    ...(spec.ir === undefined ? { irVersion: 8 } : { irVersion: spec.ir }),
    producerName: 'test',
    opsetImport: spec.opset === null ? [] : opsetImports(spec.opset ?? 17),
  }).finish();
  const { nodes = [], ...rest } = spec;
  const graphBytes = concat([
    GraphProto.encode(graphProto(rest)).finish(),
    ...nodes.map((n) => field(1, nodeBytes(n))),
  ]);
  const functions = (spec.functions ?? []).map((f) => field(25, functionBytes(f)));
  return concat([known, field(7, graphBytes), ...functions]);
}

let folder: string | undefined;

/** The folder of this test process, gone when it ends. */
function root(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'memplan-test-'));
    folder = made;
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  return folder;
}

/** A new empty folder, gone when the test process ends. */
export function tempFolder(): string {
  return mkdtempSync(join(root(), 'folder-'));
}

/** Writes a file into a folder that is gone when the test process ends; returns the path. */
export function writeTemp(bytes: Uint8Array | string, name = 'model.onnx'): string {
  const path = join(root(), name);
  writeFileSync(path, bytes);
  return path;
}

/** A length-delimited protobuf field. */
export function field(number: number, content: Uint8Array): Uint8Array {
  return concat([varint(number * 8 + 2), varint(content.length), content]);
}

export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Uint8Array.from([...bytes, rest]);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function typeProto(spec: TensorSpec | onnx.ITypeProto): onnx.ITypeProto {
  if (!Array.isArray(spec)) return spec as onnx.ITypeProto;
  const [type, shape] = spec as TensorSpec;
  const elemType = numberOfType(type);
  if (shape === undefined) return { tensorType: { elemType } };
  const dim = shape.map((d) => (d === null ? {} : typeof d === 'string' ? { dimParam: d } : { dimValue: d }));
  return { tensorType: { elemType, shape: { dim } } };
}

export function graphProto(spec: GraphSpec): onnx.IGraphProto {
  const infos = (named: Named<TensorSpec | onnx.ITypeProto> | undefined): onnx.IValueInfoProto[] =>
    pairs(named ?? {}).map(([name, type]) => ({ name, type: typeProto(type) }));
  const outputs = spec.outputs ?? [];
  return {
    name: spec.name ?? 'g',
    input: infos(spec.inputs),
    output: isNames(outputs) ? outputs.map((name) => ({ name })) : infos(outputs),
    valueInfo: infos(spec.valueInfo),
    initializer: pairs(spec.initializers ?? {}).map(([name, proto]) => ({ ...proto, name })),
    sparseInitializer: [...(spec.sparseInitializers ?? [])],
    quantizationAnnotation: [...(spec.quantization ?? [])],
    node: [...(spec.nodes ?? [])],
  };
}

function isNames(outputs: NonNullable<GraphSpec['outputs']>): outputs is readonly string[] {
  return Array.isArray(outputs) && outputs.every((o) => typeof o === 'string');
}

function pairs<T>(named: Named<T>): readonly (readonly [string, T])[] {
  return Array.isArray(named)
    ? (named as readonly (readonly [string, T])[])
    : Object.entries(named as Record<string, T>);
}

function opsetImports(opset: Opset): onnx.IOperatorSetIdProto[] {
  const versions = typeof opset === 'number' ? { '': opset } : opset;
  return Object.entries(versions).map(([domain, version]) => ({ domain, version }));
}

function nodeBytes(proto: onnx.INodeProto): Uint8Array {
  const known = NodeProto.encode(proto).finish();
  const overload = overloads.get(proto);
  return overload === undefined ? known : concat([known, field(8, new TextEncoder().encode(overload))]);
}

function functionBytes(spec: FunctionSpec): Uint8Array {
  const known = FunctionProto.encode({
    name: spec.name,
    domain: spec.domain ?? 'local',
    input: [...spec.inputs],
    output: [...spec.outputs],
    attribute: [...(spec.attributes ?? [])],
    opsetImport: opsetImports(spec.opset ?? 17),
  }).finish();
  const text = new TextEncoder();
  const defaults = Object.entries(spec.defaults ?? {}).map(([name, value]) =>
    field(11, AttributeProto.encode(attributeProto(name, value)).finish()),
  );
  const overload = spec.overload === undefined ? [] : [field(13, text.encode(spec.overload))];
  return concat([known, ...spec.nodes.map((n) => field(7, nodeBytes(n))), ...defaults, ...overload]);
}

function attributeProto(name: string, spec: AttributeSpec): onnx.IAttributeProto {
  if (typeof spec === 'number') return { name, type: 2, i: spec };
  if (typeof spec === 'string') return { name, type: 3, s: new TextEncoder().encode(spec) };
  if (Array.isArray(spec)) {
    const list = spec as readonly (number | string)[];
    if (list.length > 0 && typeof list[0] === 'string') {
      return { name, type: 8, strings: list.map((s) => new TextEncoder().encode(String(s))) };
    }
    return { name, type: 7, ints: list.map(Number) };
  }
  const made = spec as Exclude<AttributeSpec, number | string | readonly number[] | readonly string[]>;
  if ('float' in made) return { name, type: 1, f: made.float };
  if ('floats' in made) return { name, type: 6, floats: [...made.floats] };
  if ('tensor' in made) return { name, type: 4, t: made.tensor };
  if ('sparse' in made) return { name, type: 11, sparseTensor: made.sparse };
  if ('graph' in made) return { name, type: 5, g: graphProto(made.graph) };
  if ('type' in made) return { name, type: 13, tp: made.type };
  return { name, type: made.as, refAttrName: made.ref };
}
