/** Diffs are held against those of `diff -u`, and `patch` applies them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { lineRuns } from '../../src/report/line-diff.ts';
import { unifiedDiff } from '../../src/report/unified-diff.ts';
import { missing } from '../support/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'memplan-diff-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const diff = (old: string | undefined, now: string) =>
  unifiedDiff({ oldName: 'a', newName: 'b', old, new: now });

/** Letters are lines. */
const text = (letters: string) => [...letters].map((letter) => `${letter}\n`).join('');

test.each([
  ['abc', 'abc', []],
  ['abc', 'abd', ['@@ -1,3 +1,3 @@', ' a', ' b', '-c', '+d']],
  ['', 'ab', ['@@ -0,0 +1,2 @@', '+a', '+b']],
  ['a', '', ['@@ -1 +0,0 @@', '-a']],
  ['abcdefgh', 'Xbcdefgh', ['@@ -1,4 +1,4 @@', '-a', '+X', ' b', ' c', ' d']],
  ['abcdefgh', 'abcdefgX', ['@@ -5,4 +5,4 @@', ' e', ' f', ' g', '-h', '+X']],
  // Six kept lines between two changes stay in one hunk, seven part them.
  ['AbcdefgH', 'XbcdefgY', ['@@ -1,8 +1,8 @@', '-A', '+X', ' b', ' c', ' d', ' e', ' f', ' g', '-H', '+Y']],
  [
    'AbcdefghI',
    'XbcdefghY',
    ['@@ -1,4 +1,4 @@', '-A', '+X', ' b', ' c', ' d', '@@ -6,4 +6,4 @@', ' f', ' g', ' h', '-I', '+Y'],
  ],
])('%s to %s', (old, now, expected) => {
  const lines = diff(text(old), text(now));
  expect(lines).toEqual(expected.length === 0 ? [] : ['--- a', '+++ b', ...expected]);
});

test('a file that does not exist, and last lines without a line end', () => {
  expect(diff(undefined, 'a\n')).toEqual(['--- /dev/null', '+++ b', '@@ -0,0 +1 @@', '+a']);
  expect(diff('a', 'a\n')).toEqual([
    ...['--- a', '+++ b', '@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+a'],
  ]);
  expect(diff('a\r\n', 'a\n')).toEqual(['--- a', '+++ b', '@@ -1 +1 @@', '-a\r', '+a']);
});

const letters = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 24 });
const ends = fc.constantFrom('', '\n');

test('patch makes the new text of the old one, and diff -u has no fewer changed lines', (context) => {
  const absent = missing('patch', 'diff');
  if (absent !== undefined) context.skip(absent);
  const sample = fc.sample(fc.tuple(letters, ends, letters, ends), { seed: 7, numRuns: 60 });
  for (const [a, aEnd, b, bEnd] of sample) {
    const [old, now] = [text(a).replace(/\n$/, aEnd), text(b).replace(/\n$/, bEnd)];
    const lines = diff(old, now);
    if (old === now) {
      expect(lines).toEqual([]);
      continue;
    }
    writeFileSync(join(folder, 'old'), old);
    writeFileSync(join(folder, 'new'), now);
    const input = `${lines.join('\n')}\n`;
    const patched = spawnSync('patch', ['-s', '-o', 'out', 'old'], { cwd: folder, input, encoding: 'utf8' });
    expect(patched.status, `${input}${patched.stdout}${patched.stderr}`).toBe(0);
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe(now);
    const { stdout } = spawnSync('diff', ['-u', '-d', 'old', 'new'], { cwd: folder, encoding: 'utf8' });
    const changed = (all: readonly string[]) => all.slice(2).filter((line) => /^[-+]/.test(line)).length;
    expect(changed(lines)).toBeLessThanOrEqual(changed(stdout.split('\n')));
  }
});

test('lists that have nothing in common are replaced whole, without a long search', () => {
  const old = Array.from({ length: 20_000 }, (_, i) => `a${i}`);
  const now = Array.from({ length: 20_000 }, (_, i) => `b${i}`);
  expect(lineRuns(['same', ...old, 'end'], ['same', ...now, 'end'])).toEqual([
    { kind: 'keep', old: 0, now: 0, count: 1 },
    { kind: 'remove', old: 1, now: 1, count: 20_000 },
    { kind: 'add', old: 20_001, now: 1, count: 20_000 },
    { kind: 'keep', old: 20_001, now: 20_001, count: 1 },
  ]);
});
