/** Which box lies where, and which is next to which: geometry without a document. */
import type { PageBox } from './data.ts';

/** How far a pointer may miss a box, in the units of the axes. */
export interface Slack {
  readonly steps: number;
  readonly bytes: number;
}

/** The box under a point of a region, or the nearest within the slack; of boxes one over the other the smallest. */
export function boxAt(
  boxes: readonly PageBox[],
  step: number,
  byte: number,
  slack: Slack,
): PageBox | undefined {
  let best: PageBox | undefined;
  let nearest = Number.POSITIVE_INFINITY;
  for (const box of boxes) {
    const across = outside(step, box.first, box.end) / slack.steps;
    const up = outside(byte, box.offset, box.offset + box.bytes) / slack.bytes;
    const distance = Math.max(across, up);
    if (distance > 1 || distance > nearest) continue;
    if (distance === nearest && best !== undefined && size(best) <= size(box)) continue;
    best = box;
    nearest = distance;
  }
  return best;
}

function outside(value: number, from: number, to: number): number {
  return Math.max(from - value, value - to, 0);
}

function size({ first, end, bytes }: PageBox): number {
  return (end - first) * bytes;
}

export type Direction = 'next' | 'previous' | 'above' | 'below';

/** Next and previous follow the order in which buffers come to life; above and below look among those live together. */
export function neighbour(
  boxes: readonly PageBox[],
  from: PageBox,
  direction: Direction,
): PageBox | undefined {
  const at = boxes.indexOf(from);
  if (direction === 'next') return boxes[at + 1];
  if (direction === 'previous') return boxes[at - 1];
  const up = direction === 'above';
  let best: PageBox | undefined;
  for (const box of boxes) {
    if (box === from || box.first >= from.end || box.end <= from.first) continue;
    if (up ? box.offset <= from.offset : box.offset >= from.offset) continue;
    if (best === undefined || (up ? box.offset < best.offset : box.offset > best.offset)) best = box;
  }
  return best;
}

/** Boxes of which a tensor's name, the node that writes it, or its operator contains the text. */
export function matches(
  boxes: readonly PageBox[],
  nodeOf: (step: number) => string,
  text: string,
): readonly PageBox[] {
  const wanted = text.trim().toLowerCase();
  return boxes.filter((box) =>
    [
      box.name,
      ...box.tensors.map(
        ({ name, type, writer }) => `${name} ${type} ${writer === null ? '' : nodeOf(writer)}`,
      ),
    ]
      .join(' ')
      .toLowerCase()
      .includes(wanted),
  );
}
