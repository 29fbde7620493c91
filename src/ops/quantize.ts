/**
 * From float to integers and back.
 *
 * QuantizeLinear: 10, 13 (axis), 19 (float8, saturate), 21 (blocks, output_dtype, 4 bits), 23 (precision), 24, 25
 * (2 bits).
 * DequantizeLinear: 10, 13, 19, 21, 23 (output_dtype), 24, 25.
 * DynamicQuantizeLinear: 11.
 */

import { quantised } from './quantization.ts';
import { fact } from './rules.ts';
import { typeAttribute } from './type-attribute.ts';
import type { OpRow, ShapeRule } from './types.ts';

/** The type comes from the zero point, else from output_dtype, else it is uint8. */
const quantize: ShapeRule = (c) => {
  const shape = c.input(0).shape;
  const output = quantised(c, shape, 1, c.int('axis', 1));
  const type = c.optional(2)?.type ?? typeAttribute(c, 'output_dtype', 'uint8');
  return [{ ...output, type }];
};

/** The type comes from output_dtype, else from the scale. */
const dequantize: ShapeRule = (c) => [
  fact(typeAttribute(c, 'output_dtype', c.input(1).type), c.input(0).shape),
];

const dynamicQuantize: ShapeRule = (c) => [
  fact('uint8', c.input(0).shape),
  fact('float32', []),
  fact('uint8', []),
];

const since: readonly number[] = [10, 13, 19, 21, 23, 24, 25];

export const rows: readonly OpRow[] = [
  { op: 'QuantizeLinear', since, inputs: [2, 3], outputs: [1, 1], shape: quantize },
  { op: 'DequantizeLinear', since, inputs: [2, 3], outputs: [1, 1], shape: dequantize, foldable: false },
  {
    op: 'QuantizeLinear',
    domain: 'com.microsoft',
    since: [1],
    inputs: [2, 3],
    outputs: [1, 1],
    shape: quantize,
  },
  {
    op: 'DequantizeLinear',
    domain: 'com.microsoft',
    since: [1],
    inputs: [2, 3],
    outputs: [1, 1],
    shape: dequantize,
    foldable: false,
  },
  { op: 'DynamicQuantizeLinear', since: [11], inputs: [1, 1], outputs: [3, 3], shape: dynamicQuantize },
];
