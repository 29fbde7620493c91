/** The shortest way from one list of lines to another. Source: Myers, An O(ND) Difference Algorithm, 1986. */

/** A run of lines: kept, removed from the old list, or added from the new one. */
export interface Run {
  readonly kind: 'keep' | 'remove' | 'add';
  /** First line of the run in either list, from 0, and how many there are. */
  readonly old: number;
  readonly now: number;
  readonly count: number;
}

/** Lists that differ in more lines than this are not compared line by line: the search is quadratic in them. */
const MOST_EDITS = 1000;

/** Runs in order; together they cover both lists. */
export function lineRuns(old: readonly string[], now: readonly string[]): readonly Run[] {
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < least - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const edits = shortestEdits(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const kinds = [...Array<Kind>(head).fill('keep'), ...edits, ...Array<Kind>(tail).fill('keep')];
  return grouped(kinds);
}

type Kind = Run['kind'];

/** Between kept lines, what is removed goes before what is added. */
function grouped(kinds: readonly Kind[]): readonly Run[] {
  const runs: Run[] = [];
  let [old, now] = [0, 0];
  const push = (kind: Kind, count: number) => {
    if (count === 0) return;
    runs.push({ kind, old, now, count });
    if (kind !== 'add') old += count;
    if (kind !== 'remove') now += count;
  };
  for (let at = 0; at < kinds.length; ) {
    const count = { keep: 0, remove: 0, add: 0 };
    const kept = kinds[at] === 'keep';
    while (at < kinds.length && (kinds[at] === 'keep') === kept) count[kinds[at++]!]++;
    push('keep', count.keep);
    push('remove', count.remove);
    push('add', count.add);
  }
  return runs;
}

/** How far a number of edits reaches in the old list, by diagonal k = x - y: k = -edits, -edits + 2, ... edits. */
type Frontier = Int32Array;

function reach(frontier: Frontier, k: number): number {
  return frontier[(k + frontier.length - 1) / 2] ?? -1;
}

/** The furthest way to diagonal k: one line down from k + 1 (added), or one to the right of k - 1 (removed). */
function comesFromAbove(before: Frontier, k: number): boolean {
  return k === -before.length || (k !== before.length && reach(before, k - 1) < reach(before, k + 1));
}

/** One step per line. */
function shortestEdits(old: readonly string[], now: readonly string[]): Kind[] {
  const frontiers = search(old, now);
  if (frontiers === undefined) {
    return [...Array<Kind>(old.length).fill('remove'), ...Array<Kind>(now.length).fill('add')];
  }
  const reversed: Kind[] = [];
  let [x, y] = [old.length, now.length];
  for (const before of frontiers.slice(0, -1).reverse()) {
    const added = comesFromAbove(before, x - y);
    const start = added ? reach(before, x - y + 1) : reach(before, x - y - 1) + 1;
    for (; x > start; x--, y--) reversed.push('keep');
    reversed.push(added ? 'add' : 'remove');
    if (added) y--;
    else x--;
  }
  for (; x > 0; x--) reversed.push('keep');
  return reversed.reverse();
}

/** One frontier for each number of edits, the last of which reaches the end; undefined when there are too many. */
function search(old: readonly string[], now: readonly string[]): readonly Frontier[] | undefined {
  const frontiers: Frontier[] = [];
  for (let edits = 0; edits <= MOST_EDITS; edits++) {
    const before = frontiers.at(-1);
    const frontier = new Int32Array(edits + 1);
    frontiers.push(frontier);
    for (let k = -edits; k <= edits; k += 2) {
      let x = 0;
      if (before !== undefined)
        x = comesFromAbove(before, k) ? reach(before, k + 1) : reach(before, k - 1) + 1;
      let y = x - k;
      while (x < old.length && y < now.length && old[x] === now[y]) {
        x++;
        y++;
      }
      frontier[(k + edits) / 2] = x;
      if (x >= old.length && y >= now.length) return frontiers;
    }
  }
  return undefined;
}
