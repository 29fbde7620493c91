/** The outline of a buffer in time and address: its box less the parts that are free for a time. */
import type { PlanBuffer } from '../../plan/types.ts';

/** Steps [first, end), bytes [from, to) of the region. */
export interface Piece {
  readonly first: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

type Interval = readonly [from: number, to: number];

/** One piece without gaps; with gaps as few as tell where the buffer holds bytes. */
export function piecesOf({ first, end, offset, bytes, gaps }: PlanBuffer): readonly Piece[] {
  if (bytes === 0) return [];
  if (gaps.length === 0) return [{ first, end, from: offset, to: offset + bytes }];
  const pieces: Piece[] = [];
  let open: readonly Piece[] = [];
  for (const [begin, finish] of spansOf({ first, end, gaps })) {
    const held = without(
      [0, bytes],
      gaps.filter((gap) => gap.first < finish && begin < gap.end).map(({ from, to }) => [from, to]),
    );
    const before: readonly Piece[] = open;
    open = held.map(([from, to]) => {
      const [low, high] = [offset + from, offset + to];
      const same = before.find((piece) => piece.from === low && piece.to === high);
      return { first: same?.first ?? begin, end: finish, from: low, to: high };
    });
    pieces.push(
      ...before.filter((was) => !open.some((is) => is.first === was.first && is.from === was.from)),
    );
  }
  return [...pieces, ...open];
}

/** Bytes that a buffer holds during each span of steps in which that does not change. */
export function heldBytes(buffer: PlanBuffer): readonly { first: number; end: number; bytes: number }[] {
  return spansOf(buffer).map(([first, end]) => {
    const gaps = buffer.gaps.filter((gap) => gap.first < end && first < gap.end);
    const held = without(
      [0, buffer.bytes],
      gaps.map(({ from, to }) => [from, to]),
    );
    return { first, end, bytes: held.reduce((sum, [from, to]) => sum + to - from, 0) };
  });
}

function spansOf({ first, end, gaps }: Pick<PlanBuffer, 'first' | 'end' | 'gaps'>): readonly Interval[] {
  const inside = gaps.flatMap((gap) => [gap.first, gap.end]).filter((step) => first < step && step < end);
  const cuts = [...new Set([first, ...inside, end])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((cut, i) => [cut, cuts[i + 1]!]);
}

function without([from, to]: Interval, holes: readonly Interval[]): readonly Interval[] {
  const left: Interval[] = [];
  let reached = from;
  for (const [low, high] of [...holes].sort((a, b) => a[0] - b[0])) {
    if (low > reached) left.push([reached, Math.min(low, to)]);
    reached = Math.max(reached, high);
  }
  if (reached < to) left.push([reached, to]);
  return left;
}
