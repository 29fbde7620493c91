import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  ceilDiv,
  type Dim,
  floorDiv,
  formatDim,
  formatShape,
  max,
  min,
  mod,
  mul,
  product,
  sameDim,
  sub,
  substitute,
  symbol,
  symbolsOf,
} from '../../src/graph/dims.ts';

const seq = symbol('seq');
const n = symbol('N');

describe('canonical text', () => {
  const cases: readonly [Dim, string][] = [
    [seq, 'seq'],
    [add(mul(seq, 2), 1), '2*seq + 1'],
    [add(1, mul(2, seq)), '2*seq + 1'],
    [sub(seq, 1), 'seq - 1'],
    [mul(-1, seq), '-seq'],
    [mul(n, seq), 'N*seq'],
    [mul(seq, n), 'N*seq'],
    [sub(add(seq, n), n), 'seq'],
    [sub(seq, seq), '0'],
    [floorDiv(seq, 2), 'floor(seq/2)'],
    [floorDiv(add(seq, 1), 2), 'floor((seq + 1)/2)'],
    [floorDiv(add(mul(seq, 3), 5), 2), 'floor((seq + 1)/2) + seq + 2'],
    [min(add(seq, 1), seq), 'seq'],
    [max(sub(seq, 2), seq), 'seq'],
    [floorDiv(mul(seq, 4), 2), '2*seq'],
    [floorDiv(mul(seq, n), seq), 'N'],
    [floorDiv(mul(mul(seq, 6), n), mul(seq, 2)), '3*N'],
    [ceilDiv(seq, 2), 'floor((seq + 1)/2)'],
    [min(seq, 4), 'min(4, seq)'],
    [max(seq, seq), 'seq'],
    [mod(seq, 2), 'mod(seq, 2)'],
    [mod(mul(seq, 2), 2), '0'],
    [product([2, seq, 3]), '6*seq'],
  ];
  it.each(cases)('%#: %s', (dim, text) => {
    expect(formatDim(dim)).toBe(text);
  });

  it('prints shapes', () => {
    expect(formatShape([1, seq, 3])).toBe('[1,seq,3]');
    expect(formatShape(undefined)).toBe('[?]');
    expect(formatShape([])).toBe('[]');
  });
});

it('says which symbols a dimension depends on, also inside floor', () => {
  expect([...symbolsOf(floorDiv(add(seq, n), 2))].sort()).toEqual(['N', 'seq']);
});

it('keeps a symbol that is not bound', () => {
  const half = substitute(floorDiv(add(seq, n), 2), (name) => (name === 'N' ? 4 : undefined));
  expect(formatDim(half)).toBe('floor(seq/2) + 2');
});

/** A random expression, as the dimension and as plain arithmetic on the same numbers. */
type Both = { dim: Dim; value: (bind: Record<string, number>) => number };

const leaf: fc.Arbitrary<Both> = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map((k) => ({ dim: k, value: () => k })),
  fc
    .constantFrom('a', 'b', 'c')
    .map((name) => ({ dim: symbol(name), value: (bind: Record<string, number>) => bind[name]! })),
);

const expression: fc.Arbitrary<Both> = fc.letrec<{ e: Both }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.tuple(fc.constantFrom('add', 'sub', 'mul', 'min', 'max'), tie('e'), tie('e')).map(([op, x, y]) => ({
      dim: { add, sub, mul, min, max }[op as 'add'](x.dim, y.dim),
      value: (bind: Record<string, number>) => {
        const [p, q] = [x.value(bind), y.value(bind)];
        return { add: p + q, sub: p - q, mul: p * q, min: Math.min(p, q), max: Math.max(p, q) }[op as 'add'];
      },
    })),
    fc
      .tuple(fc.constantFrom('floorDiv', 'ceilDiv', 'mod'), tie('e'), fc.integer({ min: 1, max: 5 }))
      .map(([op, x, k]) => ({
        dim: { floorDiv, ceilDiv, mod }[op as 'mod'](x.dim, k),
        value: (bind: Record<string, number>) => {
          const p = x.value(bind);
          return { floorDiv: Math.floor(p / k), ceilDiv: Math.ceil(p / k), mod: p - k * Math.floor(p / k) }[
            op as 'mod'
          ];
        },
      })),
  ),
})).e;

it('agrees with arithmetic on numbers, whatever the symbols stand for (seed 20261129)', () => {
  const size = fc.integer({ min: 1, max: 50 });
  fc.assert(
    fc.property(expression, size, size, size, (both, a, b, c) => {
      const bind: Record<string, number> = { a, b, c };
      const got = substitute(both.dim, (name) => bind[name]);
      return got === both.value(bind) || Object.is(got, -0);
    }),
    { seed: 20261129, numRuns: 3000 },
  );
});

it('gives equal texts to expressions that differ only in order', () => {
  fc.assert(
    fc.property(leaf, leaf, leaf, (x, y, z) => {
      const left = mul(add(x.dim, y.dim), z.dim);
      const right = add(mul(z.dim, y.dim), mul(z.dim, x.dim));
      return sameDim(left, right);
    }),
    { seed: 7, numRuns: 500 },
  );
});
