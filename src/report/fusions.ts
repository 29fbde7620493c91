/** Which nodes share a step, and which were left out: what --verbose adds where nodes were fused. */
import { qualified } from '../plan/qualified.ts';
import type { Plan } from '../plan/types.ts';
import type { Paint } from './paint.ts';
import { counted, printable, wrapped } from './text.ts';

/** One line per step that does the work of several nodes; empty for a plan without any. */
export function fusionsText(plan: Plan, paint: Paint, columns: number): string {
  const { fusion, steps } = qualified(plan);
  if (fusion === undefined) return '';
  const fused = steps.filter((step) => step.fused.length > 1);
  const lines = fused.flatMap(({ step, node, op, fused }) => {
    const others = fused.filter((label) => label !== node).map(printable);
    return indented(`${step}  ${printable(node)} (${printable(op)}) with ${others.join(', ')}`, columns);
  });
  const { leftOut } = fusion;
  const gone =
    leftOut.length === 0
      ? []
      : indented(`left out, as they change nothing: ${leftOut.map(printable).join(', ')}`, columns);
  const heading = `${paint.heading('fused')}: ${counted(fused.length, 'step')} of several nodes`;
  return `${[heading, ...lines, ...gone].join('\n')}\n`;
}

function indented(text: string, columns: number): string[] {
  return wrapped(text, columns - 6).map((line, i) => (i === 0 ? `  ${line}` : `      ${line}`));
}
