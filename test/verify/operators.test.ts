import { describe, expect, it } from 'vitest';
import { allRows } from '../../src/ops/registry.ts';
import { CUTS, MOVES_NOTHING, mayWriteInPlace, WALKS_ELEMENTS } from '../../src/verify/operators.ts';

/**
 * The checker keeps its own lists on purpose: a permission given in the table of operators by mistake must be given
 * a second time, by somebody who asks whether every element really depends on one element alone.
 */
describe('what the checker believes of operators', () => {
  const named = (rows: readonly { readonly op: string }[]): readonly string[] => rows.map(({ op }) => op);

  it('covers every in-place permission of the table', () => {
    const permitted = named(allRows().filter((row) => row.inPlace !== undefined));
    expect(permitted.length).toBeGreaterThan(50);
    expect(permitted.filter((op) => !WALKS_ELEMENTS.has(op))).toEqual([]);
  });

  it('covers every view of the table', () => {
    const views = named(allRows().filter((row) => row.views !== undefined || row.splits !== undefined));
    expect(views.length).toBeGreaterThan(5);
    expect(views.filter((op) => !MOVES_NOTHING.has(op) && !CUTS.has(op))).toEqual([]);
    expect(named(allRows().filter((row) => row.joins !== undefined))).toEqual(['Concat']);
  });

  it('holds nothing that the table does not', () => {
    const known = new Set(named(allRows()));
    expect([...WALKS_ELEMENTS, ...MOVES_NOTHING, ...CUTS].filter((op) => !known.has(op))).toEqual([]);
  });

  it.each([
    'Conv',
    'MatMul',
    'Gemm',
    'Softmax',
    'Transpose',
    'Concat',
    'MaxPool',
    'CumSum',
    'LayerNormalization',
  ])('never lets %s write over its operand', (op) => {
    expect(WALKS_ELEMENTS.has(op)).toBe(false);
  });

  it('lets a softmax write over its operand where the library reads a whole row first', () => {
    for (const op of ['Softmax', 'QLinearSoftmax']) {
      expect(['cmsis-nn', 'tflm', 'none'].map((kernels) => mayWriteInPlace(kernels, op))).toEqual([
        true,
        false,
        false,
      ]);
    }
    expect([mayWriteInPlace('none', 'Relu'), mayWriteInPlace('cmsis-nn', 'Conv')]).toEqual([true, false]);
  });
});
