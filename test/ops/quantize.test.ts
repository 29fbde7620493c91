import { describe, expect, it } from 'vitest';
import { findRow } from '../../src/ops/registry.ts';
import { float, run, scalar, texts, typed, vector } from '../support/op.ts';

describe('QuantizeLinear', () => {
  it('has the type of the zero point, and hands on scale and zero point', () => {
    const inputs = [float('N', 3), scalar('float32', 0.5), scalar('int8', -3)];
    const [output] = run({ op: 'QuantizeLinear', inputs }).facts;
    expect(output).toMatchObject({ type: 'int8', quant: { scale: [0.5], zeroPoint: [-3], axis: null } });
    expect(texts({ op: 'QuantizeLinear', inputs })).toEqual(['int8[N,3]']);
  });

  it('is uint8 without a zero point, or what output_dtype says (21 is uint4)', () => {
    const inputs = [float(4), scalar('float32', 0.5)];
    expect(run({ op: 'QuantizeLinear', inputs }).facts[0]).toEqual({
      type: 'uint8',
      shape: [4],
      quant: { scale: [0.5], zeroPoint: [0], axis: null },
    });
    expect(texts({ op: 'QuantizeLinear', inputs, attributes: { output_dtype: 21 } })).toEqual(['uint4[4]']);
  });

  it('knows the axis of several scales', () => {
    const zero = vector('uint8', 1, 2);
    const scale = vector('float32', 0.5, 0.25);
    const [output] = run({
      op: 'QuantizeLinear',
      inputs: [float(3, 2), scale, zero],
      attributes: { axis: -1 },
    }).facts;
    expect(output?.quant).toEqual({ scale: [0.5, 0.25], zeroPoint: [1, 2], axis: 1 });
  });

  it('says nothing of blocks and of values that are not constant', () => {
    const blocks = { type: 'float32', shape: [2, 2], value: [1, 1, 1, 1] } as const;
    const attributes = { block_size: 2, axis: 1 };
    expect(
      run({ op: 'QuantizeLinear', inputs: [float(2, 4), blocks], attributes }).facts[0]?.quant,
    ).toBeUndefined();
    expect(run({ op: 'QuantizeLinear', inputs: [float(2, 4), float()] }).facts[0]?.quant).toBeUndefined();
  });

  it('refuses scales that are no numbers and zero points that do not match', () => {
    const broken = scalar('float32', Number.NaN);
    expect(() => run({ op: 'QuantizeLinear', inputs: [float(4), broken] })).toThrow(/NaN/);
    const inputs = [float(2), vector('float32', 1, 2), vector('int8', 0, 0, 0)];
    expect(() => run({ op: 'QuantizeLinear', inputs })).toThrow(/2 scales, but 3/);
  });
});

it('gives floats back in the type of the scale, or as output_dtype says (10 is float16)', () => {
  const inputs = [typed('int8', 2, 3), typed('bfloat16')];
  expect(texts({ op: 'DequantizeLinear', inputs })).toEqual(['bfloat16[2,3]']);
  expect(texts({ op: 'DequantizeLinear', inputs, attributes: { output_dtype: 10 } })).toEqual([
    'float16[2,3]',
  ]);
  expect(findRow('', 'DequantizeLinear')?.foldable).toBe(false);
  expect(findRow('com.microsoft', 'DequantizeLinear')?.foldable).toBe(false);
});

it('quantises at run time', () => {
  expect(texts({ op: 'DynamicQuantizeLinear', inputs: [float(2, 3)], outputs: 3 })).toEqual([
    'uint8[2,3]',
    'float32[]',
    'uint8[]',
  ]);
});

describe('integer convolutions', () => {
  const x = typed('uint8', 1, 3, 8, 8);
  const w = typed('int8', 4, 3, 3, 3);

  it('requantise to the type of the zero point', () => {
    const operands = [
      x,
      scalar('float32', 1),
      scalar('uint8', 0),
      w,
      scalar('float32', 1),
      scalar('int8', 0),
    ];
    const inputs = [...operands, scalar('float32', 0.125), scalar('int8', 5)];
    const [output] = run({
      op: 'QLinearConv',
      inputs,
      attributes: { strides: [2, 2], pads: [1, 1, 1, 1] },
    }).facts;
    expect(output).toEqual({
      type: 'int8',
      shape: [1, 4, 4, 4],
      quant: { scale: [0.125], zeroPoint: [5], axis: null },
    });
  });

  it('or give their accumulators', () => {
    expect(texts({ op: 'ConvInteger', inputs: [x, w] })).toEqual(['int32[1,4,6,6]']);
  });
});
