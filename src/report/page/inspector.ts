/** The card that says everything about the chosen buffer, and the tooltip that says the most important. */
import { bytesText, grouped, stepsText } from '../text.ts';
import type { PageBox, PageData, PageTensor } from './data.ts';
import { byId, make } from './dom.ts';

export function openInspector(data: PageData): {
  readonly show: (box: PageBox) => void;
  readonly clear: () => void;
} {
  const card = byId('inspector');
  const empty = [...card.childNodes];
  const nameOf = (id: number) => data.boxes.find((box) => box.id === id)?.name ?? `buffer ${id}`;
  const stepText = (step: number) => {
    const found = data.steps[step];
    return found === undefined ? `step ${step}` : `step ${grouped(step)}, ${found.node} (${found.op})`;
  };
  const show = (box: PageBox) => {
    const swatch = document.querySelector(`[data-look="${box.look}"] .swatch`)?.cloneNode(true) ?? null;
    const region = data.regions[box.region]!;
    const place =
      region.origin === null
        ? ''
        : `, address 0x${(region.origin + box.offset).toString(16).padStart(8, '0')}`;
    card.replaceChildren(
      make('h2', {}, swatch, make('span', {}, box.name)),
      make('p', { class: 'sub' }, `buffer ${box.id}, ${data.looks[box.look] ?? box.look}`),
      facts([
        ['bytes', grouped(box.bytes)],
        ['live', stepsText(box)],
        ['place', `${region.name} + ${grouped(box.offset)}${place}`],
        ['aligned', `to ${bytesText(box.alignment)}`],
        ['why there', box.why],
      ]),
      ...(box.restsOn.length === 0 ? [] : [links('Rests on', box.restsOn, nameOf)]),
      make('h3', {}, box.tensors.length === 1 ? 'Tensor' : `${box.tensors.length} tensors in it`),
      ...box.tensors.map((tensor) => tensorEntry(tensor, stepText)),
    );
  };
  return { show, clear: () => card.replaceChildren(...empty) };
}

function facts(rows: readonly (readonly [string, string])[]): HTMLElement {
  return make(
    'dl',
    { class: 'facts' },
    ...rows.flatMap(([label, text]) => [make('dt', {}, label), make('dd', {}, text)]),
  );
}

function links(title: string, ids: readonly number[], nameOf: (id: number) => string): HTMLElement {
  const list = ids.map((id) => make('li', {}, make('a', { href: `#b${id}` }, nameOf(id))));
  return make('div', {}, make('h3', {}, title), make('ul', {}, ...list));
}

function tensorEntry(tensor: PageTensor, stepText: (step: number) => string): HTMLElement {
  const { name, type, how, writer, readers, stays } = tensor;
  return make(
    'div',
    { class: 'tensor' },
    make('b', {}, name),
    make('p', {}, `${type}, ${bytesText(tensor.bytes)}, ${stepsText(tensor)}`),
    how === '' ? null : make('p', {}, how),
    make('p', {}, `written by ${writer === null ? 'the caller' : stepText(writer)}`),
    make('p', {}, readers.length === 0 ? 'read by nothing' : `read by ${readers.map(stepText).join('; ')}`),
    stays === '' ? null : make('p', {}, stays),
  );
}

export interface Tip {
  /** Lines beside a point of the window; the first is strong. */
  readonly show: (lines: readonly string[], x: number, y: number) => void;
  readonly hide: () => void;
}

const BESIDE = 14;

/** Where it can, it stays within `stage`, so that it does not lie over the card beside it. */
export function openTip(stage: HTMLElement): Tip {
  const tip = byId('tip');
  return {
    show: ([first = '', ...rest], x, y) => {
      tip.replaceChildren(make('b', {}, first), ...rest.map((line) => make('div', {}, line)));
      tip.hidden = false;
      const { width, height } = tip.getBoundingClientRect();
      const right = Math.min(innerWidth, stage.getBoundingClientRect().right);
      const left = x + BESIDE + width > right ? x - BESIDE - width : x + BESIDE;
      const top = y + BESIDE + height > innerHeight ? y - BESIDE - height : y + BESIDE;
      tip.style.transform = `translate(${Math.max(4, left)}px,${Math.max(4, top)}px)`;
    },
    hide: () => {
      tip.hidden = true;
    },
  };
}
