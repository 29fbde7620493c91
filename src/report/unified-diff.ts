/** A unified diff of two texts, as `diff -u` prints it and `patch` reads it. */
import { lineRuns, type Run } from './line-diff.ts';

/** Lines that are kept around a change. */
const CONTEXT = 3;

export interface DiffSides {
  /** How the sides are called in the first two lines. */
  readonly oldName: string;
  readonly newName: string;
  /** undefined: there is no such file. */
  readonly old: string | undefined;
  readonly new: string;
}

/** Lines without line ends, the two names first; none when the texts are equal. */
export function unifiedDiff({ oldName, newName, old: oldText, new: newText }: DiffSides): readonly string[] {
  const [old, now] = [linesOf(oldText ?? ''), linesOf(newText)];
  const hunks = hunksOf(lineRuns(old, now)).map((runs) => hunkLines(runs, old, now));
  if (hunks.length === 0) return [];
  return [`--- ${oldText === undefined ? '/dev/null' : oldName}`, `+++ ${newName}`, ...hunks.flat()];
}

/** Lines with their line ends, so that a last line without one differs from the same with one. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Runs of changes with their context; changes that are close together share a hunk. */
function hunksOf(runs: readonly Run[]): readonly (readonly Run[])[] {
  const hunks: Run[][] = [];
  runs.forEach((run, index) => {
    if (run.kind !== 'keep') {
      if (hunks.length === 0) hunks.push([]);
      hunks.at(-1)!.push(run);
      return;
    }
    const isFirst = index === 0;
    const isLast = index === runs.length - 1;
    if (!isFirst && !isLast && run.count <= 2 * CONTEXT) {
      hunks.at(-1)!.push(run);
      return;
    }
    if (!isFirst) hunks.at(-1)!.push({ ...run, count: Math.min(CONTEXT, run.count) });
    if (isLast) return;
    const skipped = Math.max(0, run.count - CONTEXT);
    hunks.push([
      { kind: 'keep', old: run.old + skipped, now: run.now + skipped, count: run.count - skipped },
    ]);
  });
  return hunks;
}

function hunkLines(runs: readonly Run[], old: readonly string[], now: readonly string[]): readonly string[] {
  const count = (without: Run['kind']) =>
    runs.reduce((sum, run) => sum + (run.kind === without ? 0 : run.count), 0);
  const [first] = runs;
  const sides = `-${span(first!.old, count('add'))} +${span(first!.now, count('remove'))}`;
  return [`@@ ${sides} @@`, ...runs.flatMap((run) => runLines(run, old, now))];
}

/** From 1; an empty side names the line before it. */
function span(start: number, count: number): string {
  return count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
}

function runLines(
  { kind, old: oldAt, now: nowAt, count }: Run,
  old: readonly string[],
  now: readonly string[],
) {
  const mark = { keep: ' ', remove: '-', add: '+' }[kind];
  const lines = kind === 'add' ? now.slice(nowAt, nowAt + count) : old.slice(oldAt, oldAt + count);
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
}
