/** What follows the zoom: names in boxes, ticks of the axes, and outlines around single boxes. */
import { nameInPlace } from '../chart/in-place.ts';
import { byteTicks, halfOf, stepTicks } from '../chart/ticks.ts';
import { grouped } from '../text.ts';
import type { PageBox, PageData } from './data.ts';
import { byId, make } from './dom.ts';
import type { Track, View } from './view.ts';

const STEP_TICK = 74;
const BYTE_TICK = 46;
const FLAG = 52;
const NARROWEST_NAME = 46;
const LOWEST_NAME = 14;
const TWO_LINES = 30;
const MOST_SHOWN = 300;
/** Boxes smaller than these have no lines in them. */
const NARROWEST = 20;
const LOWEST_SEAM = 4;

export interface Drawing {
  /** Brings names and ticks up to date with the part that is in view. */
  readonly update: () => void;
  /** Outlines a box; undefined: nothing. */
  readonly outline: (kind: 'near' | 'chosen', box: PageBox | undefined) => void;
}

export function openDrawing(data: PageData, view: View): Drawing {
  const steps = Math.max(1, data.steps.length);
  const byRegion = view.tracks.map(({ region }) =>
    data.boxes.filter((box) => box.region === region).sort((a, b) => area(b) - area(a)),
  );
  return {
    update: () => {
      const frame = view.stage.getBoundingClientRect();
      const left = frame.left + view.axisWidth();
      const window = {
        left,
        right: frame.left + view.stage.clientWidth,
        top: frame.top + view.headHeight(),
        bottom: frame.bottom,
      };
      timeTicks(data, steps, window);
      view.tracks.forEach((track, i) => {
        const box = track.map.getBoundingClientRect();
        addressTicks(data, track, box, window);
        names(track, byRegion[i]!, box, window, {
          steps,
          span: data.regions[track.region]!.span,
          turns: data.turns,
        });
      });
    },
    outline: (kind, box) => {
      for (const old of view.stage.querySelectorAll(
        kind === 'chosen' ? '.mark.chosen, .mark.under' : '.mark.near',
      ))
        old.remove();
      if (box === undefined) return;
      mark(view, data, steps, box, kind);
      if (kind === 'near') return;
      for (const id of box.restsOn) {
        const below = data.boxes.find((other) => other.id === id);
        if (below !== undefined) mark(view, data, steps, below, 'under');
      }
    },
  };
}

function mark(view: View, data: PageData, steps: number, box: PageBox, kind: string): void {
  const { span } = data.regions[box.region]!;
  const element = make('div', { class: `mark ${kind}` });
  element.style.cssText =
    `left:${(100 * box.first) / steps}%;width:${(100 * (box.end - box.first)) / steps}%;` +
    `bottom:${(100 * box.offset) / span}%;height:${(100 * box.bytes) / span}%`;
  view.tracks.find(({ region }) => region === box.region)!.map.append(element);
}

function area({ first, end, bytes }: PageBox): number {
  return (end - first) * bytes;
}

interface Window {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function timeTicks(data: PageData, steps: number, { left, right }: Window): void {
  const time = byId('time');
  const rect = time.getBoundingClientRect();
  const pixels = rect.width / steps;
  const from = Math.max(0, Math.floor((left - rect.left) / pixels));
  const to = Math.min(steps - 1, Math.ceil((right - rect.left) / pixels));
  const label = (at: number, text: string, kind: string) => {
    const span = make('span', { class: kind }, text);
    span.style.setProperty('--at', `${(100 * (at + 0.5)) / steps}%`);
    span.style.setProperty('--half', halfOf(text));
    return span;
  };
  const ticks = stepTicks(from, to, (right - left) / STEP_TICK).filter(
    ({ at }) =>
      Math.abs(at - data.peak) * pixels > FLAG && edge(rect.left + (at + 0.5) * pixels, left, right),
  );
  time.replaceChildren(
    ...ticks.map(({ at, label: text }) => label(at, text, 'tick')),
    label(data.peak, `peak ${grouped(data.peak)}`, 'flag'),
  );
}

/** Labels are centred: at the edges they would be cut. */
function edge(x: number, left: number, right: number): boolean {
  return x > left + 12 && x < right - 14;
}

function addressTicks(data: PageData, { map, region }: Track, rect: DOMRect, window: Window): void {
  const { span } = data.regions[region]!;
  const pixels = rect.height / span;
  const from = Math.max(0, (rect.bottom - window.bottom) / pixels);
  const to = Math.min(span, (rect.bottom - window.top) / pixels);
  const ticks = to <= from ? [] : byteTicks(from, to, ((to - from) * pixels) / BYTE_TICK);
  const place = (element: HTMLElement, at: number) => {
    element.style.top = `${(100 * (span - at)) / span}%`;
    return element;
  };
  document
    .querySelector(`[data-axis="${region}"]`)!
    .replaceChildren(
      ...ticks.map(({ at, label }) =>
        place(make('span', { class: at === 0 ? 'tick zero' : 'tick' }, label), at),
      ),
    );
  map.querySelector('.grid')!.replaceChildren(...ticks.map(({ at }) => place(make('i'), at)));
}

/**
 * Names of the largest boxes in view that have room for one, and lines where another tensor takes over. A box that
 * begins outside has its name at the edge.
 */
function names(
  { map }: Track,
  boxes: readonly PageBox[],
  rect: DOMRect,
  window: Window,
  {
    steps,
    span,
    turns,
  }: { readonly steps: number; readonly span: number; readonly turns: PageData['turns'] },
): void {
  const shown: HTMLElement[] = [];
  const add = (
    name: string,
    left: number,
    top: number,
    width: number,
    height: number,
    ...children: Node[]
  ) => {
    const element = make(name, {}, ...children);
    element.style.cssText = `left:${left - rect.left}px;top:${top - rect.top}px;width:${width}px;height:${height}px`;
    shown.push(element);
  };
  for (const box of boxes) {
    const left = Math.max(rect.left + (rect.width * box.first) / steps, window.left);
    const right = Math.min(rect.left + (rect.width * box.end) / steps, window.right);
    if (right - left < NARROWEST) continue;
    const top = Math.max(rect.bottom - (rect.height * (box.offset + box.bytes)) / span, window.top);
    const bottom = Math.min(rect.bottom - (rect.height * box.offset) / span, window.bottom);
    if (bottom - top < LOWEST_SEAM) continue;
    for (const tensor of box.tensors.filter(({ first }) => first > box.first)) {
      const x = rect.left + (rect.width * tensor.first) / steps;
      const high = Math.max(rect.bottom - (rect.height * (tensor.offset + tensor.bytes)) / span, top);
      const low = Math.min(rect.bottom - (rect.height * tensor.offset) / span, bottom);
      if (x > left && x < right && low > high) add('i', x, high, 0, low - high);
    }
    if (right - left >= NARROWEST_NAME && bottom - top >= LOWEST_NAME) {
      const name = document.createTextNode(shortest(nameInPlace(turns, box.first, box.name), right - left));
      const bytes = bottom - top < TWO_LINES ? [] : [make('small', {}, grouped(box.bytes))];
      add('span', left, top, right - left, bottom - top, name, ...bytes);
    }
    if (shown.length >= MOST_SHOWN) break;
  }
  map.querySelector('.names')!.replaceChildren(...shown);
}

const CHARACTER = 6;

/** The whole name, or the part after its last slash where the whole does not fit. */
function shortest(name: string, pixels: number): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return name.length * CHARACTER > pixels && last !== '' ? last : name;
}
