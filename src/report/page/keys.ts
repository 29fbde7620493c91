/** The keyboard on a map: a list box whose options are the boxes. */
import type { PageBox, PageData } from './data.ts';
import { type Direction, neighbour } from './hit.ts';
import type { Track, View } from './view.ts';

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowUp: 'above',
  ArrowDown: 'below',
};
const FACTOR = 1.5;

export interface KeyTargets {
  readonly chosen: () => PageBox | undefined;
  readonly choose: (box: PageBox | undefined) => void;
  readonly closer: (box: PageBox) => void;
  readonly toPeak: () => void;
}

export function openKeys(data: PageData, view: View, targets: KeyTargets): void {
  for (const track of view.tracks) {
    const { map, region } = track;
    map.tabIndex = 0;
    map.setAttribute('role', 'listbox');
    map.setAttribute('aria-label', map.dataset.label ?? '');
    const svg = map.querySelector('svg')!;
    svg.setAttribute('role', 'none');
    svg.removeAttribute('aria-label');
    for (const group of svg.querySelectorAll('.box')) group.setAttribute('role', 'option');
    const boxes = data.boxes.filter((box) => box.region === region);
    map.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (pressed(event.key, track, boxes, view, targets)) event.preventDefault();
    });
  }
}

/** Whether the key means something here. */
function pressed(
  key: string,
  { region }: Track,
  boxes: readonly PageBox[],
  view: View,
  { chosen, choose, closer, toPeak }: KeyTargets,
): boolean {
  const now = chosen();
  const here = now !== undefined && now.region === region ? now : undefined;
  const direction = DIRECTIONS[key];
  if (direction !== undefined) {
    const next = here === undefined ? boxes[0] : neighbour(boxes, here, direction);
    if (next !== undefined) choose(next);
  } else if (key === 'Home') choose(boxes[0]);
  else if (key === 'End') choose(boxes[boxes.length - 1]);
  else if (key === 'Escape') choose(undefined);
  else if (key === 'Enter' && here !== undefined) closer(here);
  else if (key === '+' || key === '=') view.zoom(FACTOR, 1);
  else if (key === '-') view.zoom(1 / FACTOR, 1);
  else if (key === '0') view.fit();
  else if (key === 'p' || key === 'P') toPeak();
  else return false;
  return true;
}
