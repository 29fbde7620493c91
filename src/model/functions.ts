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
  readonly proto: FunctionProto;
  readonly opsets: ReadonlyMap<string, number>;
  readonly defaults: ReadonlyMap<string, AttributeProto>;
  readonly valueInfo: ReadonlyMap<string, ValueInfoProto>;
}

export type LocalFunctions = ReadonlyMap<string, LocalFunction>;

/** How messages and the call stack name a function. */
export function functionKey(domain: string, name: string, overload: string): string {
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
    const key = functionKey(domainOf(proto.domain), proto.name ?? '', overload);
    if (functions.has(key)) faults.add('E_DUPLICATE', `The function ${key} is defined twice.`);
    functions.set(key, {
      key,
      proto,
      opsets: readOpsets(proto.opsetImport ?? [], `The function ${key}`, faults),
      defaults: new Map(defaults.map(decodeAttribute).map((a) => [a.name ?? '', a])),
      valueInfo: new Map(valueInfo.map(decodeValueInfo).map((v) => [v.name ?? '', v])),
    });
  });
  return functions;
}
