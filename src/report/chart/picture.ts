/** One region of the standalone picture: the live bytes above, the map of its addresses below. */
import { decimal, type Markup, markup } from '../markup.ts';
import { grouped, printable, shortened } from '../text.ts';
import { curvePath } from './curve.ts';
import { nameInPlace } from './in-place.ts';
import { boxMarks, pixelScale, seams } from './marks.ts';
import type { Box, RegionScene } from './scene.ts';
import { byteTicks, stepTicks } from './ticks.ts';
import type { Turn } from './turns.ts';

export interface Frame {
  readonly left: number;
  /** Of the plot, in pixels. */
  readonly width: number;
  readonly steps: number;
  readonly peak: number;
  /** Whose steps they are; none for a single model. */
  readonly turns: readonly Turn[];
  /** Whether there are other regions, so that each needs its name. */
  readonly several: boolean;
  readonly mapHeight: number;
  readonly linesOf: (box: Box) => readonly string[];
}

const CURVE = 54;
const BETWEEN = 26;
const AXIS = 22;
/** A line with the names of models below the axis. */
const TURNS = 18;
const LABEL_CHARACTER = 6.4;
const LINE = 14;

/** Draws at `top`, and says how many pixels that takes. */
export function regionPicture(
  scene: RegionScene,
  frame: Frame,
  top: number,
): { readonly picture: Markup; readonly height: number } {
  const name = frame.several ? 22 : 0;
  const mapTop = CURVE + BETWEEN + name;
  const turns = frame.turns.length > 0 ? TURNS : 0;
  const height = mapTop + frame.mapHeight + AXIS + turns;
  const x = (step: number) => decimal((frame.width * step) / frame.steps, 2);
  const peak = markup`<path class="peak" d="M${x(frame.peak)} ${name}V${height - AXIS - turns}H${x(frame.peak + 1)}V${name}"/>`;
  const title =
    frame.several &&
    markup`<text class="strong" y="8">${printable(scene.region.name)}: ${grouped(scene.region.used)} bytes</text>`;
  const picture = markup`<g transform="translate(${frame.left} ${top})">
${title}
<g transform="translate(0 ${name})">${curve(scene, frame, x)}</g>
<g transform="translate(0 ${mapTop})">${map(scene, frame)}</g>
<g transform="translate(0 ${mapTop + frame.mapHeight})">${timeAxis(frame)}</g>
${peak}${turnMarks(frame, x, name, height)}
</g>\n`;
  return { picture, height };
}

function curve(
  { live, region, available }: RegionScene,
  { width }: Frame,
  x: (step: number) => string,
): Markup {
  const { lowerBound, used } = region;
  const span = Math.max(
    1,
    lowerBound,
    used,
    ...(available !== null && available <= used * 1.35 ? [available] : []),
  );
  const y = (bytes: number) => decimal(CURVE - (CURVE * bytes) / span, 2);
  const limit = available !== null && available <= span;
  return markup`<text class="end" x="-8" y="10">live</text><text class="end" x="-8" y="24">bytes</text>
<path class="curve" d="${curvePath(live, x, y)}"/>
<line class="bound" x2="${width}" y1="${y(lowerBound)}" y2="${y(lowerBound)}"/>
${limit && markup`<line class="limit" x2="${width}" y1="${y(available)}" y2="${y(available)}"/>`}
<text class="end" x="${width}" y="${CURVE + 15}">lower bound ${grouped(lowerBound)} at step ${region.peak.step}</text>
<line class="frame" x2="${width}" y1="${CURVE}" y2="${CURVE}"/>`;
}

function map(scene: RegionScene, frame: Frame): Markup {
  const { width, mapHeight: height, steps } = frame;
  const { span, available, region } = scene;
  const scale = pixelScale(steps, span, width, height);
  const ticks = byteTicks(0, span, 6);
  const limit = available !== null && available <= span;
  return markup`${ticks.map(({ at, label }) => markup`<line class="grid" x2="${width}" y1="${scale.down(at)}" y2="${scale.down(at)}"/><text class="end" x="-8" y="${decimal(Number(scale.down(at)) + 4, 2)}">${label}</text>`)}
<g class="boxes">
${boxMarks(scene, scale, height, frame.linesOf)}${seams(scene, scale)}</g>
<g class="labels">${labels(scene, frame)}</g>
${limit && markup`<line class="limit" x1="0" x2="${width}" y1="${scale.down(available)}" y2="${scale.down(available)}"/><text class="end" x="${width - 4}" y="${decimal(Number(scale.down(available)) + 13, 2)}">available in ${printable(region.name)}: ${grouped(available)}</text>`}
<rect class="frame" width="${width}" height="${height}"/>`;
}

/** Names where they fit, with the bytes below where those do. */
function labels({ boxes, span }: RegionScene, { width, mapHeight, steps, turns }: Frame): readonly Markup[] {
  return boxes.flatMap(({ buffer, name: whole }) => {
    const name = nameInPlace(turns, buffer.first, whole);
    const wide = (width * (buffer.end - buffer.first)) / steps - 8;
    const high = (mapHeight * buffer.bytes) / span;
    const room = Math.floor(wide / LABEL_CHARACTER);
    if (room < Math.min(9, name.length) || high < LINE) return [];
    const x = decimal((width * buffer.first) / steps + 4, 2);
    const y = mapHeight - (mapHeight * (buffer.offset + buffer.bytes)) / span + LINE - 2;
    const bytes = grouped(buffer.bytes);
    const second =
      high >= 2 * LINE &&
      bytes.length <= room &&
      markup`<text class="label faint" x="${x}" y="${decimal(y + LINE, 2)}">${bytes}</text>`;
    return [
      markup`<text class="label" x="${x}" y="${decimal(y, 2)}">${shortened(printable(name), room)}</text>${second}`,
    ];
  });
}

/** Where another model takes over: a line from top to bottom, and whose steps follow. */
function turnMarks(
  { turns }: Frame,
  x: (step: number) => string,
  top: number,
  bottom: number,
): readonly Markup[] {
  return turns.map(({ label, first, end, about }) => {
    const room = Math.floor((Number(x(end)) - Number(x(first)) - 8) / LABEL_CHARACTER);
    const text = room < Math.min(4, label.length) ? '' : shortened(label, room);
    const line = first > 0 && markup`<path class="turn" d="M${x(first)} ${top}V${bottom}"/>`;
    return markup`${line}<text class="strong" x="${decimal(Number(x(first)) + 4, 2)}" y="${bottom - 4}">${text}<title>${about}</title></text>`;
  });
}

function timeAxis({ steps, width, peak }: Frame): Markup {
  const middle = (step: number) => (width * (step + 0.5)) / steps;
  const marks = stepTicks(0, steps - 1, 16).filter(({ at }) => Math.abs(middle(at) - middle(peak)) > 40);
  return markup`${marks.map(({ at, label }) => markup`<text class="middle" x="${decimal(middle(at), 2)}" y="16">${label}</text>`)}
<text class="strong middle" x="${decimal(Math.min(width - 40, Math.max(40, middle(peak))), 2)}" y="16">peak, step ${grouped(peak)}</text>`;
}
