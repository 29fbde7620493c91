import { describe, expect, test } from 'vitest';
import { paintFor, wantsColour } from '../../src/cli/color.ts';
import { plain } from '../../src/report/paint.ts';

const terminal = { write: () => {}, isTTY: true, hasColors: () => true };
const bleak = { write: () => {}, isTTY: true, hasColors: () => false };
const pipe = { write: () => {} };

describe('who decides about colour', () => {
  test.each([
    ['a terminal with colours', undefined, {}, terminal, true],
    ['a terminal without', undefined, {}, bleak, false],
    ['a pipe', undefined, {}, pipe, false],
    ['NO_COLOR', undefined, { NO_COLOR: '1' }, terminal, false],
    ['an empty NO_COLOR is none', undefined, { NO_COLOR: '' }, terminal, true],
    ['TERM=dumb', undefined, { TERM: 'dumb' }, terminal, false],
    ['FORCE_COLOR into a pipe', undefined, { FORCE_COLOR: '1' }, pipe, true],
    ['FORCE_COLOR over NO_COLOR', undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, pipe, true],
    ['FORCE_COLOR=0', undefined, { FORCE_COLOR: '0' }, terminal, false],
    ['--color over all', true, { NO_COLOR: '1', TERM: 'dumb' }, pipe, true],
    ['--no-color over all', false, { FORCE_COLOR: '1' }, terminal, false],
  ] as const)('%s', (_, asked, env, stream, wanted) => {
    expect(wantsColour(asked, env, stream)).toBe(wanted);
  });
});

test('paint is plain or brings escape sequences', async () => {
  const io = { stdout: terminal, stderr: pipe, env: {}, cwd: '.' };
  const colours = await paintFor(undefined, io, io.stdout);
  expect(colours.bad('x')).toBe('\u001b[31mx\u001b[39m');
  expect(await paintFor(undefined, io, io.stderr)).toBe(plain);
});
