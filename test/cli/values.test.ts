import { describe, expect, test } from 'vitest';
import {
  parseCount,
  parseList,
  parsePair,
  parsePercent,
  parsePositiveSize,
  parseRegionBytes,
  parseShape,
  parseSize,
} from '../../src/cli/values.ts';
import { MemplanError } from '../../src/errors.ts';

/** The text of the usage fault that `parse` throws. */
function faultOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof MemplanError && error.code === 'E_USAGE' && error.exitCode === 2)
      return error.message;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('sizes in bytes', () => {
  test.each([
    ['4096', 4096],
    ['4K', 4096],
    ['4KiB', 4096],
    ['4kB', 4000],
    ['0x1000', 4096],
    ['320KiB', 327680],
    ['1M', 1048576],
    ['1.5K', 1536],
    ['0', 0],
  ])('%s is %i', (text, bytes) => {
    expect(parseSize('--align', text)).toBe(bytes);
  });

  test.each(['', '-1', '4KB', '4 K 4', '1e3', '0x', '0.3', '99999999999999999999', 'K', '٤'])(
    '%j is refused and shown',
    (text) => {
      expect(faultOf(() => parseSize('--align', text))).toBe(`--align: "${text}" is not a size in bytes`);
    },
  );

  test('an alignment of 0 is refused', () => {
    expect(faultOf(() => parsePositiveSize('--align', '0'))).toContain('at least 1');
  });
});

describe('pairs are split at the last separator', () => {
  test.each([
    ['x:1,3', ':', 'x', '1,3'],
    ['model/in:0:1,3', ':', 'model/in:0', '1,3'],
    ['x:', ':', 'x', ''],
    ['a=b=SRAM', '=', 'a=b', 'SRAM'],
    ['*=4', '=', '*', '4'],
  ] as const)('%s', (text, separator, name, value) => {
    expect(parsePair('--flag', text, separator, 'x')).toEqual({ name, value });
  });

  test.each(['x', '=4', ''])('%j is refused', (text) => {
    expect(faultOf(() => parsePair('--dim', text, '=', 'batch=1'))).toContain('--dim');
  });
});

describe('shapes', () => {
  test.each([
    ['1,3,224,224', [1, 3, 224, 224]],
    ['', []],
    ['0', [0]],
    [' 1 , 2', [1, 2]],
  ])('%j', (text, shape) => {
    expect(parseShape('--input-shape', text)).toEqual(shape);
  });

  test('a range is shown its option', () => {
    const hintOf = (text: string) => {
      try {
        return parseShape('--input-shape', text);
      } catch (error) {
        return (error as MemplanError).diagnostics[0]!.hint;
      }
    };
    expect(hintOf('1,3,48,64..320')).toContain('--dim NAME=64..320');
    expect(hintOf('1,3,48,x')).toBe('--input-shape x:1,3,224,224');
  });

  test.each(['-1,3', '1,,3', '1x3', 'n', '1,', '1.5'])('%j is refused', (text) => {
    expect(faultOf(() => parseShape('--input-shape', text))).toContain(`"${text}"`);
  });
});

test.each([
  ['2%', 2],
  ['0.5%', 0.5],
  ['10', 10],
])('%s is %d percent', (text, percent) => {
  expect(parsePercent('--max-growth', text)).toBe(percent);
});

test.each(['', '%', '-2%', '2 %%', 'two'])('%j is no percentage', (text) => {
  expect(faultOf(() => parsePercent('--max-growth', text))).toContain('--max-growth');
});

test('counts are whole and large enough', () => {
  expect(parseCount('--effort', '1000', 1)).toBe(1000);
  for (const text of ['0', '-1', '1.5', '', '9007199254740993']) {
    expect(faultOf(() => parseCount('--effort', text, 1))).toContain('--effort');
  }
});

test('lists drop empty entries, but not all of them', () => {
  expect(parseList('--emit', 'h, c,,json')).toEqual(['h', 'c', 'json']);
  expect(faultOf(() => parseList('--emit', ' , '))).toContain('empty');
});

test('a budget is for the whole or for a region', () => {
  expect(parseRegionBytes('--budget', '256K')).toEqual({ name: '', bytes: 262144 });
  expect(parseRegionBytes('--budget', 'DTCM=64K')).toEqual({ name: 'DTCM', bytes: 65536 });
  expect(faultOf(() => parseRegionBytes('--budget', '=64K'))).toContain('names no region');
});
