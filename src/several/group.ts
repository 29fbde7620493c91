/** Buffers of several models that become one: the bytes that each needs, and when. */
import { fail } from '../errors.ts';
import type { JointBuffer, JointMember } from '../lifetime/types.ts';
import type { BufferKind } from '../plan/types.ts';
import type { Gap } from '../planner/types.ts';
import type { Stretch } from './axis.ts';

/** Bytes [from, to) of a group that are taken during the steps [first, end). */
export interface Activity extends Stretch {
  readonly from: number;
  readonly to: number;
}

/** A buffer in the making. */
export interface Group {
  readonly id: string;
  readonly kind: BufferKind;
  readonly alignment: number;
  readonly members: readonly JointMember[];
  readonly activities: readonly Activity[];
  /** A joined group has lost the overlaps that its parts were permitted. */
  readonly mayOverlap: JointBuffer['mayOverlap'];
}

const KINDS: readonly BufferKind[] = ['persistent', 'input', 'output', 'activation', 'scratch', 'copy'];

/**
 * One group of two, the second beginning `shift` bytes into the first (which may be negative). Throws E_RULE when no
 * address suits both; `what` names the reason for joining them.
 */
export function joinGroups(a: Group, b: Group, shift: number, what: string): Group {
  const [downA, downB] = shift < 0 ? [-shift, 0] : [0, shift];
  if (downA % a.alignment !== 0 || downB % b.alignment !== 0) {
    const text = `${what}: the one begins ${Math.abs(shift)} bytes into the buffer of the other, which the alignment of ${Math.max(a.alignment, b.alignment)} forbids.`;
    fail('E_RULE', text, { hint: '--no-views and --no-elide give tensors buffers of their own.' });
  }
  return {
    id: a.id,
    kind: KINDS.find((kind) => kind === a.kind || kind === b.kind)!,
    alignment: leastCommonMultiple(a.alignment, b.alignment),
    members: [...moved(a.members, downA), ...moved(b.members, downB)],
    activities: [...lifted(a.activities, downA), ...lifted(b.activities, downB)],
    mayOverlap: undefined,
  };
}

function moved(members: readonly JointMember[], by: number): readonly JointMember[] {
  return by === 0 ? members : members.map((member) => ({ ...member, offset: member.offset + by }));
}

function lifted(activities: readonly Activity[], by: number): readonly Activity[] {
  return by === 0 ? activities : activities.map((one) => ({ ...one, from: one.from + by, to: one.to + by }));
}

function leastCommonMultiple(a: number, b: number): number {
  let multiple = a;
  while (multiple % b !== 0) multiple += a;
  return multiple;
}

/** The buffer that a group comes to: what no activity takes for a time is a gap. */
export function bufferOf({ activities, mayOverlap, ...group }: Group, sizeRound: number): JointBuffer {
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

function gapsOf(activities: readonly Activity[], { first, end }: Stretch, bytes: number): readonly Gap[] {
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
