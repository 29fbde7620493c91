/** Buffers that become one: the bytes that each needs, and when. */

import type { BufferKind } from '../plan/types.ts';
import { lcm } from '../planner/arithmetic.ts';
import type { Gap } from '../planner/types.ts';
import type { LiveRange, Member, TensorBuffer } from './types.ts';

/** Bytes [from, to) of a group that are taken during the steps [first, end). */
export interface Activity extends LiveRange {
  readonly from: number;
  readonly to: number;
}

/** A buffer in the making. */
export interface Group {
  readonly id: string;
  readonly kind: BufferKind;
  readonly alignment: number;
  readonly members: readonly Member[];
  readonly activities: readonly Activity[];
  /** A joined group has lost the overlaps that its parts were permitted. */
  readonly mayOverlap: TensorBuffer['mayOverlap'];
}

const KINDS: readonly BufferKind[] = ['persistent', 'input', 'output', 'activation', 'scratch', 'copy'];

/** One group of two, the second beginning `shift` bytes into the first (which may be negative); see `suits`. */
export function joinGroups(a: Group, b: Group, shift: number): Group {
  const [downA, downB] = shift < 0 ? [-shift, 0] : [0, shift];
  return {
    id: a.id,
    kind: KINDS.find((kind) => kind === a.kind || kind === b.kind)!,
    alignment: lcm(a.alignment, b.alignment),
    members: [...moved(a.members, downA), ...moved(b.members, downB)],
    activities: [...lifted(a.activities, downA), ...lifted(b.activities, downB)],
    mayOverlap: undefined,
  };
}

/** One address suits both groups when the second begins `shift` bytes into the first. */
export function suits(a: Pick<Group, 'alignment'>, b: Pick<Group, 'alignment'>, shift: number): boolean {
  return shift < 0 ? -shift % a.alignment === 0 : shift % b.alignment === 0;
}

/** A buffer as a group of its own. */
export function groupOf(buffer: TensorBuffer): Group {
  const { id, kind, alignment, members, mayOverlap } = buffer;
  return { id, kind, alignment, members, activities: takenBy(buffer), mayOverlap };
}

/** What a buffer holds, slice by slice. */
export function takenBy({ first, end, bytes, gaps = [] }: TensorBuffer): readonly Activity[] {
  if (gaps.length === 0) return [{ first, end, from: 0, to: bytes }];
  const cuts = [...new Set([first, end, ...gaps.flatMap((gap) => [gap.first, gap.end])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).flatMap((begin, i) => {
    const finish = cuts[i + 1]!;
    const taken: Activity[] = [];
    let reached = 0;
    const free = gaps
      .filter((gap) => gap.first <= begin && finish <= gap.end)
      .sort((a, b) => a.from - b.from);
    for (const { from, to } of [...free, { from: bytes, to: bytes }]) {
      if (from > reached) taken.push({ first: begin, end: finish, from: reached, to: from });
      reached = Math.max(reached, to);
    }
    return taken;
  });
}

function moved(members: readonly Member[], by: number): readonly Member[] {
  return by === 0 ? members : members.map((member) => ({ ...member, offset: member.offset + by }));
}

function lifted(activities: readonly Activity[], by: number): readonly Activity[] {
  return by === 0 ? activities : activities.map((one) => ({ ...one, from: one.from + by, to: one.to + by }));
}

/** The buffer that a group comes to: what no activity takes for a time is a gap. */
export function bufferOf({ activities, mayOverlap, ...group }: Group, sizeRound: number): TensorBuffer {
  const first = activities.reduce((least, one) => Math.min(least, one.first), Number.POSITIVE_INFINITY);
  const end = activities.reduce((most, one) => Math.max(most, one.end), 0);
  const needed = activities.reduce((most, { to }) => Math.max(most, to), 0);
  const bytes = Math.ceil(needed / sizeRound) * sizeRound;
  const gaps = gapsOf(activities, { first, end }, bytes);
  return {
    ...group,
    ...{ first, end, bytes },
    ...(gaps.length > 0 && { gaps }),
    ...(mayOverlap && { mayOverlap }),
  };
}

function gapsOf(activities: readonly Activity[], { first, end }: LiveRange, bytes: number): readonly Gap[] {
  if (activities.length === 1 || bytes === 0) return [];
  const cuts = [...new Set(activities.flatMap((one) => [one.first, one.end]))].sort((a, b) => a - b);
  const gaps: Gap[] = [];
  cuts.slice(0, -1).forEach((begin, i) => {
    const finish = cuts[i + 1]!;
    if (begin < first || finish > end) return;
    const taken = activities
      .filter((one) => one.first <= begin && finish <= one.end)
      .sort((a, b) => a.from - b.from);
    let reached = 0;
    for (const { from, to } of [...taken, { from: bytes, to: bytes }]) {
      if (from > reached) extend(gaps, { first: begin, end: finish, from: reached, to: from });
      reached = Math.max(reached, to);
    }
  });
  return gaps;
}

/** Adds a gap, or makes the one that it continues longer. */
function extend(gaps: Gap[], gap: Gap): void {
  const at = gaps.findIndex(({ end, from, to }) => end === gap.first && from === gap.from && to === gap.to);
  if (at < 0) gaps.push(gap);
  else gaps[at] = { ...gaps[at]!, end: gap.end };
}
