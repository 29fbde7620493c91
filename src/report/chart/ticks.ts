/** Round numbers for axes: steps in ones, twos and fives, bytes in powers of two. */
import { grouped } from '../text.ts';

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** About half the width of a label, as CSS takes it: it keeps that far from the ends of its axis. */
export function halfOf(label: string): string {
  return `${(0.3 * label.length + 0.2).toFixed(1)}em`;
}

/** Multiples of 1, 2 or 5 times a power of ten in [from, to], at most about `most` of them. */
export function stepTicks(from: number, to: number, most: number): readonly Tick[] {
  const least = Math.max(1, (to - from) / Math.max(1, most));
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least)!;
  return multiples(from, to, step).map((at) => ({ at, label: grouped(at) }));
}

/** Multiples of a power of two in [from, to], at most about `most` of them, in the largest unit that keeps them whole. */
export function byteTicks(from: number, to: number, most: number): readonly Tick[] {
  const least = Math.max(1, (to - from) / Math.max(1, most));
  const step = 2 ** Math.ceil(Math.log2(least));
  const [unit, name] = step >= 2 ** 20 ? [2 ** 20, ' MiB'] : step >= 1024 ? [1024, ' KiB'] : [1, ''];
  return multiples(from, to, step).map((at) => ({
    at,
    label: at === 0 ? '0' : grouped(at / unit) + name,
  }));
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}
