/** Sums up what is live when. */
import type { Peak, PlanGap } from './types.ts';

interface Lasting {
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
  readonly gaps?: readonly PlanGap[];
}

/** Live bytes at each step, less those of gaps; a graph without steps still has one moment, at which its inputs are its outputs. */
export function liveBytesByStep(buffers: readonly Lasting[], steps: number): readonly number[] {
  const deltas = new Array<number>(Math.max(steps, 1) + 1).fill(0);
  for (const { first, end, bytes, gaps = [] } of buffers) {
    deltas[first]! += bytes;
    deltas[end]! -= bytes;
    for (let step = first; gaps.length > 0 && step < end; step++) {
      const free = freeBytes(gaps, step);
      deltas[step]! -= free;
      deltas[step + 1]! += free;
    }
  }
  let live = 0;
  return deltas.slice(0, -1).map((delta) => {
    live += delta;
    return live;
  });
}

/** Bytes that some gap leaves free at a step; gaps may overlap. */
function freeBytes(gaps: readonly PlanGap[], step: number): number {
  const open = gaps.filter(({ first, end }) => first <= step && step < end).sort((a, b) => a.from - b.from);
  let [free, reached] = [0, 0];
  for (const { from, to } of open) {
    free += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return free;
}

/** The first step at which the most bytes are live. */
export function peakOf(live: readonly number[]): Peak {
  let peak: Peak = { step: 0, bytes: 0 };
  live.forEach((bytes, step) => {
    if (bytes > peak.bytes) peak = { step, bytes };
  });
  return peak;
}
