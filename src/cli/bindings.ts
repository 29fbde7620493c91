/** --dim, --input-shape and --op-shape as the bindings of shape inference. */
import { fail } from '../errors.ts';
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import type { Fact } from '../graph/types.ts';
import type { Bindings } from '../shape/types.ts';
import type { Faults } from './faults.ts';
import { parseCount, parseList, parsePair, parseShape } from './values.ts';

export interface BindingOptions {
  readonly dim?: readonly string[];
  readonly inputShape?: readonly string[];
  readonly opShape?: readonly string[];
}

export function parseBindings(options: BindingOptions, found: Faults): Bindings {
  const dims = readAll('--dim', options.dim, parseDim, found);
  const all = dims.get('*');
  dims.delete('*');
  return {
    dims,
    all,
    inputShapes: readAll('--input-shape', options.inputShape, parseInputShape, found),
    opShapes: readAll('--op-shape', options.opShape, parseOpShape, found),
  };
}

interface Binding<T> {
  readonly name: string;
  readonly value: T;
}

/** Every text by its name, which must not come twice. */
function readAll<T>(
  flag: string,
  texts: readonly string[] | undefined,
  parse: (flag: string, text: string) => Binding<T>,
  found: Faults,
): Map<string, T> {
  const read = new Map<string, T>();
  for (const text of texts ?? []) {
    found.attempt(() => {
      const { name, value } = parse(flag, text);
      if (read.has(name)) fail('E_USAGE', `${flag}: "${name}" is given twice`);
      read.set(name, value);
    }, undefined);
  }
  return read;
}

/** `batch=1`. Throws E_USAGE, and E_NOT_BUILT for a range. */
export function parseDim(flag: string, text: string): Binding<number> {
  const { name, value } = parsePair(flag, text, '=', 'batch=1');
  if (/^\d+\.\.\d+$/.test(value)) {
    fail('E_NOT_BUILT', `--dim ${text}: ranges are understood, but not built yet`, {
      hint: `--dim ${name}=${value.split('..')[1]} plans for the largest size`,
    });
  }
  return { name, value: parseCount(flag, value) };
}

/** `x:1,3,224,224`. Throws E_USAGE. */
export function parseInputShape(flag: string, text: string): Binding<readonly number[]> {
  const { name, value } = parsePair(flag, text, ':', 'x:1,3,224,224');
  return { name, value: parseShape(flag, value) };
}

const OP_SHAPE_EXAMPLE = 'node:float32,1,8,8';

/** `node:float32,1,8,8`, with `/` between several outputs. Throws E_USAGE. */
export function parseOpShape(flag: string, text: string): Binding<readonly Fact[]> {
  const { name, value } = parsePair(flag, text, ':', OP_SHAPE_EXAMPLE);
  return { name, value: value.split('/').map((fact) => parseFact(flag, fact)) };
}

/** `float32,1,8,8`: an element type, then the sizes; the type alone is a scalar. */
function parseFact(flag: string, text: string): Fact {
  const [type = '', ...sizes] = parseList(flag, text);
  if (!Object.hasOwn(ELEMENT_BITS, type)) {
    fail('E_USAGE', `${flag}: "${type}" is no element type`, { hint: `--op-shape ${OP_SHAPE_EXAMPLE}` });
  }
  return { type: type as ElementType, shape: parseShape(flag, sizes.join(',')) };
}
