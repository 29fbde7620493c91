/** C names: the mapping of the contract, injective, stable. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cNames, cPrefix, isPrefix, longestName } from '../../src/emit/identifiers.ts';

const sha = (text: string, digits: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

describe('cNames', () => {
  it.each([
    ['input', 'input'],
    ['conv1/out', 'conv1_x2fout'],
    ['/model/0.weight:0', '_x2fmodel_x2f0_x2eweight_x3a0'],
    ['123', '123'],
    ['int', 'int'],
    ['a__b', 'a__b'],
    ['a b', 'a_x20b'],
    ['a\n*/', 'a_x0a_x2a_x2f'],
    ['é', '_xc3_xa9'],
    ['出', '_xe5_x87_xba'],
    ['🙂', '_xf0_x9f_x99_x82'],
  ])('%j becomes %s', (name, c) => expect(cNames([name])).toEqual([c]));

  it('keeps 100 characters and cuts 101, with a hash of the whole name', () => {
    const long = 'x'.repeat(101);
    expect(cNames(['x'.repeat(100)])).toEqual(['x'.repeat(100)]);
    expect(cNames([long])).toEqual([`${'x'.repeat(91)}_${sha(long, 8)}`]);
    expect(cNames([`${long}a`, `${long}b`]).map((c) => c.length)).toEqual([100, 100]);
  });

  it('names the empty name by its hash', () => expect(cNames([''])).toEqual([`_${sha('', 8)}`]));

  it('gives each of two names that would collide a hash, and no other', () => {
    expect(cNames(['a/b', 'a_x2fb', 'c'])).toEqual([
      `a_x2fb_${sha('a/b', 8)}`,
      `a_x2fb_${sha('a_x2fb', 8)}`,
      'c',
    ]);
  });

  it('stays injective when a third name looks like a hashed one', () => {
    const names = ['a/b', 'a_x2fb', `a_x2fb_${sha('a/b', 8)}`];
    expect(new Set(cNames(names)).size).toBe(3);
  });

  it('is injective, plain ASCII, at most 100 characters, and does not depend on other names or on their order', () => {
    const awkward = fc.string({
      unit: fc.constantFrom('a', 'x', '_', '2', 'f', '/', '.', 'é', '🙂'),
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(awkward, fc.string({ maxLength: 130 })), { maxLength: 30 }),
        (names) => {
          const made = cNames(names);
          expect(new Set(made).size).toBe(names.length);
          for (const c of made) expect(c).toMatch(/^[A-Za-z0-9_]{1,100}$/);
          expect(cNames([...names].reverse())).toEqual([...made].reverse());
        },
      ),
      { seed: 20260801, numRuns: 500 },
    );
  });
});

describe('--name-length', () => {
  it('is what macros may have: prefix, name and what stands behind it', () => {
    const longest = longestName(63, ['KWS', 'DETECTOR']);
    const [c] = cNames([`/model/${'layer/'.repeat(20)}out`], longest);
    expect(`DETECTOR_T_${c}_OFFSET`).toHaveLength(63);
    expect(longestName(undefined, ['KWS'])).toBe(100);
    expect(longestName(1000, ['KWS'])).toBe(100);
  });

  it('leaves a name a hash and a little more, or says how much it takes', () => {
    // KWS_T_ and _OFFSET: 13.
    expect(longestName(25, ['KWS'])).toBe(12);
    expect(() => longestName(24, ['KWS'])).toThrow(/11 characters are left/);
    expect(() => longestName(3, ['KWS'])).toThrow(/behind KWS_T_ and before _OFFSET 0 characters/);
  });

  it('is injective and does not depend on other names, however short', () => {
    const alike = fc.string({ unit: fc.constantFrom('a', '/', '2', 'x', '_'), maxLength: 40 });
    fc.assert(
      fc.property(
        fc.uniqueArray(alike, { maxLength: 30 }),
        fc.integer({ min: 12, max: 30 }),
        (names, longest) => {
          const made = cNames(names, longest);
          expect(new Set(made).size).toBe(names.length);
          for (const c of made) expect(c.length).toBeLessThanOrEqual(longest);
          expect(cNames([...names].reverse(), longest)).toEqual([...made].reverse());
        },
      ),
      { seed: 20261130, numRuns: 500 },
    );
  });
});

describe('cPrefix', () => {
  it.each([
    ['kws.onnx', 'KWS'],
    ['models/kws.v2.onnx', 'KWS_V2'],
    ['mobilenet-v1 (1).onnx', 'MOBILENET_V1_1'],
    ['0.onnx', 'MODEL_0'],
    ['_x_.onnx', 'X'],
    ['モデル.onnx', 'MODEL'],
    ['.onnx', 'MODEL'],
    ['kws', 'KWS'],
  ])('%j gives %s', (file, prefix) => {
    expect(cPrefix(file)).toBe(prefix);
    expect(isPrefix(prefix)).toBe(true);
  });

  it('cuts a long name and adds a hash', () => {
    const [a, b] = ['a', 'b'].map((end) => cPrefix(`${'model'.repeat(20)}${end}.onnx`)) as [string, string];
    expect(a).not.toBe(b);
    expect(a).toHaveLength(40);
    expect(isPrefix(a)).toBe(true);
  });

  it.each(['', '_A', '1A', 'A-B', 'A_', 'A__B', 'é'])('%j is no prefix', (text) =>
    expect(isPrefix(text)).toBe(false),
  );
});
