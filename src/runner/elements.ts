/** The elements of weights as C literals. */

import { signed } from '../emit/literals.ts';
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import { realText } from './arguments.ts';

const WIDTH = 100;

/** Reads the elements as numbers; undefined for types that lose something by it. */
export function elementReader(type: ElementType): ((bytes: Uint8Array) => readonly number[]) | undefined {
  const read = READERS[type];
  if (read === undefined) return undefined;
  const width = ELEMENT_BITS[type] / 8;
  return (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Array.from({ length: bytes.length / width }, (_, i) => read(view, i * width));
  };
}

const READERS: Readonly<Partial<Record<ElementType, (view: DataView, at: number) => number>>> = {
  int8: (view, at) => view.getInt8(at),
  uint8: (view, at) => view.getUint8(at),
  int16: (view, at) => view.getInt16(at, true),
  int32: (view, at) => view.getInt32(at, true),
  float32: (view, at) => view.getFloat32(at, true),
};

/** Literals of all elements, one after the other. Types that C lacks appear as their bits. */
export function literalsOf(type: ElementType, bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = Math.max(1, ELEMENT_BITS[type] / 8);
  const literal = literalAt(type);
  return Array.from({ length: Math.floor(bytes.length / width) }, (_, i) => literal(view, i * width));
}

function literalAt(type: ElementType): (view: DataView, at: number) => string {
  switch (type) {
    case 'float32':
      return (view, at) => realText(view.getFloat32(at, true));
    case 'int8':
      return (view, at) => String(view.getInt8(at));
    case 'int16':
      return (view, at) => String(view.getInt16(at, true));
    case 'int32':
      return (view, at) => signed(view.getInt32(at, true));
    case 'uint32':
      return (view, at) => `${view.getUint32(at, true)}u`;
    case 'int64':
      return (view, at) => wide(view.getBigInt64(at, true));
    case 'uint64':
      return (view, at) => `UINT64_C(${view.getBigUint64(at, true)})`;
    case 'float64':
      return (view, at) => double(view.getFloat64(at, true));
    default:
      return ELEMENT_BITS[type] === 16
        ? (view, at) => `${view.getUint16(at, true)}u`
        : (view, at) => `${view.getUint8(at)}u`;
  }
}

/** The smallest int64 has no literal of its own. */
function wide(value: bigint): string {
  return value === -(2n ** 63n) ? '(-INT64_C(9223372036854775807) - 1)' : `INT64_C(${value})`;
}

function double(value: number): string {
  if (Number.isNaN(value)) return 'NAN';
  if (!Number.isFinite(value)) return value < 0 ? '-INFINITY' : 'INFINITY';
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Joins literals to lines of about 100 characters. */
export function literalLines(literals: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const text of literals) {
    if (line !== '' && line.length + text.length + 2 > WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? `${text},` : ` ${text},`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
