import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { formatSolution, parseBufferList } from '../../src/planner/csv.ts';

/** All the messages of the error that reading this text throws. */
function messages(text: string): string[] {
  try {
    parseBufferList(text, 'p.csv');
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    expect(error.code).toBe('E_CSV');
    return error.diagnostics.map((d) => d.text);
  }
  return [];
}

describe('reading a buffer list', () => {
  it('finds columns by name in any order and keeps unknown ones', () => {
    const list = parseBufferList('size,note,upper,id,lower\n8,hello,3,a,0\n4,,9,b,3\n');
    expect(list.problem.buffers).toEqual([
      { id: 'a', first: 0, end: 3, bytes: 8, alignment: 1, offset: undefined, gaps: undefined },
      { id: 'b', first: 3, end: 9, bytes: 4, alignment: 1, offset: undefined, gaps: undefined },
    ]);
    expect(list.rows[0]).toEqual(['8', 'hello', '3', 'a', '0']);
  });

  it('reads alignment, pins and gaps; empty cells are the defaults', () => {
    const text = 'id,lower,upper,size,alignment,offset,gaps\na,0,9,64,16,32,1-3 4-6:0-32\nb,0,9,64,,,\n';
    expect(parseBufferList(text).problem.buffers).toEqual([
      {
        id: 'a',
        first: 0,
        end: 9,
        bytes: 64,
        alignment: 16,
        offset: 32,
        gaps: [
          { first: 1, end: 3, from: 0, to: 64 },
          { first: 4, end: 6, from: 0, to: 32 },
        ],
      },
      { id: 'b', first: 0, end: 9, bytes: 64, alignment: 1, offset: undefined, gaps: undefined },
    ]);
  });

  it.each([
    ['a byte order mark and CRLF', '\ufeffid,lower,upper,size\r\na,0,1,2\r\n', ['a']],
    ['no line feed at the end', 'id,lower,upper,size\na,0,1,2', ['a']],
    ['empty lines', 'id,lower,upper,size\n\na,0,1,2\n\n\nb,0,1,2\n\n', ['a', 'b']],
    ['spaces around numbers and titles', 'id, lower ,upper, size\na, 0, 1 ,2\n', ['a']],
    ['quotes, commas, doubled quotes', 'id,lower,upper,size\n"a,""b""",0,1,2\n', ['a,"b"']],
    ['a line break inside quotes', 'id,lower,upper,size\n"a\nb",0,1,2\nc,0,1,2\n', ['a\nb', 'c']],
    ['a header alone', 'id,lower,upper,size\n', []],
    ['the largest number', `id,lower,upper,size\na,0,1,${2 ** 53 - 1}\n`, ['a']],
  ])('accepts %s', (_, text, ids) => {
    expect(parseBufferList(text).problem.buffers.map((b) => b.id)).toEqual(ids);
  });

  it.each([
    ['an empty file', '', /p\.csv is empty/],
    ['a missing column', 'id,lower,size\n', /line 1: column 'upper' is missing/],
    ['a column twice', 'id,lower,upper,size,size\n', /line 1: column 'size' stands there twice/],
    ['a short line', 'id,lower,upper,size\na,0,1\n', /line 2: 3 cells, the header has 4 columns/],
    ['a fraction', 'id,lower,upper,size\na,0,1,2.5\n', /line 2, column 'size': '2\.5' is not a whole number/],
    ['an exponent', 'id,lower,upper,size\na,0,1,1e3\n', /line 2, column 'size'/],
    ['a sign', 'id,lower,upper,size\na,-1,1,1\n', /line 2, column 'lower'/],
    ['2^53', `id,lower,upper,size\na,0,1,${2 ** 53}\n`, /line 2, column 'size'.*below 2\^53/],
    ['nothing', 'id,lower,upper,size\na,,1,1\n', /line 2, column 'lower'/],
    [
      'an empty range',
      'id,lower,upper,size\na,3,3,1\n',
      /line 2, column 'upper': the live range \[3, 3\) is empty/,
    ],
    ['alignment 0', 'id,lower,upper,size,alignment\na,0,1,1,0\n', /line 2, column 'alignment': 0 is below 1/],
    [
      'one id twice',
      'id,lower,upper,size\na,0,1,1\n\na,0,1,1\n',
      /line 4, column 'id': 'a' stands in line 2/,
    ],
    ['an open quote', 'id,lower,upper,size\n"a,0,1,1\n', /line 2: a quote is never closed/],
    ['text after a quote', 'id,lower,upper,size\n"a"b,0,1,1\n', /line 2: 'b' follows a closing quote/],
    ['a gap without form', 'id,lower,upper,size,gaps\na,0,4,8,1..2\n', /line 2, column 'gaps': '1\.\.2'/],
    ['an empty gap', 'id,lower,upper,size,gaps\na,0,4,8,2-2\n', /'2-2' is empty/],
    ['a gap outside in time', 'id,lower,upper,size,gaps\na,1,4,8,0-2\n', /beyond the live range/],
    ['a gap outside in space', 'id,lower,upper,size,gaps\na,0,4,8,0-2:4-9\n', /beyond the size 8/],
  ])('refuses %s, naming line and column', (_, text, expected) => {
    expect(messages(text)).toEqual([expect.stringMatching(expected)]);
  });

  it('reports every fault at once', () => {
    expect(messages('id,lower,upper,size\na,x,1,1\nb,0,1,y\n')).toEqual([
      expect.stringContaining("line 2, column 'lower'"),
      expect.stringContaining("line 3, column 'size'"),
    ]);
  });
});

describe('writing a solution', () => {
  it('repeats the columns and adds the offset', () => {
    const list = parseBufferList('id,lower,upper,size,note\r\n"a,b",0,3,8,"say ""hi"""\r\n');
    expect(formatSolution(list, [16])).toBe('id,lower,upper,size,note,offset\n"a,b",0,3,8,"say ""hi""",16\n');
  });

  it('fills an offset column that is already there', () => {
    const list = parseBufferList('id,offset,lower,upper,size\na,,0,3,8\nb,8,0,3,8\n');
    expect(formatSolution(list, [0, 8])).toBe('id,offset,lower,upper,size\na,0,0,3,8\nb,8,0,3,8\n');
  });

  it('is read back as the same problem with pins', () => {
    const list = parseBufferList('lower,id,upper,size,alignment,gaps\n0,"x\ny",3,8,4,1-2:0-4\n');
    const again = parseBufferList(formatSolution(list, [12])).problem.buffers[0];
    expect(again).toEqual({ ...list.problem.buffers[0], offset: 12 });
  });
});
