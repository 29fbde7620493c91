/** What shares no bytes although its operator would allow it, and why: what --verbose adds, and what explanations say. */
import { qualified } from '../plan/qualified.ts';
import type { Plan, PlanDeclined } from '../plan/types.ts';
import type { Paint } from './paint.ts';
import { bytesText, counted, printable, wrapped } from './text.ts';

/** Empty for a plan in which nothing was declined. */
export function declinedText(plan: Plan, paint: Paint, columns: number): string {
  const { declined = [], peak } = qualified(plan);
  if (declined.length === 0) return '';
  const lines = declined.flatMap((one) => {
    const text = `${printable(one.tensor)} ${WAYS[one.how]} ${printable(one.source)}: ${printable(whyDeclined(one, peak.bytes))}`;
    return wrapped(text, columns - 6).map((line, i) => (i === 0 ? `  ${line}` : `      ${line}`));
  });
  const heading = `${paint.heading('sharing declined')}: ${counted(declined.length, 'way')} to share bytes not used`;
  return `${[heading, ...lines].join('\n')}\n`;
}

const WAYS: Readonly<Record<PlanDeclined['how'], string>> = {
  view: 'as a view of',
  'in-place': 'in place over',
  elided: 'without a copy in',
};

/** `peak`: live bytes at the peak of the plan. */
export function whyDeclined({ blocker, peakBytes }: PlanDeclined, peak: number): string {
  if (blocker !== null) return `${blocker} lies in the same bytes and is still needed`;
  if (peakBytes === null) return 'what else shares these bytes forbids it';
  return peakBytes > peak
    ? `it would raise the peak to ${bytesText(peakBytes)}`
    : `it would not lower the peak of ${bytesText(peak)}`;
}
