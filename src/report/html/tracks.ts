/** One region on the stage: its title, the live bytes, and the map of its addresses. Stretches with the page. */

import { curvePath } from '../chart/curve.ts';
import { nameInPlace } from '../chart/in-place.ts';
import { boxMarks, percentScale, type Scale, seams } from '../chart/marks.ts';
import type { Box, RegionScene, Scene } from '../chart/scene.ts';
import { byteTicks } from '../chart/ticks.ts';
import { decimal, type Markup, markup } from '../markup.ts';
import { bytesText, counted, grouped, printable, shortened } from '../text.ts';

export interface TrackOptions {
  readonly index: number;
  readonly scene: Scene;
  readonly linesOf: (box: Box) => readonly string[];
  /** Of the map, in pixels. */
  readonly height: number;
  readonly several: boolean;
}

const TICKS = 6;
/** Widths of the map from which on labels of that class are shown: page.css has a rule for each. */
const TIERS = [480, 720, 960, 1280] as const;
const CHARACTER = 6.7;
const LONGEST = 24;
const LINE = 15;

export function regionTracks(region: RegionScene, options: TrackOptions): Markup {
  const { index, scene, height } = options;
  const name = printable(region.region.name);
  const label = `Map of ${name}: ${counted(region.boxes.length, 'buffer')} in ${bytesText(region.region.used)} over ${counted(scene.steps, 'step')}`;
  const scale = percentScale(scene.steps, region.span);
  return markup`<div class="band"><h3>${name}</h3> <span>${bandText(region)}</span></div>
<div class="axis live"><span>live bytes</span></div>
${curveTrack(region, scene)}
<div class="axis" data-axis="${index}">${axisTicks(region, scale)}</div>
<div class="track map" data-region="${index}" data-label="${label}" style="--h:${height}px">${gridLines(region, scale)}
<svg class="boxes" width="100%" height="${height}" role="img" aria-label="${label}. The table of tensors below says the same in words.">
${boxMarks(region, scale, height, options.linesOf)}${seams(region, scale)}<g class="labels">${staticLabels(region, options, scale)}</g>
</svg>
${limitLine(region, region.span)}
<div class="names" aria-hidden="true"></div>
</div>
`;
}

function bandText({ region, available, omitted }: RegionScene): string {
  const { origin, used, capacity, reserved } = region;
  const parts = [
    origin === null ? '' : `from 0x${origin.toString(16).padStart(8, '0')}`,
    capacity === null
      ? `${grouped(used)} bytes, size not known`
      : `${grouped(used)} of ${bytesText(capacity)}`,
    reserved > 0 ? `${grouped(reserved)} reserved` : '',
    available !== null && used > available ? `${grouped(used - available)} too many` : '',
    omitted > 0 ? `${counted(omitted, 'smallest buffer')} not drawn` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function curveTrack(region: RegionScene, { steps }: Scene): Markup {
  const { lowerBound, peak, optimal } = region.region;
  const span = Math.max(region.span, lowerBound);
  const path = curvePath(region.live, String, (bytes) => decimal(span - bytes, 0));
  const bound = `lower bound ${grouped(lowerBound)}${optimal ? ', reached' : ''}`;
  return markup`<div class="track curve" title="${`peak ${bytesText(peak.bytes)} at step ${grouped(peak.step)}`}"><svg viewBox="0 0 ${steps} ${span}" width="100%" height="72" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/></svg>
<i class="line bound" style="top:${down(lowerBound, span)}"><span>${bound}</span></i>
${limitLine(region, span)}</div>`;
}

/** Where the memory ends, if that is near enough to be in the picture. */
function limitLine({ available }: RegionScene, span: number): Markup | false {
  if (available === null) return false;
  if (available > span) {
    return markup`<i class="line far"><span>${bytesText(available)} available, far above</span></i>`;
  }
  return markup`<i class="line limit" style="top:${down(available, span)}"><span>${bytesText(available)} available</span></i>`;
}

function down(byte: number, span: number): string {
  return `${decimal((100 * (span - byte)) / span)}%`;
}

function axisTicks({ span }: RegionScene, scale: Scale): readonly Markup[] {
  return byteTicks(0, span, TICKS).map(
    ({ at, label }) =>
      markup`<span class="tick${at === 0 && ' zero'}" style="top:${scale.down(at)}">${label}</span>`,
  );
}

function gridLines({ span }: RegionScene, scale: Scale): Markup {
  const lines = byteTicks(0, span, TICKS).map(({ at }) => markup`<i style="top:${scale.down(at)}"></i>`);
  return markup`<div class="grid">${lines}</div>`;
}

/** Names for a page without script: each with the class of the widths from which on it fits. */
function staticLabels(
  { boxes, span }: RegionScene,
  { scene, height }: TrackOptions,
  scale: Scale,
): readonly Markup[] {
  return boxes.flatMap(({ buffer, name }) => {
    const text = shortened(printable(nameInPlace(scene.turns, buffer.first, name)), LONGEST);
    const needed = ((text.length * CHARACTER + 8) * scene.steps) / (buffer.end - buffer.first);
    const tier = TIERS.find((width) => width >= needed);
    if (tier === undefined || (height * buffer.bytes) / span < LINE) return [];
    return [
      markup`<text class="w${tier}" x="${scale.across(buffer.first)}" y="${scale.down(buffer.offset + buffer.bytes)}" dx="4" dy="12">${text}</text>`,
    ];
  });
}
