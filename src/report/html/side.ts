/** The cards beside the map: the chosen buffer, what is live at the peak, and what would lower it. */
import type { Plan } from '../../plan/types.ts';
import { peakAdvice } from '../advice.ts';
import { drawnIds, type Scene } from '../chart/scene.ts';
import { liveAt, liveName } from '../live.ts';
import { decimal, type Markup, markup } from '../markup.ts';
import { bytesText, counted, grouped, stepText, typeText } from '../text.ts';

/** Buffers beyond these are added up in one line. */
const MOST = 12;

/** Empty until the script fills it. */
export function inspectorCard(): Markup {
  return markup`<section id="inspector" class="tool card chosen" aria-live="polite" aria-label="Chosen buffer"><h2>Buffer</h2><p>Choose a box with a click or the arrow keys to see what it holds and why it lies there.</p></section>`;
}

export function peakCards(plan: Plan, scene: Scene): Markup {
  const { step, bytes } = plan.peak;
  const live = liveAt(plan, step).filter((entry) => entry.bytes > 0);
  const drawn = drawnIds(scene);
  const rest = live.slice(MOST);
  const restBytes = rest.reduce((sum, entry) => sum + entry.bytes, 0);
  const rows = live.slice(0, MOST).map((entry) => {
    const { buffer, bytes: held } = entry;
    const [main] = entry.tensors;
    const name = liveName(entry);
    const type = main !== undefined && markup` <small>${typeText(main)}</small>`;
    const link = drawn.has(buffer.id) ? markup`<a href="#b${buffer.id}">${name}</a>` : markup`${name}`;
    return row(markup`${link}${type}`, held, bytes);
  });
  const where = plan.steps.length === 0 ? '' : ` at step ${grouped(step)}, ${stepText(plan, step)}`;
  return markup`<section class="card"><h2>The peak</h2>
<p><b>${bytesText(bytes)}</b> live${where}</p>
<ul class="live">
${rows}${rest.length > 0 && row(markup`${counted(rest.length, 'more buffer')}`, restBytes, bytes)}</ul></section>
${adviceCard(plan)}`;
}

function row(what: Markup, bytes: number, whole: number): Markup {
  const share = decimal((100 * bytes) / Math.max(1, whole), 2);
  return markup`<li><span>${what}</span><b>${grouped(bytes)}</b><svg class="share" width="100%" height="3" aria-hidden="true"><rect width="${share}%" height="3"/></svg></li>
`;
}

function adviceCard(plan: Plan): Markup | false {
  const advice = peakAdvice(plan);
  if (advice.length === 0) return false;
  const items = advice.map(
    ({ text, option }) => markup`<li>${text}${option !== null && markup` <code>${option}</code>`}</li>\n`,
  );
  return markup`<section class="card"><h2>What would lower it</h2>
<ul class="advice">
${items}</ul></section>`;
}
