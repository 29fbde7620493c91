import { describe, expect, it } from 'vitest';
import { allRows, findRow } from '../../src/ops/registry.ts';

const rows = allRows().map((row) => ({ name: `${row.domain ?? 'ai.onnx'}:${row.op}`, row }));

it('has one row per operator', () => {
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  expect(rows.length).toBeGreaterThan(270);
});

describe('every row', () => {
  it.each(rows)('$name is sound', ({ row }) => {
    expect(findRow(row.domain ?? '', row.op)).toBe(row);
    expect(row.since.length).toBeGreaterThan(0);
    expect(row.since).toEqual([...new Set(row.since)].sort((a, b) => a - b));
    if (row.until !== undefined) expect(row.until).toBeGreaterThan(row.since.at(-1)!);
    for (const [least, most] of [row.inputs, row.outputs]) expect(least).toBeLessThanOrEqual(most);
    for (const operand of row.inPlace ?? []) expect(operand).toBeLessThan(row.inputs[1]);
  });
});
