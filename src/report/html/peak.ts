/** Beside the map: what is live at the peak, and what would lower it. */
import type { Plan } from '../../plan/types.ts';
import { peakAdvice } from '../advice.ts';
import { liveAt } from '../live.ts';
import { decimal, type Markup, markup } from '../markup.ts';
import { bytesText, counted, grouped, printable, stepText, typeText } from '../text.ts';

/** Buffers beyond these are added up in one line. */
const MOST = 12;

export function peakSections(plan: Plan): Markup {
  const { step, bytes } = plan.peak;
  const live = liveAt(plan, step).filter((entry) => entry.bytes > 0);
  const rest = live.slice(MOST);
  const restBytes = rest.reduce((sum, entry) => sum + entry.bytes, 0);
  const rows = live.slice(0, MOST).map(({ buffer, bytes: held, tensors: [main] }) => {
    const name = main === undefined ? `${buffer.kind} ${buffer.id}` : printable(main.name);
    return markup`<li>${row(held, bytes)}<span><a href="#b${buffer.id}">${name}</a> <small>${main === undefined ? '' : typeText(main)}</small></span></li>
`;
  });
  const where = plan.steps.length === 0 ? '' : ` at step ${grouped(step)}, ${stepText(plan, step)}`;
  return markup`<section class="card"><h2>The peak</h2>
<p><b>${bytesText(bytes)}</b> live${where}</p>
<ul class="live">
${rows}${rest.length > 0 && markup`<li>${row(restBytes, bytes)}<span>${counted(rest.length, 'more buffer')}</span></li>`}</ul></section>
${adviceSection(plan)}`;
}

function row(bytes: number, whole: number): Markup {
  return markup`<b>${grouped(bytes)}</b><svg class="share" width="100%" height="3" aria-hidden="true"><rect width="${decimal((100 * bytes) / Math.max(1, whole), 2)}%" height="3"/></svg>`;
}

function adviceSection(plan: Plan): Markup | false {
  const advice = peakAdvice(plan);
  if (advice.length === 0) return false;
  return markup`<section class="card"><h2>What would lower it</h2>
<ul class="advice">
${advice.map(({ text, option }) => markup`<li>${text}${option !== null && markup` <code>${option}</code>`}</li>\n`)}</ul></section>`;
}
