/** The local functions of a model: found by domain, name and overload; inlined by nodes.ts. */
import type { Faults } from './faults.ts';
import { domainOf, readOpsets } from './opsets.ts';
import {
  type AttributeProto,
  decodeAttribute,
  decodeValueInfo,
  type FunctionProto,
  type ValueInfoProto,
} from './proto.ts';
import type { FunctionExtras } from './wire.ts';

export interface LocalFunction {
  readonly key: string;
  /** How messages name it. */
  readonly title: string;
  readonly proto: FunctionProto;
  readonly opsets: ReadonlyMap<string, number>;
  readonly defaults: ReadonlyMap<string, AttributeProto>;
  readonly valueInfo: ReadonlyMap<string, ValueInfoProto>;
}

export type LocalFunctions = ReadonlyMap<string, LocalFunction>;

export function functionKey(domain: string, name: string, overload: string): string {
  return `${domain}\0${name}\0${overload}`;
}

/** How messages name a function. */
function titleOf(domain: string, name: string, overload: string): string {
  return `${domain}:${name}${overload === '' ? '' : `:${overload}`}`;
}

/** `extras` holds what onnx-proto drops of each function, in order. */
export function localFunctions(
  protos: readonly FunctionProto[],
  extras: readonly FunctionExtras[],
  faults: Faults,
): LocalFunctions {
  const functions = new Map<string, LocalFunction>();
  protos.forEach((proto, i) => {
    const { overload, defaults, valueInfo } = extras[i]!;
    const parts = [domainOf(proto.domain), proto.name ?? '', overload] as const;
    const key = functionKey(...parts);
    const title = titleOf(...parts);
    if (functions.has(key)) faults.add('E_DUPLICATE', `The function ${title} is defined twice.`);
    functions.set(key, {
      key,
      title,
      proto,
      opsets: readOpsets(proto.opsetImport ?? [], `The function ${title}`, faults),
      defaults: new Map(defaults.map(decodeAttribute).map((a) => [a.name ?? '', a])),
      valueInfo: new Map(valueInfo.map(decodeValueInfo).map((v) => [v.name ?? '', v])),
    });
  });
  return functions;
}
