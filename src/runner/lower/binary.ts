/** Functions of two numbers or more, with broadcast. */

import type { ElementType } from '../../graph/element-type.ts';
import { address, call, real, size, suffix, widthOf } from '../arguments.ts';
import { broadcast, gridTable } from '../grid.ts';
import type { Call, Lowering, Lowerings, Operand, RunnerNode } from '../types.ts';

const NUMBERS: readonly ElementType[] = ['float32', 'int32', 'int64'];
const COMPARED: readonly ElementType[] = [...NUMBERS, 'uint8', 'int8'];
const FLOATS: readonly ElementType[] = ['float32'];

function pair(n: RunnerNode, family: string, kernel: string, a: Operand, b: Operand, y: Operand): Call {
  const grid = gridTable(n, broadcast(n, y, a, b));
  return call(family, kernel, address(a), address(b), address(y), grid);
}

function binary(kernel: string, types = NUMBERS): Lowering {
  return {
    inPlace: [0, 1],
    lower(n) {
      refuseOldBroadcast(n);
      const [a, b] = [n.input(0), n.input(1)];
      return [pair(n, 'binary', `${kernel}_${suffix(n, a, types)}`, a, b, n.output(0))];
    },
  };
}

/** Before opset 7 an attribute named the axis at which the second operand begins. */
function refuseOldBroadcast(n: RunnerNode): void {
  if (n.c.opset < 7 && n.c.has('axis')) n.refuse('for broadcasting from an axis (opset 6)');
}

function comparison(kernel: string): Lowering {
  return {
    inPlace: [0, 1],
    lower(n) {
      refuseOldBroadcast(n);
      const [a, b] = [n.input(0), n.input(1)];
      const types: readonly ElementType[] = kernel === 'equal' ? [...NUMBERS, 'bool'] : NUMBERS;
      return [pair(n, 'logic', `${kernel}_${suffix(n, a, types)}`, a, b, n.output(0))];
    },
  };
}

function logic(kernel: string): Lowering {
  return {
    inPlace: [0, 1],
    lower(n) {
      refuseOldBroadcast(n);
      return [pair(n, 'logic', `${kernel}_bool`, n.input(0), n.input(1), n.output(0))];
    },
  };
}

/** The first two operands give y, which then takes in the others one by one. */
function variadic(kernel: string, types = NUMBERS): Lowering {
  return {
    inPlace: [0, 1],
    lower(n) {
      const y = n.output(0);
      const operands = Array.from({ length: n.inputCount }, (_, i) => n.input(i));
      const name = `${kernel}_${suffix(n, y, types)}`;
      const [first, second, ...others] = operands;
      if (second === undefined) return same(n, first!, y);
      const add = (a: Operand, b: Operand) => pair(n, 'binary', name, a, b, y);
      return [add(first!, second), ...others.map((other) => add(y, other))];
    },
  };
}

function same(n: RunnerNode, x: Operand, y: Operand): readonly Call[] {
  if (n.coincide(y, x)) return [];
  return [call('copy', 'copy', address(x), address(y), size(y.count * widthOf(n, y)))];
}

function mean(n: RunnerNode): readonly Call[] {
  const sum = variadic('add', FLOATS).lower(n);
  if (n.inputCount === 1) return sum;
  const y = n.output(0);
  const share = real(1 / n.inputCount);
  return [...sum, call('math', 'scale_f32', address(y), address(y), size(y.count), share, real(0))];
}

function modulo(n: RunnerNode): readonly Call[] {
  const [a, b, y] = [n.input(0), n.input(1), n.output(0)];
  if (a.type === 'float32') return [pair(n, 'binary', 'fmod_f32', a, b, y)];
  if (n.c.int('fmod', 0) !== 0) n.refuse('for fmod of integers');
  return [pair(n, 'binary', `mod_${suffix(n, a, NUMBERS)}`, a, b, y)];
}

function power(n: RunnerNode): readonly Call[] {
  const b = n.input(1);
  suffix(n, b, FLOATS);
  return binary('pow', FLOATS).lower(n);
}

function where(n: RunnerNode): readonly Call[] {
  const [condition, a, b, y] = [n.input(0), n.input(1), n.input(2), n.output(0)];
  const grid = gridTable(n, broadcast(n, y, condition, a, b));
  return [
    call('logic', 'where', address(condition), address(a), address(b), address(y), size(widthOf(n, y)), grid),
  ];
}

export const lowerings: Lowerings = {
  Add: binary('add'),
  Sub: binary('sub'),
  Mul: binary('mul'),
  Div: binary('div'),
  Pow: { lower: power, inPlace: [0, 1] },
  Mod: { lower: modulo, inPlace: [0, 1] },
  PRelu: { ...binary('prelu', FLOATS), inPlace: [0] },
  Equal: comparison('equal'),
  Less: comparison('less'),
  LessOrEqual: comparison('less_or_equal'),
  Greater: comparison('greater'),
  GreaterOrEqual: comparison('greater_or_equal'),
  And: logic('and'),
  Or: logic('or'),
  Xor: logic('xor'),
  Sum: variadic('add', FLOATS),
  Max: variadic('max', COMPARED),
  Min: variadic('min', COMPARED),
  Mean: { lower: mean, inPlace: [0, 1] },
  Where: { lower: where, inPlace: [1, 2] },
};
