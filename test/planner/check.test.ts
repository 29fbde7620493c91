import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { checkProblem } from '../../src/planner/check.ts';
import type { Buffer, Gap } from '../../src/planner/types.ts';

const base: Buffer = { id: 'a', first: 0, end: 2, bytes: 8, alignment: 4 };
const gap = (first: number, end: number, from: number, to: number): Partial<Buffer> => ({
  gaps: [{ first, end, from, to } satisfies Gap],
});
const overlap = (buffer: number, distance: number): Partial<Buffer> => ({
  mayOverlap: [{ buffer, distance }],
});

/** Code, text and hint of every fault. */
function faultsOf(...buffers: readonly Partial<Buffer>[]): readonly string[] {
  try {
    checkProblem({ buffers: buffers.map((buffer) => ({ ...base, ...buffer })) });
    return [];
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    return error.diagnostics.map(
      ({ code, text, hint }) => `${code} ${text}${hint === null ? '' : ` ${hint}`}`,
    );
  }
}

describe('refused problems', () => {
  const range = (first: number, end: number): string =>
    `its live range [${first}, ${end}) is empty or not whole`;
  const size = (bytes: number): string => `its size ${bytes} is not a whole number of bytes`;
  const alignment = (value: number): string => `its alignment ${value} is not a whole number above 0`;
  const place = (offset: number): string => `it is pinned at ${offset}, which is no offset`;
  const hole = (text: string): string => `its gap ${text} reaches beyond it`;
  const partner = (buffer: number, distance: number): string =>
    `its overlap with buffer ${buffer} at distance ${distance} is not usable`;
  const cases: readonly (readonly [Partial<Buffer>, string])[] = [
    [{ end: 0 }, range(0, 0)],
    [{ first: 3 }, range(3, 2)],
    [{ first: 0.5 }, range(0.5, 2)],
    [{ end: 1.5 }, range(0, 1.5)],
    [{ end: Number.POSITIVE_INFINITY }, range(0, Number.POSITIVE_INFINITY)],
    [{ bytes: 1.5 }, size(1.5)],
    [{ bytes: -8 }, size(-8)],
    [{ alignment: 0 }, alignment(0)],
    [{ alignment: 1.5 }, alignment(1.5)],
    [{ offset: -4 }, place(-4)],
    [{ offset: 0.5 }, place(0.5)],
    [{ offset: 2 ** 53 - 4 }, place(2 ** 53 - 4)],
    [{ offset: 6 }, 'it is pinned at 6, which is not a multiple of its alignment 4'],
    [gap(-1, 1, 0, 4), hole('[-1, 1) x [0, 4)')],
    [gap(0, 3, 0, 4), hole('[0, 3) x [0, 4)')],
    [gap(2, 1, 0, 4), hole('[2, 1) x [0, 4)')],
    [gap(0.5, 1, 0, 4), hole('[0.5, 1) x [0, 4)')],
    [gap(0, 1.5, 0, 4), hole('[0, 1.5) x [0, 4)')],
    [gap(0, 1, -1, 4), hole('[0, 1) x [-1, 4)')],
    [gap(0, 1, 0, 9), hole('[0, 1) x [0, 9)')],
    [gap(0, 1, 4, 3), hole('[0, 1) x [4, 3)')],
    [gap(0, 1, 0.5, 4), hole('[0, 1) x [0.5, 4)')],
    [gap(0, 1, 0, 3.5), hole('[0, 1) x [0, 3.5)')],
    [overlap(1, 4), partner(1, 4)],
    [overlap(3, 4), partner(3, 4)],
    [overlap(-1, 4), partner(-1, 4)],
    [overlap(0.5, 4), partner(0.5, 4)],
    [overlap(0, 0.5), partner(0, 0.5)],
  ];
  it.each(cases)('%o', (buffer, text) => {
    expect(faultsOf(buffer)).toEqual([`E_RULE Buffer 'a': ${text}.`]);
  });

  it('names every fault of every buffer', () => {
    expect(faultsOf({ bytes: -1, alignment: 0 }, {}, { id: 'c', end: 0 })).toEqual([
      `E_RULE Buffer 'a': ${size(-1)}.`,
      `E_RULE Buffer 'a': ${alignment(0)}.`,
      `E_RULE Buffer 'c': ${range(0, 0)}.`,
    ]);
  });
});

describe('pins', () => {
  const shared = (a: number, b: number): string =>
    `E_RULE Buffers 'a' at ${a} and 'b' at ${b} are pinned onto shared bytes while both are live. ` +
    'Move one of the pins, or drop it.';
  const b = { id: 'b' };

  it('may not share a byte at a step, whichever lies higher', () => {
    expect(faultsOf({ offset: 0 }, { ...b, offset: 4 })).toEqual([shared(0, 4)]);
    expect(faultsOf({ offset: 16 }, { ...b, offset: 12 })).toEqual([shared(16, 12)]);
    expect(faultsOf({ offset: 16 }, { ...b, offset: 16 })).toEqual([shared(16, 16)]);
  });

  it('may touch, in space and in time', () => {
    expect(faultsOf({ offset: 16 }, { ...b, offset: 24 })).toEqual([]);
    expect(faultsOf({ offset: 16 }, { ...b, offset: 8 })).toEqual([]);
    expect(faultsOf({ offset: 0 }, { ...b, first: 2, end: 4, offset: 4 })).toEqual([]);
    expect(faultsOf({ offset: 40 }, {}, { ...b, offset: 0 })).toEqual([]);
  });

  it('may overlap at a permitted distance', () => {
    expect(faultsOf({ offset: 0 }, { ...b, offset: 4, ...overlap(0, 4) })).toEqual([]);
    expect(faultsOf({ offset: 4 }, { ...b, offset: 0, ...overlap(0, 4) })).toEqual([shared(4, 0)]);
  });

  it('are looked at only where the numbers are right', () => {
    expect(faultsOf({ offset: 0 }, { ...b, offset: 4, ...overlap(3, 4) })).toHaveLength(1);
  });
});

describe('the sum of all sizes', () => {
  it('counts what alignment may cost, and stays below 2^53', () => {
    const most = 2 ** 53 - 1;
    expect(faultsOf({ bytes: most, alignment: 1 })).toEqual([]);
    expect(faultsOf({ bytes: most - 2, alignment: 2 })).toEqual([]);
    expect(faultsOf({ bytes: most - 1, alignment: 2 })).toEqual([
      'E_TOO_LARGE All buffers together take 9007199254740992 bytes, beyond 2^53.',
    ]);
    expect(faultsOf({ bytes: most, alignment: 1 }, { bytes: 1, alignment: 1 })).toEqual([
      'E_TOO_LARGE All buffers together take 9007199254740992 bytes, beyond 2^53.',
    ]);
  });

  it('is looked at only where the numbers are right', () => {
    expect(faultsOf({ bytes: 2 ** 53 })).toEqual([
      "E_RULE Buffer 'a': its size 9007199254740992 is not a whole number of bytes.",
    ]);
    expect(faultsOf({ bytes: 2 ** 52 }, { bytes: 2 ** 52, alignment: 0 })).toHaveLength(1);
  });
});

it('accepts what is at the edge', () => {
  const edges: readonly Partial<Buffer>[] = [
    { first: -3, end: -2 },
    { bytes: 0, alignment: 1 },
    { offset: 0 },
    gap(0, 2, 0, 8),
    gap(1, 1, 3, 3),
    { offset: 2 ** 53 - 16 },
    overlap(0, -5),
  ];
  for (const edge of edges) expect(faultsOf(edge), JSON.stringify(edge)).toEqual([]);
});
