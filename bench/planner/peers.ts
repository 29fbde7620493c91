/** Published and measured figures of other planners, as data, with their source. */

/** Milliseconds for a whole process at capacity 1048576 on a 2-core machine, medians of three. */
export const MINIMALLOC_MS: Readonly<Record<string, number>> = {
  A: 6116,
  B: 4792,
  C: 879,
  D: 3446,
  E: 4459,
  F: 6175,
  G: 1392,
  H: 1982,
  I: 4219,
  J: 1187,
  K: 762,
};
export const MINIMALLOC_SOURCE = 'google/minimalloc (C++), measured on a 2-core machine';

/** Arena over lower bound, and seconds, of idealloc on its own data sets. */
export const IDEALLOC: Readonly<Record<string, readonly [ratio: number, seconds: number]>> = {
  G_1: [1.0028, 0.04],
  resnet50: [1.0064, 0.04],
  'pangu_2.6B': [1.0334, 2.1],
  S_1: [1.0293, 6.7],
  Y_1: [1.0036, 46.7],
};
export const IDEALLOC_SOURCE = 'cappadokes/idealloc (Rust, 2025), measured on a 2-core machine';

/** Smallest peaks known of the two sets whose bound nobody has reached or refuted. */
export const OPEN_PEAKS: Readonly<Record<string, number>> = { D: 1016832, J: 1026048 };
