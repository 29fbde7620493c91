/** Written from the definitions alone, byte by byte and step by step; shares no code with the planner. */
import type { Buffer, Problem } from '../../../src/planner/types.ts';

/** Whether these bytes of the buffer are taken at this step. */
function takes(buffer: Buffer, step: number, byte: number): boolean {
  if (step < buffer.first || step >= buffer.end || byte < 0 || byte >= buffer.bytes) return false;
  return !(buffer.gaps ?? []).some((g) => step >= g.first && step < g.end && byte >= g.from && byte < g.to);
}

/** Whether a and b may lie at this distance, offset(b) - offset(a). */
function mayLie(a: Buffer, indexA: number, b: Buffer, indexB: number, distance: number): boolean {
  if ((b.mayOverlap ?? []).some((o) => o.buffer === indexA && distance >= o.distance)) return true;
  if ((a.mayOverlap ?? []).some((o) => o.buffer === indexB && -distance >= o.distance)) return true;
  for (let step = Math.max(a.first, b.first); step < Math.min(a.end, b.end); step++) {
    for (let byte = 0; byte < a.bytes; byte++) {
      if (takes(a, step, byte) && takes(b, step, byte - distance)) return false;
    }
  }
  return true;
}

/** What is wrong with the offsets, in words; empty when they are a plan. */
export function faults(problem: Problem, offsets: readonly number[]): string[] {
  const found: string[] = [];
  problem.buffers.forEach((a, i) => {
    const at = offsets[i]!;
    if (!Number.isInteger(at) || at < 0) found.push(`${a.id} at ${at}`);
    if (at % a.alignment !== 0) found.push(`${a.id} at ${at} is not aligned to ${a.alignment}`);
    if (a.offset !== undefined && a.offset !== at) found.push(`${a.id} at ${at} is pinned at ${a.offset}`);
    problem.buffers.slice(0, i).forEach((b, j) => {
      if (!mayLie(a, i, b, j, offsets[j]! - at))
        found.push(`${a.id} at ${at} and ${b.id} at ${offsets[j]} share bytes`);
    });
  });
  return found;
}

/** Whether any plan fits into the capacity: tries every offset of every buffer, largest buffers first. */
export function fits(problem: Problem, capacity: number): boolean {
  const { buffers } = problem;
  const order = [...buffers.keys()].sort((x, y) => buffers[y]!.bytes - buffers[x]!.bytes || x - y);
  const may = order.map((i, k) =>
    order.slice(0, k).map((j) => {
      const row: boolean[] = [];
      for (let d = -capacity; d <= capacity; d++) row.push(mayLie(buffers[i]!, i, buffers[j]!, j, d));
      return row;
    }),
  );
  const placed: number[] = [];
  const place = (k: number): boolean => {
    if (k === order.length) return true;
    const buffer = buffers[order[k]!]!;
    for (let at = 0; at + buffer.bytes <= capacity; at += buffer.alignment) {
      if (buffer.offset !== undefined && buffer.offset !== at) continue;
      if (!placed.every((other, j) => may[k]![j]![other - at + capacity])) continue;
      placed.push(at);
      if (place(k + 1)) return true;
      placed.pop();
    }
    return false;
  };
  return place(0);
}

/** The smallest arena, found by trying every capacity from `from` up. */
export function smallest(problem: Problem, from = 0): number {
  let capacity = from;
  while (!fits(problem, capacity)) capacity++;
  return capacity;
}
