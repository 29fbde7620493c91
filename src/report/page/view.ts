/** Zoom and pan of the stage. Boxes are in percent, so a zoom changes two numbers of the sheet and nothing else. */
import type { PageData } from './data.ts';
import { byId } from './dom.ts';

/** A point of the window. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Track {
  readonly map: HTMLElement;
  /** Index of the region. */
  readonly region: number;
}

export interface View {
  readonly stage: HTMLElement;
  readonly tracks: readonly Track[];
  /** Multiplies the zoom of the steps and of the addresses; what lies at the point stays there. */
  readonly zoom: (steps: number, addresses: number, at?: Point) => void;
  readonly fit: () => void;
  /** Pans so that a part of a track is in view; `close`: zooms so that it fills a good part of the stage. */
  readonly reveal: (track: Track, part: Part, close: boolean) => void;
  /** Width of the track's part that one step takes, height of one byte, in pixels. */
  readonly scaleOf: (track: Track) => { readonly step: number; readonly byte: number };
  readonly axisWidth: () => number;
  /** Of what stays in view above the tracks. */
  readonly headHeight: () => number;
  /** Called after every change. */
  readonly onChange: (listener: () => void) => void;
}

/** In steps and bytes. */
export interface Part {
  readonly first: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** One step is never wider, the smallest box never higher than so many pixels; no map is higher than the last. */
const WIDEST_STEP = 240;
const HIGHEST_BOX = 40;
const HIGHEST_MAP = 4_000_000;
const CLOSE = 0.4;

export function openView(data: PageData): View {
  const stage = byId('stage');
  const sheet = byId('sheet');
  const tracks = [...sheet.querySelectorAll<HTMLElement>('.map')].map((map) => {
    return { map, region: Number(map.dataset.region) };
  });
  const listeners: (() => void)[] = [];
  const steps = Math.max(1, data.steps.length);
  let across = 1;
  let up = 1;

  const axisWidth = () => byId('time').getBoundingClientRect().left - sheet.getBoundingClientRect().left;
  const headHeight = () => byId('time').offsetHeight + (document.getElementById('turns')?.offsetHeight ?? 0);
  const plotWidth = () => stage.clientWidth - axisWidth();
  const most = () => {
    const least = data.boxes.reduce((min, { bytes }) => Math.min(min, bytes), Number.POSITIVE_INFINITY);
    const heights = tracks.map(({ map, region }) => {
      const height = map.offsetHeight / up;
      return Math.min((HIGHEST_BOX * data.regions[region]!.span) / least / height, HIGHEST_MAP / height);
    });
    return {
      across: Math.max(1, (WIDEST_STEP * steps) / plotWidth()),
      up: Math.max(1, ...heights.filter(Number.isFinite)),
    };
  };
  const set = (nextAcross: number, nextUp: number) => {
    const limit = most();
    across = Math.min(limit.across, Math.max(1, nextAcross));
    up = Math.min(limit.up, Math.max(1, nextUp));
    stage.classList.toggle('tall', up > 1);
    // These properties are registered as not inherited, or the style of every box would be computed anew.
    sheet.style.setProperty('--zx', String(across));
    for (const { map } of tracks) map.style.setProperty('--zy', String(up));
  };
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const trackAt = (y: number) =>
    tracks.find(({ map }) => map.getBoundingClientRect().bottom > y) ?? tracks[tracks.length - 1];

  const zoom: View['zoom'] = (byAcross, byUp, at) => {
    const frame = stage.getBoundingClientRect();
    const x = at?.x ?? frame.left + axisWidth() + plotWidth() / 2;
    const y = at?.y ?? frame.top + frame.height / 2;
    const anchor = trackAt(y);
    if (anchor === undefined) return;
    const before = anchor.map.getBoundingClientRect();
    const u = (x - before.left) / before.width;
    const v = (y - before.top) / before.height;
    set(across * byAcross, up * byUp);
    const after = anchor.map.getBoundingClientRect();
    stage.scrollLeft += after.left + u * after.width - x;
    stage.scrollTop += after.top + v * after.height - y;
    changed();
  };
  const reveal: View['reveal'] = ({ map, region }, part, close) => {
    const { span } = data.regions[region]!;
    if (close) {
      const height = map.offsetHeight / up;
      set(
        (CLOSE * steps) / (part.end - part.first),
        Math.min(
          (CLOSE * span) / (part.to - part.from),
          (stage.clientHeight / height) * (span / (part.to - part.from)),
        ),
      );
    }
    const frame = stage.getBoundingClientRect();
    const box = map.getBoundingClientRect();
    const left = box.left + (box.width * part.first) / steps;
    const right = box.left + (box.width * part.end) / steps;
    const top = box.bottom - (box.height * part.to) / span;
    const bottom = box.bottom - (box.height * part.from) / span;
    stage.scrollLeft += shift(left, right, frame.left + axisWidth(), frame.left + stage.clientWidth);
    stage.scrollTop += shift(top, bottom, frame.top + headHeight(), frame.top + stage.clientHeight);
    changed();
  };

  stage.addEventListener('scroll', changed, { passive: true });
  addEventListener('resize', () => {
    set(across, up);
    changed();
  });
  return {
    stage,
    tracks,
    zoom,
    fit: () => {
      set(1, 1);
      changed();
    },
    reveal,
    scaleOf: ({ map, region }) => {
      return { step: map.offsetWidth / steps, byte: map.offsetHeight / data.regions[region]!.span };
    },
    axisWidth,
    headHeight,
    onChange: (listener) => listeners.push(listener),
  };
}

/** How far to scroll so that [from, to] is in the window [low, high]: not at all, or to its middle. */
function shift(from: number, to: number, low: number, high: number): number {
  if (from >= low && to <= high) return 0;
  return to - from > high - low ? from - low - 20 : (from + to) / 2 - (low + high) / 2;
}
