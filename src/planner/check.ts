/** Refuses problems that no strategy could answer: wrong numbers and pins that contradict each other. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { forbidden } from './conflicts.ts';
import type { Buffer, Problem } from './types.ts';

/**
 * Throws E_RULE with every fault of the problem: sizes, ranges and alignments out of range, pins off their alignment,
 * pins that share bytes, overlaps with unknown buffers; E_TOO_LARGE when all sizes together pass 2^53.
 */
export function checkProblem(problem: Problem): void {
  const faults: Diagnostic[] = [];
  let total = 0;
  for (const buffer of problem.buffers) {
    for (const text of numberFaults(buffer, problem.buffers.length)) {
      faults.push(diagnostic('E_RULE', `Buffer '${buffer.id}': ${text}.`));
    }
    total += buffer.bytes + (buffer.alignment > 1 ? buffer.alignment : 0);
  }
  if (faults.length === 0) faults.push(...pinFaults(problem.buffers));
  if (faults.length === 0 && !Number.isSafeInteger(total)) {
    faults.push(diagnostic('E_TOO_LARGE', `All buffers together take ${total} bytes, beyond 2^53.`));
  }
  const [head, ...rest] = faults;
  if (head !== undefined) throw new MemplanError([head, ...rest]);
}

function numberFaults(buffer: Buffer, count: number): readonly string[] {
  const { first, end, bytes, alignment, offset } = buffer;
  const faults: string[] = [];
  const whole = Number.isSafeInteger;
  if (!whole(first) || !whole(end) || first >= end)
    faults.push(`its live range [${first}, ${end}) is empty or not whole`);
  if (!whole(bytes) || bytes < 0) faults.push(`its size ${bytes} is not a whole number of bytes`);
  if (!whole(alignment) || alignment < 1)
    faults.push(`its alignment ${alignment} is not a whole number above 0`);
  if (offset !== undefined && (!whole(offset) || offset < 0 || !whole(offset + bytes))) {
    faults.push(`it is pinned at ${offset}, which is no offset`);
  } else if (offset !== undefined && offset % alignment !== 0) {
    faults.push(`it is pinned at ${offset}, which is not a multiple of its alignment ${alignment}`);
  }
  for (const gap of buffer.gaps ?? []) {
    const inTime =
      whole(gap.first) && whole(gap.end) && gap.first >= first && gap.end <= end && gap.first <= gap.end;
    const inSpace =
      whole(gap.from) && whole(gap.to) && gap.from >= 0 && gap.to <= bytes && gap.from <= gap.to;
    if (!inTime || !inSpace) {
      faults.push(`its gap [${gap.first}, ${gap.end}) x [${gap.from}, ${gap.to}) reaches beyond it`);
    }
  }
  for (const overlap of buffer.mayOverlap ?? []) {
    const known = whole(overlap.buffer) && overlap.buffer >= 0 && overlap.buffer < count;
    if (!known || !whole(overlap.distance)) {
      faults.push(`its overlap with buffer ${overlap.buffer} at distance ${overlap.distance} is not usable`);
    }
  }
  return faults;
}

/** Pinned buffers that share bytes at a step. There are few pins, so pairs are looked at one by one. */
function pinFaults(buffers: readonly Buffer[]): readonly Diagnostic[] {
  const pinned = Array.from(buffers.keys()).filter((i) => buffers[i]!.offset !== undefined);
  const faults: Diagnostic[] = [];
  pinned.forEach((i, k) => {
    for (const j of pinned.slice(k + 1)) {
      const [a, b] = [buffers[i]!, buffers[j]!];
      const distance = b.offset! - a.offset!;
      const intervals = forbidden(a, i, b, j);
      for (let p = 0; p < intervals.length; p += 2) {
        if (distance <= intervals[p]! || distance >= intervals[p + 1]!) continue;
        const text = `Buffers '${a.id}' at ${a.offset} and '${b.id}' at ${b.offset} are pinned onto shared bytes while both are live.`;
        faults.push(diagnostic('E_RULE', text, { hint: 'Move one of the pins, or drop it.' }));
      }
    }
  });
  return faults;
}
