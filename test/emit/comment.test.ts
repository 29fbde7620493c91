/** Text of a model in C comments. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentText, wrap } from '../../src/emit/comment.ts';

describe('commentText', () => {
  it.each([
    ['conv1/out', 'conv1/out'],
    ['a*/b', 'a*\\x2fb'],
    ['a/*b', 'a/\\x2ab'],
    ['a??/b', 'a?\\x3f/b'],
    ['line\nbreak', 'line\\x0abreak'],
    ['ends in \\', 'ends in \\x5c'],
    ['é', '\\xc3\\xa9'],
    ['', ''],
  ])('%j becomes %j', (text, safe) => expect(commentText(text)).toBe(safe));

  it('never ends, opens or splices a comment', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('*', '/', '?', '\\', '\n', '\r', '\u2028', 'a', 'é', '\0'),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = commentText(text);
        expect(safe).toMatch(/^[\x20-\x7e]*$/);
        expect(safe).not.toMatch(/\*\/|\/\*|\?\?|\\$/);
      }),
      { seed: 7, numRuns: 1000 },
    );
  });

  it('cuts long text', () => expect(commentText('x'.repeat(5000)).length).toBeLessThan(130));
});

it('wrap keeps words whole and lines short', () => {
  expect(wrap('aa bb cc dddddd e', 5)).toEqual(['aa bb', 'cc', 'dddddd', 'e']);
});
