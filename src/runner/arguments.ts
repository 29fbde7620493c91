/** Arguments of kernel calls: addresses, literals and tables. */
import { float, signed, unsigned } from '../emit/literals.ts';
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import type { Argument, Call, Operand, RunnerNode, Table } from './types.ts';

export const NULL: Argument = { kind: 'token', text: 'NULL' };

/** The address of a tensor, or a null pointer for one that is left out. */
export function address(operand: Operand | undefined, offset = 0): Argument {
  return operand === undefined ? NULL : { kind: 'tensor', tensor: operand.tensor, offset };
}

/** A count of elements or bytes. */
export function size(value: number): Argument {
  return { kind: 'token', text: unsigned(value) };
}

export function integer(value: number): Argument {
  return { kind: 'token', text: signed(value) };
}

export function real(value: number): Argument {
  return { kind: 'token', text: realText(value) };
}

/** A float literal; the header math.h names what is no finite number. */
export function realText(value: number): string {
  const near = Math.fround(value);
  if (Number.isNaN(near)) return 'NAN';
  if (!Number.isFinite(near)) return near < 0 ? '-INFINITY' : 'INFINITY';
  return Object.is(near, -0) ? '-0.0f' : float(near);
}

/** `family`: the source file that defines the kernel. */
export function call(family: string, kernel: string, ...args: readonly Argument[]): Call {
  return { family: `memplan_${family}.c`, kernel: `memplan_${kernel}`, arguments: args };
}

/** A call of a kernel that says whether it ran. */
export function answeringCall(family: string, kernel: string, ...args: readonly Argument[]): Call {
  return { ...call(family, kernel, ...args), answers: true };
}

/** A structure of the kernel interface. */
export function structure(type: string, fields: readonly (string | Table)[]): Table {
  return { kind: 'table', type: `memplan_${type}`, initialiser: fields };
}

/** An array of numbers. */
export function numbers(type: 'float' | 'int32_t' | 'uint8_t', values: readonly number[]): Table {
  const text = type === 'float' ? realText : (value: number) => signed(value);
  return { kind: 'table', type, elements: values.length, initialiser: values.map(text) };
}

/** `{1, 2, 3}` */
export function list(values: readonly number[]): string {
  return `{${values.map(signed).join(', ')}}`;
}

/** How kernel names end for an element type; undefined: no kernel has it. */
const SUFFIXES: Readonly<Partial<Record<ElementType, string>>> = {
  bool: 'bool',
  uint8: 'u8',
  int8: 's8',
  uint16: 'u16',
  int16: 's16',
  int32: 'i32',
  int64: 'i64',
  float32: 'f32',
};

/** The ending for one of the types that a kernel is there for. */
export function suffix(n: RunnerNode, operand: Operand, types: readonly ElementType[]): string {
  const ending = types.includes(operand.type) ? SUFFIXES[operand.type] : undefined;
  return ending ?? n.refuse(`for ${operand.type} (there is one for ${types.join(', ')})`);
}

/** Refuses whatever is not float32. */
export function onlyFloat(n: RunnerNode, ...operands: readonly (Operand | undefined)[]): void {
  for (const operand of operands) if (operand !== undefined) suffix(n, operand, ['float32']);
}

/** Bytes of one element of a kernel that moves elements. */
export function widthOf(n: RunnerNode, operand: Operand): number {
  const bits = ELEMENT_BITS[operand.type];
  return bits % 8 === 0 && bits > 0 ? bits / 8 : n.refuse(`for ${operand.type}`);
}
