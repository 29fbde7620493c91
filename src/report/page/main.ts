/** Turns the static page into a tool: reads the data of the plan and wires stage, card, search and table. */
import { bytesText, grouped, stepsText } from '../text.ts';
import type { PageBox, PageData } from './data.ts';
import { byId, framed } from './dom.ts';
import { openDrawing } from './draw.ts';
import { openFilter } from './filter.ts';
import { boxAt } from './hit.ts';
import { openInspector, openTip } from './inspector.ts';
import { openKeys } from './keys.ts';
import { openPointer } from './pointer.ts';
import { openTable } from './table.ts';
import { openView, type Point, type Track } from './view.ts';

/** Pixels by which a pointer may miss a box. */
const SLACK = 4;
const FACTOR = 1.5;

function open(data: PageData): void {
  document.documentElement.classList.add('js');
  const view = openView(data);
  const drawing = openDrawing(data, view);
  const inspector = openInspector(data);
  const tip = openTip(view.stage);
  const cursor = byId('cursor');
  const byRegion = data.regions.map((_, region) => data.boxes.filter((box) => box.region === region));
  const steps = Math.max(1, data.steps.length);
  let chosen: PageBox | undefined;

  const trackOf = (box: PageBox) => view.tracks.find(({ region }) => region === box.region)!;
  const partOf = ({ first, end, offset, bytes }: PageBox) => ({
    first,
    end,
    from: offset,
    to: offset + bytes,
  });
  const choose = (box: PageBox | undefined, close = false) => {
    chosen = box;
    drawing.outline('chosen', box);
    for (const { map } of view.tracks) map.removeAttribute('aria-activedescendant');
    for (const old of view.stage.querySelectorAll('[aria-selected]')) old.removeAttribute('aria-selected');
    if (box === undefined) return inspector.clear();
    const track = trackOf(box);
    track.map.setAttribute('aria-activedescendant', `b${box.id}`);
    byId(`b${box.id}`).setAttribute('aria-selected', 'true');
    view.reveal(track, partOf(box), close);
    inspector.show(box);
  };
  const toPeak = () => {
    const tracks = view.tracks.slice(0, 1);
    const around = Math.max(3, steps * 0.06);
    const part = { first: Math.max(0, data.peak - around), end: Math.min(steps, data.peak + 1 + around) };
    for (const track of tracks)
      view.reveal(track, { ...part, from: 0, to: data.regions[track.region]!.span }, true);
  };

  /** Where a point of the window lies: the track, and the step and byte there. */
  const placeOf = ({ x, y }: Point) => {
    const track = view.tracks.find(({ map }) => {
      const { top, bottom } = map.getBoundingClientRect();
      return top <= y && y <= bottom;
    });
    const rect = byId('time').getBoundingClientRect();
    const step = ((x - rect.left) / rect.width) * steps;
    if (x < view.stage.getBoundingClientRect().left + view.axisWidth())
      return { track: undefined, step: -1, byte: 0 };
    if (track === undefined) return { track, step, byte: 0 };
    const { bottom } = track.map.getBoundingClientRect();
    return { track, step, byte: (bottom - y) / view.scaleOf(track).byte };
  };
  const hitAt = (track: Track, step: number, byte: number) => {
    const scale = view.scaleOf(track);
    return boxAt(byRegion[track.region]!, step, byte, {
      steps: SLACK / scale.step,
      bytes: SLACK / scale.byte,
    });
  };
  const hover = (at: Point | undefined) => {
    const place = at === undefined ? undefined : placeOf(at);
    const step = place === undefined ? -1 : Math.floor(place.step);
    const inside = step >= 0 && step < steps;
    cursor.hidden = !inside;
    const box =
      place?.track === undefined || !inside ? undefined : hitAt(place.track, place.step, place.byte);
    drawing.outline('near', box === chosen ? undefined : box);
    if (at === undefined || !inside) return tip.hide();
    cursor.style.setProperty('--at', String((step + 0.5) / steps));
    if (box !== undefined) tip.show([...boxTip(box), stepTip(data, step)], at.x, at.y);
    else tip.show([stepTip(data, step)], at.x, at.y);
  };

  /** Chooses a box that may be anywhere, and brings it into the window. */
  const seek = (box: PageBox | undefined, close = false) => {
    choose(box, close);
    view.stage.querySelector('.mark.chosen')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  openKeys(data, view, {
    chosen: () => chosen,
    choose: seek,
    closer: (box) => seek(box, true),
    toPeak,
  });
  openPointer(view, {
    hover,
    click: (at) => {
      const { track, step, byte } = placeOf(at);
      if (track === undefined) return;
      track.map.focus({ preventScroll: true });
      choose(hitAt(track, step, byte));
      // A finger does not hover.
      hover(at);
    },
  });
  openFilter(data, view.stage, seek);
  openTable();

  const zooms: Readonly<Record<string, () => void>> = {
    'steps-in': () => view.zoom(FACTOR, 1),
    'steps-out': () => view.zoom(1 / FACTOR, 1),
    'addresses-in': () => view.zoom(1, FACTOR),
    'addresses-out': () => view.zoom(1, 1 / FACTOR),
    fit: view.fit,
    peak: toPeak,
  };
  const byName = new Map(data.boxes.map((box) => [`#b${box.id}`, box]));
  const follow = (hash: string) => {
    const box = byName.get(hash);
    if (box === undefined) return false;
    seek(box);
    return true;
  };
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    zooms[target.closest<HTMLElement>('[data-zoom]')?.dataset.zoom ?? '']?.();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#b"]') : null;
    if (link !== null && follow(link.getAttribute('href')!)) event.preventDefault();
  });
  addEventListener('beforeprint', () => {
    view.fit();
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  const update = framed(drawing.update);
  view.onChange(update);
  drawing.update();
  if (location.hash !== '') follow(location.hash);
}

/** The lines of a box's title, without its name for screen readers. */
function boxTip(box: PageBox): readonly string[] {
  const [main] = box.tensors;
  const type = box.tensors.find(({ name }) => name === box.name)?.type ?? main?.type;
  const shared = box.tensors.length > 1 ? `, shared by ${box.tensors.length} tensors` : '';
  return [
    box.name,
    `${type === undefined ? '' : `${type}, `}${bytesText(box.bytes)}${shared}`,
    `${stepsText(box)}, offset ${grouped(box.offset)}`,
    box.why,
  ];
}

function stepTip({ steps, regions }: PageData, step: number): string {
  const live = regions.reduce((sum, region) => sum + (region.live[step] ?? 0), 0);
  const found = steps[step];
  const name = found === undefined ? '' : ` ${found.node} (${found.op})`;
  return `step ${grouped(step)}${name}: ${bytesText(live)} live`;
}

open(JSON.parse(byId('plan-data').textContent ?? '') as PageData);
