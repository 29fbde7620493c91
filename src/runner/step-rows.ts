/** Steps one after the other as the body of a C function, those of branches between braces. */
import type { LoweredStep } from './steps.ts';
import type { Call } from './types.ts';
import type { RunnerStepView } from './view-types.ts';

/** How pieces of a step are printed; steps are named by their place in the list. */
export interface StepPrinting {
  readonly about: (step: number) => string;
  readonly number: (step: number) => string;
  readonly lines: (step: number, calls: readonly Call[]) => readonly string[];
  /** Calls that copy what a branch hands out. */
  readonly handedOut: (calls: readonly Call[]) => readonly string[];
  /** A C expression of a condition, by its tensor. */
  readonly holds: (condition: number) => string;
}

const INDENT = '    ';

export function stepRows(steps: readonly LoweredStep[], printing: StepPrinting): readonly RunnerStepView[] {
  const rows: RunnerStepView[] = [];

  const between = (indent: string, lines: readonly string[]): void => {
    if (lines.length > 0) rows.push({ indent, about: '', step: '', lines });
  };

  const walk = (first: number, end: number, indent: string): void => {
    for (let at = first; at < end; ) {
      const { calls, choice } = steps[at]!;
      const lines = printing.lines(at, calls);
      const step = lines.length > 0 ? printing.number(at) : '';
      rows.push({ indent, about: printing.about(at), step, lines });
      at = choice === undefined ? at + 1 : choice.end;
      if (choice === undefined) continue;
      const { condition, branches } = choice;
      branches.forEach((branch, i) => {
        if (condition !== undefined)
          between(indent, [i === 0 ? `if (${printing.holds(condition)}) {` : '} else {']);
        const inside = condition === undefined ? indent : indent + INDENT;
        walk(branch.first, branch.end, inside);
        between(inside, printing.handedOut(branch.results));
      });
      if (condition !== undefined) between(indent, ['}']);
    }
  };

  walk(0, steps.length, INDENT);
  return rows;
}
