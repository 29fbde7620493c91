/** The head of the page: what was planned for which chip, whether it fits, and the figures. */

import { percent } from '../../percent.ts';
import { modelFiles } from '../../plan/qualified.ts';
import type { Plan, PlanRegion } from '../../plan/types.ts';
import { optimalText } from '../chart/words.ts';
import { type Figure, figures, sizesSentence } from '../figures.ts';
import { decimal, type Markup, markup } from '../markup.ts';
import { bytesText, grouped, printable, scaled } from '../text.ts';

export function pageHeader(plan: Plan): Markup {
  const { target, fits, totals } = plan;
  return markup`<header>
<div>
<h1>${modelFiles(plan).map(printable).join(' + ')}</h1>
<p>on <b>${target.id}</b> (${target.core}): ${sizesSentence(plan)}</p>
</div>
<p class="verdicts"><span class="verdict ${fits ? 'good' : 'bad'}">${fits ? 'fits' : 'does not fit'}</span> <span class="verdict ${totals.optimal ? 'good' : 'caution'}">${optimalText(plan)}</span></p>
</header>`;
}

/** The arenas with their bars, then every other figure. */
export function figureSection(plan: Plan): Markup {
  return markup`<section class="figures" aria-label="Figures">
${plan.regions.flatMap(meter)}
<dl>
${figures(plan).map(figure)}</dl>
</section>`;
}

function figure({ label, bytes, remark, tone }: Figure): Markup {
  const exact =
    typeof bytes === 'number' && bytes >= 1024 && markup` <span class="exact">${bytesText(bytes)}</span>`;
  const value = typeof bytes === 'string' ? bytes : bytes >= 1024 ? scaled(bytes) : bytesText(bytes);
  return markup`<div class="figure ${tone}"><dt>${label}</dt><dd><b>${value}</b>${exact}${remark !== '' && markup` <span class="remark">${remark}</span>`}</dd></div>
`;
}

/** A region from end to end: used, reserved, free; what is too much is drawn beyond its end. */
function meter({ name, used, capacity, reserved }: PlanRegion): Markup[] {
  if (capacity === null || capacity === 0) return [];
  const whole = Math.max(capacity, used + reserved);
  const share = (bytes: number) => `${decimal((100 * bytes) / whole, 3)}%`;
  const over = used + reserved > capacity;
  const text = `${printable(name)}: ${grouped(used)} of ${grouped(capacity)} bytes used (${percent(used, capacity)})${reserved > 0 ? `, ${grouped(reserved)} reserved` : ''}`;
  const bar = markup`<div class="meter"><p>${text}</p><svg width="100%" height="12" role="img" aria-label="${text}">
<rect class="whole" width="100%" height="12" rx="3"/>
<rect class="used${over && ' over'}" width="${share(used)}" height="12" rx="3"/>
${reserved > 0 && markup`<rect class="reserved" x="${share(used)}" width="${share(reserved)}" height="12"/>`}
${over && markup`<rect class="end" x="${share(capacity)}" width="2" height="12"/>`}
</svg></div>`;
  return [bar];
}
