/** --dim, --input-shape and --op-shape as the bindings of shape inference. */
import { fail } from '../errors.ts';
import type { DimRange } from '../graph/dim-range.ts';
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import type { Fact } from '../graph/types.ts';
import type { Bindings } from '../shape/types.ts';
import type { Faults } from './faults.ts';
import { parseCount, parseList, parsePair, parseShape } from './values.ts';

export interface BindingOptions {
  readonly dim?: readonly string[];
  readonly inputShape?: readonly string[];
  readonly opShape?: readonly string[];
  readonly maxSize?: readonly string[];
  readonly bucket?: readonly string[];
}

export function parseBindings(options: BindingOptions, found: Faults): Bindings {
  const given = parseEachOnce('--dim', options.dim, parseDim, found);
  const dims = new Map<string, number>();
  const ranges = new Map<string, DimRange>();
  for (const [name, size] of given) {
    if (typeof size === 'number') dims.set(name, size);
    else ranges.set(name, size);
  }
  const all = dims.get('*');
  dims.delete('*');
  return {
    ...{ dims, all, ranges },
    maxSizes: parseEachOnce('--max-size', options.maxSize, parseMaxSize, found),
    inputShapes: parseEachOnce('--input-shape', options.inputShape, parseInputShape, found),
    opShapes: parseEachOnce('--op-shape', options.opShape, parseOpShape, found),
  };
}

interface Binding<T> {
  readonly name: string;
  readonly value: T;
}

/** Every text by its name, which must not come twice. */
export function parseEachOnce<T>(
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

/** `batch=1`, or `seq=1..512`. Throws E_USAGE. */
export function parseDim(flag: string, text: string): Binding<number | DimRange> {
  const { name, value } = parsePair(flag, text, '=', 'batch=1');
  const ends = /^(.*)\.\.(.*)$/.exec(value);
  if (ends === null) return { name, value: parseCount(flag, value) };
  const [least, most] = [parseCount(flag, ends[1]!), parseCount(flag, ends[2]!)];
  if (least > most)
    fail('E_USAGE', `${flag} ${text}: ${least} is above ${most}`, { hint: `${name}=${most}..${least}` });
  if (name === '*')
    fail('E_USAGE', `${flag} ${text}: a range needs the name of its dimension`, { hint: '--dim seq=1..512' });
  return { name, value: { least, most } };
}

/** `seq=64,128,512`: each size once, ascending. Throws E_USAGE. */
export function parseBucket(flag: string, text: string): Binding<readonly number[]> {
  const { name, value } = parsePair(flag, text, '=', 'seq=64,128,512');
  const sizes = new Set(parseList(flag, value).map((size) => parseCount(flag, size, 1)));
  return { name, value: [...sizes].sort((a, b) => a - b) };
}

/** The buckets of every dimension, in the order in which they were named. */
export function parseBuckets(
  texts: readonly string[] | undefined,
  found: Faults,
): readonly { readonly name: string; readonly sizes: readonly number[] }[] {
  return [...parseEachOnce('--bucket', texts, parseBucket, found)].map(([name, sizes]) => ({ name, sizes }));
}

/** More than that hold no stream up. */
const MOST_PLACES = 16;

/** `input=2`: places of an input. Throws E_USAGE. */
export function parseBuffers(flag: string, text: string): Binding<number> {
  const { name, value } = parsePair(flag, text, '=', 'input=2');
  const places = parseCount(flag, value, 2);
  if (places <= MOST_PLACES) return { name, value: places };
  return fail('E_USAGE', `${flag} ${text}: at most ${MOST_PLACES} places`, { hint: `${flag} ${name}=2` });
}

/** `boxes=100`: elements. Throws E_USAGE. */
export function parseMaxSize(flag: string, text: string): Binding<number> {
  const { name, value } = parsePair(flag, text, '=', 'boxes=100');
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
