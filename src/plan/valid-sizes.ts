/** Says for which sizes a plan of bounds is valid. */
import type { Assumptions } from './types.ts';

/** A phrase for each bound; none for a plan whose sizes are fixed. `show` makes names fit for where they are printed. */
export function validSizes(
  { ranges = [], maxSizes = [], bounds = [] }: Assumptions,
  show: (name: string) => string,
): readonly string[] {
  return [
    ...ranges.map(({ name, least, most }) => `${show(name)} from ${least} to ${most}`),
    ...maxSizes.map(({ tensor, elements }) => `at most ${elements} elements in ${show(tensor)}`),
    ...bounds.map(({ tensor, axis, most }) => `at most ${most} along axis ${axis} of ${show(tensor)}`),
  ];
}
