/** Weights, which have no live range: a strip by size, and a list. */
import type { Plan, PlanConstant } from '../../plan/types.ts';
import { decimal, type Markup, markup } from '../markup.ts';
import { bytesText, counted, grouped, printable, typeText } from '../text.ts';

/** Of the strip; smaller ones are one piece. */
const MOST_PIECES = 60;
/** Of the list. */
const MOST_ROWS = 500;

export function weightSection({ constants, totals }: Plan): Markup | false {
  if (constants.length === 0) return false;
  const order = constants
    .map(({ flashBytes, ...one }) => ({ ...one, bytes: flashBytes ?? one.bytes }))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const inRam = constants.filter(({ place }) => place === 'ram').reduce((sum, { bytes }) => sum + bytes, 0);
  const place =
    inRam === 0 ? 'in flash, outside the arena' : `${grouped(inRam)} of them in RAM, the rest in flash`;
  return markup`<section class="weights" aria-labelledby="weights-title">
<h2 id="weights-title">Weights</h2>
<p>${bytesText(totals.weightBytes)} in ${counted(constants.length, 'constant')}, ${place}. Each piece of the strip is one of them.</p>
${strip(order)}
<details><summary>${counted(Math.min(MOST_ROWS, order.length), 'constant')} by size</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Table of weights"><table>
<thead><tr><th scope="col">name</th><th scope="col">type and shape</th><th scope="col" class="n">bytes</th><th scope="col">place</th></tr></thead>
<tbody>
${order.slice(0, MOST_ROWS).map((constant) => markup`<tr><th scope="row">${printable(constant.name)}</th><td>${typeText(constant)}</td><td class="n">${grouped(constant.bytes)}</td><td>${constant.place}</td></tr>\n`)}</tbody></table></div>
${order.length > MOST_ROWS && markup`<p>${counted(order.length - MOST_ROWS, 'smaller constant')} are in plan.json.</p>`}</details>
</section>`;
}

function strip(order: readonly PlanConstant[]): Markup {
  const whole = Math.max(
    1,
    order.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  let at = 0;
  const piece = (bytes: number, title: string, place: string) => {
    const x = at;
    at += bytes;
    return markup`<rect class="${place}" x="${decimal((100 * x) / whole)}%" width="${decimal((100 * bytes) / whole)}%" height="28"><title>${title}</title></rect>`;
  };
  const pieces = order
    .slice(0, MOST_PIECES)
    .map((constant) =>
      piece(
        constant.bytes,
        `${printable(constant.name)}\n${typeText(constant)}, ${bytesText(constant.bytes)}, in ${constant.place}`,
        constant.place,
      ),
    );
  const rest = order.slice(MOST_PIECES);
  const restBytes = rest.reduce((sum, { bytes }) => sum + bytes, 0);
  const last =
    rest.length > 0 &&
    piece(restBytes, `${counted(rest.length, 'smaller constant')}, ${bytesText(restBytes)}`, 'rest');
  return markup`<svg class="strip" width="100%" height="28" role="img" aria-label="Weights by size, the largest first">${pieces}${last}</svg>`;
}
