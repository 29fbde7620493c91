import { describe, expect, test } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';

/** A terminal of 60 columns, and a clock that the test sets. */
function stage(stream: object = {}, env: Record<string, string> = {}) {
  const terminal = { text: '', time: 0 };
  const write = (text: string) => {
    terminal.text += text;
  };
  const stderr = { write, isTTY: true, columns: 60, ...stream };
  const progress = createProgress({ stderr, env }, 'net.onnx', () => terminal.time);
  const at = (time: number, work: Parameters<NonNullable<typeof progress>['show']>[0]) => {
    terminal.time = time;
    terminal.text = '';
    progress!.show(work);
    return terminal.text;
  };
  return { terminal, progress, at };
}

const ERASE = '\r\u001b[K';

describe('progress', () => {
  test('says nothing in the first second, then what is done and for how long', () => {
    const { at } = stage();
    expect(at(0, { doing: 'reading' })).toBe('');
    expect(at(999, { doing: 'reading' })).toBe('');
    expect(at(1000, { doing: 'inferring shapes', done: 1024, all: 200_000 })).toBe(
      `${ERASE}net.onnx: inferring shapes, 1,024 of 200,000, 1 s`,
    );
  });

  test('changes the line now and then only', () => {
    const { at } = stage();
    expect(at(1000, { doing: 'reading' })).not.toBe('');
    expect(at(1100, { doing: 'reading' })).toBe('');
    expect(at(1200, { doing: 'reading' })).not.toBe('');
  });

  test('says what a search has found', () => {
    const { at } = stage({ columns: 100 });
    expect(at(2500, { doing: 'packing', bytes: 43_008, lowerBound: 40_000 })).toBe(
      `${ERASE}net.onnx: packing, 43,008 bytes so far, at least 40,000, 2 s`,
    );
    expect(at(3500, { doing: 'packing', bytes: Number.POSITIVE_INFINITY, lowerBound: 1 })).toBe(
      `${ERASE}net.onnx: packing, 3 s`,
    );
  });

  test('never wraps the line, and takes it away at the end', () => {
    const { at, progress, terminal } = stage();
    const line = at(5000, { doing: 'x'.repeat(200) }).replace(ERASE, '');
    expect(line).toHaveLength(59);
    terminal.text = '';
    progress!.clear();
    expect(terminal.text).toBe(ERASE);
    terminal.text = '';
    progress!.clear();
    expect(terminal.text).toBe('');
  });

  test('is silent where there is no terminal, or one that cannot erase', () => {
    expect(stage({ isTTY: false }).progress).toBeUndefined();
    expect(stage({ isTTY: undefined }).progress).toBeUndefined();
    expect(stage({}, { TERM: 'dumb' }).progress).toBeUndefined();
    expect(stage({}, { TERM: 'xterm' }).progress).toBeDefined();
  });
});
