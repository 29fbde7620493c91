/** Search and legend: what does not match is dimmed on the map and left out of the table. */
import { grouped } from '../text.ts';
import type { PageBox, PageData } from './data.ts';
import { byId, framed, make } from './dom.ts';
import { matches } from './hit.ts';

/** `go` is called with a match that the user asks for with Enter. */
export function openFilter(data: PageData, stage: HTMLElement, go: (box: PageBox) => void): void {
  const find = byId('find') as HTMLInputElement;
  const found = byId('found');
  const groups = new Map([...stage.querySelectorAll('.box')].map((group) => [group.id, group]));
  const rows = [...document.querySelectorAll<HTMLElement>('#tensors tbody tr')];
  const looks = new Set<string>();
  const nodeOf = (step: number) => `${data.steps[step]?.node ?? ''} ${data.steps[step]?.op ?? ''}`;
  let texts: readonly string[] | undefined;
  let hits: readonly PageBox[] = [];
  let at = -1;

  const apply = framed(() => {
    const text = find.value.trim().toLowerCase();
    const filtering = text !== '' || looks.size > 0;
    const named = text === '' ? data.boxes : matches(data.boxes, nodeOf, text);
    hits = filtering ? named.filter(({ look }) => looks.size === 0 || looks.has(look)) : [];
    at = -1;
    const ids = new Set(hits.map(({ id }) => `b${id}`));
    for (const [id, group] of groups) group.classList.toggle('hit', ids.has(id));
    stage.classList.toggle('finding', filtering);
    found.textContent = text === '' ? '' : `${grouped(hits.length)} of ${grouped(data.boxes.length)}`;
    texts ??= rows.map((row) => (row.textContent ?? '').toLowerCase());
    rows.forEach((row, i) => {
      row.hidden = text !== '' && !texts![i]!.includes(text);
    });
  });

  find.addEventListener('input', apply);
  find.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && hits.length > 0) {
      at = (at + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
      if (at < 0) at = hits.length - 1;
      go(hits[at]!);
    }
    if (event.key === 'Escape' && find.value !== '') {
      find.value = '';
      apply();
    }
  });
  addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    find.focus();
  });
  for (const key of document.querySelectorAll<HTMLElement>('#legend .key')) {
    const look = key.dataset.look!;
    const button = make(
      'button',
      { type: 'button', class: 'key', 'data-look': look, 'aria-pressed': 'false' },
      ...key.childNodes,
    );
    button.addEventListener('click', () => {
      if (!looks.delete(look)) looks.add(look);
      button.setAttribute('aria-pressed', String(looks.has(look)));
      apply();
    });
    key.replaceWith(button);
  }
}
