/** The stage of the page: time across, addresses up, one row of tracks per region. */
import type { Plan } from '../../plan/types.ts';
import { LOOKS, type Look } from '../chart/families.ts';
import { swatch } from '../chart/patterns.ts';
import type { Box, Scene } from '../chart/scene.ts';
import { halfOf, stepTicks } from '../chart/ticks.ts';
import { decimal, type Markup, markup } from '../markup.ts';
import { grouped } from '../text.ts';
import { regionTracks } from './tracks.ts';

const TICKS = 8;
/** Ticks nearer to the peak's label than this share of the axis make room for it. */
const CLOSE = 0.07;

export function looksOf({ regions }: Scene): ReadonlySet<Look> {
  return new Set(regions.flatMap(({ boxes }) => boxes.map(({ look }) => look)));
}

export function stageBar(): Markup {
  return markup`<div class="bar">
<h2 id="plan-title">Memory over the steps</h2>
<div class="tool find" role="search"><input type="search" id="find" placeholder="Find a tensor, node or operator" aria-label="Find a tensor, node or operator" autocomplete="off" spellcheck="false"><output id="found" for="find"></output></div>
<div class="tool zoom" role="group" aria-label="Zoom">${zoomButtons('steps')}${zoomButtons('addresses')}<div><button type="button" data-zoom="fit">Fit</button><button type="button" data-zoom="peak">Peak</button></div></div>
</div>`;
}

export function stageSection(plan: Plan, scene: Scene, linesOf: (box: Box) => readonly string[]): Markup {
  const heights = mapHeights(scene);
  const several = plan.regions.length > 1;
  const tracks = scene.regions.map((region, index) =>
    regionTracks(region, { index, scene, linesOf, height: heights[index]!, several }),
  );
  return markup`<section class="view" aria-labelledby="plan-title">
<div class="stage" id="stage">
<div class="sheet" id="sheet">
<div class="corner">step</div>
<div class="time" id="time">${timeTicks(plan, scene)}</div>
${turnRow(plan, scene)}${tracks}
<i class="peak" style="--at:${share(plan.peak.step, scene)};--wide:${share(1, scene)}"></i>
<i class="cursor" id="cursor" hidden></i>
</div>
</div>
${legend(scene)}
<p class="tool keys"><kbd>&larr;</kbd><kbd>&rarr;</kbd> next box, <kbd>&uarr;</kbd><kbd>&darr;</kbd> what lies above and below, <kbd>Enter</kbd> closer, <kbd>+</kbd><kbd>&minus;</kbd> zoom, <kbd>0</kbd> fit, <kbd>P</kbd> peak, <kbd>/</kbd> find. Drag to pan. The wheel zooms the steps once the map is chosen, or with <kbd>Ctrl</kbd>; with <kbd>Shift</kbd> it zooms the addresses.</p>
</section>`;
}

function zoomButtons(what: string): Markup {
  return markup`<div><span>${what}</span><button type="button" data-zoom="${what}-out" aria-label="Zoom out of the ${what}">&minus;</button><button type="button" data-zoom="${what}-in" aria-label="Zoom into the ${what}">+</button></div>`;
}

function share(step: number, { steps }: Scene): string {
  return decimal(step / steps, 7);
}

/** The largest region gets the room it deserves, a small one enough to be read. */
function mapHeights({ regions }: Scene): readonly number[] {
  if (regions.length === 1) return [380];
  const most = Math.max(1, ...regions.map(({ span }) => span));
  return regions.map(({ span }) => Math.round(110 + 190 * Math.sqrt(span / most)));
}

function timeTicks({ peak }: Plan, scene: Scene): readonly Markup[] {
  const middle = (step: number) => (step + 0.5) / scene.steps;
  const ticks = stepTicks(0, scene.steps - 1, TICKS).filter(
    ({ at }) => Math.abs(middle(at) - middle(peak.step)) > CLOSE,
  );
  const label = (at: number, text: string, kind: string) =>
    markup`<span class="${kind}" style="--at:${decimal(100 * middle(at))}%;--half:${halfOf(text)}">${text}</span>`;
  return [
    ...ticks.map(({ at, label: text }) => label(at, text, 'tick')),
    label(peak.step, `peak ${grouped(peak.step)}`, 'flag'),
  ];
}

/** Whose steps they are, and lines through all tracks where they change hands. */
function turnRow({ buckets, run }: Plan, scene: Scene): Markup | false {
  if (scene.turns.length === 0) return false;
  const places = scene.turns.map(({ label, first, end, part, about }) => {
    const place = `--at:${share(first, scene)};--wide:${share(end - first, scene)}`;
    return markup`<span class="turn${part % 2 === 1 && ' odd'}" style="${place}" title="${about}">${label}</span>`;
  });
  const edges = scene.turns
    .filter(({ first }) => first > 0)
    .map(({ first }) => markup`<i class="handover" style="--at:${share(first, scene)}"></i>`);
  return markup`<div class="corner turns">${buckets !== undefined ? 'sizes' : (run?.parts.length ?? 1) > 1 ? 'part' : 'model'}</div>
<div class="turns" id="turns">${places}</div>
${edges}
`;
}

function legend(scene: Scene): Markup {
  const looks = looksOf(scene);
  const entries = LOOKS.filter(({ look }) => looks.has(look)).map(
    ({ look, label }) =>
      markup`<li><span class="key" data-look="${look}">${swatch(look)}${label}</span></li>`,
  );
  return markup`<ul class="legend" id="legend" aria-label="Colours">${entries}</ul>`;
}
