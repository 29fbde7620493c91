/** Mouse, wheel and touch on the stage: hover, click, drag to pan, wheel and pinch to zoom. */
import type { PageBox } from './data.ts';
import { framed } from './dom.ts';
import type { Point, View } from './view.ts';

export interface PointerTargets {
  /** Something is pointed at; undefined: nothing any more. */
  readonly hover: (at: Point | undefined) => void;
  readonly click: (at: Point, element: Element) => void;
}

const DRAG = 4;
const WHEEL = 0.0022;
const LINE = 16;

export function openPointer({ stage, zoom }: View, { hover, click }: PointerTargets): void {
  const fingers = new Map<number, Point>();
  let start: (Point & { readonly left: number; readonly top: number; readonly button: boolean }) | undefined;
  let dragged = false;
  let last: Point | undefined;
  const later = framed(() => hover(last));

  stage.addEventListener('pointermove', (event) => {
    const at = { x: event.clientX, y: event.clientY };
    if (event.pointerType === 'touch') {
      pinch(fingers, event.pointerId, at, zoom);
      return;
    }
    if (start !== undefined && (dragged || Math.hypot(at.x - start.x, at.y - start.y) > DRAG)) {
      if (!dragged) stage.setPointerCapture(event.pointerId);
      dragged = true;
      stage.classList.add('panning');
      stage.scrollTo(start.left + start.x - at.x, start.top + start.y - at.y);
    }
    last = dragged ? undefined : at;
    later();
  });
  stage.addEventListener('pointerdown', (event) => {
    const at = { x: event.clientX, y: event.clientY };
    if (event.pointerType === 'touch') fingers.set(event.pointerId, at);
    else if (event.button === 0) {
      start = { ...at, left: stage.scrollLeft, top: stage.scrollTop, button: true };
      dragged = false;
    }
  });
  const release = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    start = undefined;
    stage.classList.remove('panning');
  };
  stage.addEventListener('pointerup', release);
  stage.addEventListener('pointercancel', release);
  stage.addEventListener('pointerleave', () => {
    last = undefined;
    later();
  });
  stage.addEventListener('click', (event) => {
    if (!dragged) click({ x: event.clientX, y: event.clientY }, event.target as Element);
    dragged = false;
  });
  stage.addEventListener(
    'wheel',
    (event) => {
      // Without Ctrl the wheel scrolls the page, until the stage has been clicked or tabbed to.
      if (!event.ctrlKey && !event.metaKey && !stage.contains(document.activeElement)) return;
      event.preventDefault();
      const turned = event.deltaY === 0 ? event.deltaX : event.deltaY;
      const factor = Math.exp(-turned * (event.deltaMode === 0 ? 1 : LINE) * WHEEL);
      const at = { x: event.clientX, y: event.clientY };
      if (event.shiftKey) zoom(1, factor, at);
      else zoom(factor, 1, at);
    },
    { passive: false },
  );
}

/** Two fingers zoom by the ratio of their distances; one pans by itself. */
function pinch(fingers: Map<number, Point>, id: number, at: Point, zoom: View['zoom']): void {
  const before = fingers.get(id);
  if (before === undefined) return;
  fingers.set(id, at);
  const other = [...fingers].find(([key]) => key !== id)?.[1];
  if (fingers.size !== 2 || other === undefined) return;
  const factor =
    Math.hypot(at.x - other.x, at.y - other.y) /
    Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
  zoom(factor, factor, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
}

export type { PageBox };
