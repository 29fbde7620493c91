import { expect, test } from 'vitest';
import { diagnostic, MemplanError } from '../../src/errors.ts';
import { formatDiagnostics } from '../../src/report/diagnostics.ts';
import { errorDocument } from '../../src/report/error.ts';
import { plain } from '../../src/report/paint.ts';

const open = diagnostic('E_OPEN_DIM', 'input "x": dimension 0 (batch) has no size', {
  hint: '--dim batch=1',
});

test('kind, code, text and hint', () => {
  expect(formatDiagnostics([open, diagnostic('N_SORTED', 'sorted')], plain)).toBe(
    'error E_OPEN_DIM: input "x": dimension 0 (batch) has no size\n' +
      '  hint: --dim batch=1\n' +
      'note N_SORTED: sorted\n',
  );
  expect(formatDiagnostics([], plain)).toBe('');
});

test('of many of a kind the first five are shown, unless all are wanted', () => {
  const many = Array.from({ length: 8 }, (_, i) => diagnostic('W_DECLARED_SHAPE', `tensor ${i}`));
  const some = formatDiagnostics([...many, open], plain);
  expect(some.split('\n').filter((line) => line.startsWith('warning'))).toHaveLength(5);
  expect(some).toContain('error E_OPEN_DIM');
  expect(some).toContain('3 more W_DECLARED_SHAPE; --verbose shows all\n');
  expect(formatDiagnostics(many, plain, true).split('\n').filter(Boolean)).toHaveLength(8);
});

test('a name with a line end cannot forge a message', () => {
  const forged = diagnostic('E_CYCLE', 'node "a\nerror E_INTERNAL: b"', { hint: 'x\r\n::error::y' });
  expect(formatDiagnostics([forged], plain)).toBe(
    'error E_CYCLE: node "a\\x0aerror E_INTERNAL: b"\n  hint: x\\x0d\\x0a::error::y\n',
  );
});

test('control characters from a model do not reach the terminal', () => {
  expect(formatDiagnostics([diagnostic('E_MODEL', 'a\u001b[2Jb')], plain)).toBe(
    'error E_MODEL: a\\x1b[2Jb\n',
  );
});

test('the error document has the first fault and all of them', () => {
  const other = diagnostic('E_OPEN_DIM', 'another', { tensor: 'y' });
  expect(errorDocument(new MemplanError([open, other]))).toEqual({
    schema: 1,
    error: { code: 'E_OPEN_DIM', message: open.text, hint: '--dim batch=1' },
    diagnostics: [open, other],
  });
});
