/** Which known names somebody may have meant. */

const MOST_EDITS = 3;
const MOST_NAMES = 5;

/**
 * Known names that begin with the unknown one or are at most three edits away (and no more than half its letters), the
 * nearest first. `known` is taken
 * in its order among equals.
 */
export function nearestNames(unknown: string, known: readonly string[]): readonly string[] {
  const wanted = unknown.toLowerCase();
  const found: { readonly name: string; readonly edits: number }[] = [];
  for (const name of known) {
    const edits = wanted.length >= 3 && name.startsWith(wanted) ? 0 : editDistance(wanted, name);
    if (edits <= Math.min(MOST_EDITS, Math.floor(wanted.length / 2))) found.push({ name, edits });
  }
  return found
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MOST_NAMES)
    .map((f) => f.name);
}

/** Levenshtein's distance; a swap of neighbours counts as one edit. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return MOST_EDITS + 1;
  const width = b.length + 1;
  const cost = new Uint16Array((a.length + 1) * width);
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const at = i * width + j;
      if (i === 0 || j === 0) {
        cost[at] = i + j;
        continue;
      }
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(cost[at - 1]! + 1, cost[at - width]! + 1, cost[at - width - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, cost[at - 2 * width - 2]! + 1);
      }
      cost[at] = least;
    }
  }
  return cost[cost.length - 1]!;
}
