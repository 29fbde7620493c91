/** The boxes of a region as SVG, in percent of the picture or in pixels. */

import type { PlanTensor } from '../../plan/types.ts';
import { decimal, type Markup, markup } from '../markup.ts';
import { fillOf } from './patterns.ts';
import type { Box, RegionScene } from './scene.ts';
import type { Piece } from './shape.ts';

/** Turns steps and bytes into values of `x`, `y`, `width` and `height`. */
export interface Scale {
  readonly across: (step: number) => string;
  /** From the top: addresses grow upwards. */
  readonly down: (byte: number) => string;
  readonly wide: (steps: number) => string;
  readonly high: (bytes: number) => string;
}

/** In percent of the picture: it stretches with the page, and texts in it do not. */
export function percentScale(steps: number, span: number): Scale {
  const share = (part: number, whole: number) => `${decimal((100 * part) / whole, 5)}%`;
  return {
    across: (step) => share(step, steps),
    down: (byte) => share(span - byte, span),
    wide: (count) => share(count, steps),
    high: (bytes) => share(bytes, span),
  };
}

/** In pixels, for a picture of a fixed size. */
export function pixelScale(steps: number, span: number, width: number, height: number): Scale {
  const part = (value: number, whole: number, pixels: number) => decimal((pixels * value) / whole, 2);
  return {
    across: (step) => part(step, steps, width),
    down: (byte) => part(span - byte, span, height),
    wide: (count) => part(count, steps, width),
    high: (bytes) => part(bytes, span, height),
  };
}

/** Lower boxes have faint outlines between two of their kind: those of many would be nothing but a black band. */
const THIN = 4;

/**
 * One element per box, named `b<id>`, with its lines as a title: the tooltip, and the name for screen readers. `pixels`:
 * height of the picture.
 */
export function boxMarks(
  { boxes, span }: RegionScene,
  scale: Scale,
  pixels: number,
  linesOf: (box: Box) => readonly string[],
): readonly Markup[] {
  const crowded = crowdedIds(boxes, pixels / span);
  return boxes.map((box) => {
    const { pieces, look, buffer } = box;
    const head = markup`id="b${buffer.id}" class="box${crowded.has(buffer.id) && ' thin'}" fill="${fillOf(look)}"`;
    const title = markup`<title>${linesOf(box).join('\n')}</title>`;
    const [first] = pieces;
    if (first !== undefined && pieces.length === 1) {
      return markup`<rect ${head} ${rectangle(first, scale)}>${title}</rect>\n`;
    }
    const parts = pieces.map((piece) => markup`<rect ${rectangle(piece, scale)}/>`);
    return markup`<g ${head}>${title}${parts}</g>\n`;
  });
}

/** Ids of thin boxes that rest on a thin one and carry one. `scale`: pixels of a byte. */
function crowdedIds(boxes: readonly Box[], scale: number): ReadonlySet<number> {
  const thin = new Set(
    boxes.filter(({ buffer }) => buffer.bytes * scale < THIN).map(({ buffer }) => buffer.id),
  );
  const onThin = boxes.filter(
    ({ buffer, restsOn }) => thin.has(buffer.id) && restsOn.some((id) => thin.has(id)),
  );
  const carrying = new Set(onThin.flatMap(({ restsOn }) => restsOn));
  return new Set(onThin.map(({ buffer }) => buffer.id).filter((id) => carrying.has(id)));
}

function rectangle({ first, end, from, to }: Piece, scale: Scale): Markup {
  return markup`x="${scale.across(first)}" y="${scale.down(to)}" width="${scale.wide(end - first)}" height="${scale.high(to - from)}"`;
}

/** More lines than these would hide the boxes. */
const MOST_SEAMS = 1000;

/** Lines inside boxes where another tensor takes over the bytes or a part of them. */
export function seams({ boxes }: RegionScene, scale: Scale): Markup {
  const lines = boxes.flatMap(({ tensors, buffer }) =>
    tensors.filter(({ first }) => first > buffer.first).map((tensor) => seam(tensor, scale)),
  );
  return markup`<g class="seams">${lines.length > MOST_SEAMS ? [] : lines}</g>`;
}

function seam({ first, offset, bytes }: PlanTensor, scale: Scale): Markup {
  const x = scale.across(first);
  return markup`<line x1="${x}" y1="${scale.down(offset! + bytes)}" x2="${x}" y2="${scale.down(offset!)}"/>`;
}
