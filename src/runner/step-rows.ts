/** Steps one after the other as the body of a C function, those of branches between braces. */
import { unsigned } from '../emit/literals.ts';
import type { Block, Head, Turns } from './flow-types.ts';
import type { LoweredStep } from './steps.ts';
import type { Call } from './types.ts';
import type { RunnerStepView } from './view-types.ts';

/** How pieces of a step are printed; steps are named by their place in the list. */
export interface StepPrinting {
  readonly about: (step: number) => string;
  readonly number: (step: number) => string;
  readonly lines: (step: number, calls: readonly Call[]) => readonly string[];
  /** Copies between graphs. */
  readonly handedOver: (calls: readonly Call[]) => readonly string[];
  readonly addressOf: (tensor: number) => string;
}

const INDENT = '    ';

export function stepRows(steps: readonly LoweredStep[], printing: StepPrinting): readonly RunnerStepView[] {
  const rows: RunnerStepView[] = [];

  const between = (indent: string, lines: readonly string[]): void => {
    if (lines.length > 0) rows.push({ indent, about: '', step: '', lines });
  };
  const handedOver = (indent: string, calls: readonly Call[]): void => {
    between(indent, printing.handedOver(calls));
  };

  const walkBlock = ({ head, first, end, begin, results }: Block, indent: string): void => {
    if (head !== undefined) between(indent, [opening(head, printing.addressOf)]);
    const inside = head === undefined ? indent : indent + INDENT;
    if (head?.kind === 'turns') between(inside, numbering(head, printing.addressOf));
    handedOver(inside, begin);
    walk(first, end, inside);
    handedOver(inside, results);
  };

  const walk = (first: number, end: number, indent: string): void => {
    for (let at = first; at < end; ) {
      const { calls, flow } = steps[at]!;
      const lines = printing.lines(at, calls);
      const step = lines.length > 0 ? printing.number(at) : '';
      rows.push({ indent, about: printing.about(at), step, lines });
      at = flow === undefined ? at + 1 : flow.end;
      if (flow === undefined) continue;
      handedOver(indent, flow.before);
      for (const block of flow.blocks) walkBlock(block, indent);
      if (flow.blocks.at(-1)?.head !== undefined) between(indent, ['}']);
      handedOver(indent, flow.behind);
    }
  };

  walk(0, steps.length, INDENT);
  return rows;
}

function opening(head: Head, addressOf: StepPrinting['addressOf']): string {
  const holds = (condition: number) => `*(const uint8_t *)${addressOf(condition)} != 0u`;
  if (head.kind === 'else') return '} else {';
  if (head.kind === 'if') return `if (${holds(head.condition)}) {`;
  const { counter, most, condition } = head;
  const tests = [
    ...(typeof most === 'number' ? [`${counter} < ${unsigned(most)}`] : []),
    ...(typeof most === 'object'
      ? [`(int64_t)${counter} < *(const int64_t *)${addressOf(most.tensor)}`]
      : []),
    ...(condition === undefined ? [] : [holds(condition)]),
  ];
  const test = tests.length === 1 ? tests[0]! : tests.map((one) => `(${one})`).join(' && ');
  return `for (uint32_t ${counter} = 0u; ${test}; ${counter}++) {`;
}

/** Tells the body which turn it is. */
function numbering({ counter, number }: Turns, addressOf: StepPrinting['addressOf']): readonly string[] {
  return number === undefined ? [] : [`*(int64_t *)${addressOf(number)} = (int64_t)${counter};`];
}
