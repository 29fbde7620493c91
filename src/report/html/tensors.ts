/** Every tensor as a table: the words for what the map shows. */
import type { Plan, PlanTensor } from '../../plan/types.ts';
import { drawnIds, type Scene } from '../chart/scene.ts';
import { howText } from '../chart/words.ts';
import { type Markup, markup } from '../markup.ts';
import { counted, grouped, printable, stepsText, typeText } from '../text.ts';
import { usageOf } from '../usage.ts';

/** Tables up to this length are open when the page is. */
const SHORT = 60;
const MOST_ROWS = 5000;

export function tensorSection(plan: Plan, scene: Scene): Markup {
  const usage = usageOf(plan);
  const several = plan.regions.length > 1;
  const drawn = drawnIds(scene);
  const tensors = [...plan.tensors].sort((a, b) => a.first - b.first || (a.offset ?? -1) - (b.offset ?? -1));
  const rows = tensors.slice(0, MOST_ROWS).map((tensor) => {
    const { writer } = usage(tensor);
    const name = printable(tensor.name);
    const link = tensor.buffer !== null && drawn.has(tensor.buffer);
    return markup`<tr><th scope="row">${link ? markup`<a href="#b${tensor.buffer!}">${name}</a>` : name}</th><td>${typeText(tensor)}</td><td class="n">${grouped(tensor.bytes)}</td><td data-sort="${tensor.first}">${stepsText(tensor)}</td><td class="n" data-sort="${tensor.offset ?? -1}">${place(tensor, several)}</td><td>${howText(tensor)}</td><td>${writer === undefined ? 'the caller' : printable(writer.op)}</td></tr>
`;
  });
  const heads = [
    ['tensor', ''],
    ['type and shape', ''],
    ['bytes', 'n'],
    ['live', ''],
    ['offset', 'n'],
    ['shares', ''],
    ['written by', ''],
  ] as const;
  return markup`<section class="tensors" aria-labelledby="tensors-title">
<h2 id="tensors-title">Tensors</h2>
<details${tensors.length <= SHORT && ' open'}><summary>${counted(rows.length, 'tensor')} in the order in which they come to life</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Table of tensors"><table id="tensors">
<thead><tr>${heads.map(([text, kind]) => markup`<th scope="col"${kind !== '' && markup` class="${kind}"`}>${text}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>
${tensors.length > MOST_ROWS && markup`<p>${counted(tensors.length - MOST_ROWS, 'later tensor')} are in plan.json.</p>`}</details>
</section>`;
}

function place({ offset, region }: PlanTensor, several: boolean): string {
  if (offset === null) return '';
  return several ? `${printable(region ?? '')} + ${grouped(offset)}` : grouped(offset);
}
