/** The live bytes of a region over the steps, as the path of a staircase. */

/** How high each step stands and for how long: equal neighbours are one stair. */
export interface Stair {
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
}

export function stairsOf(live: readonly number[]): readonly Stair[] {
  const stairs: Stair[] = [];
  live.forEach((bytes, step) => {
    const last = stairs.at(-1);
    if (last !== undefined && last.bytes === bytes) stairs[stairs.length - 1] = { ...last, end: step + 1 };
    else stairs.push({ first: step, end: step + 1, bytes });
  });
  return stairs;
}

/** A closed path from the baseline over the stairs and back, in the units of `x` and `y`. */
export function curvePath(
  live: readonly number[],
  x: (step: number) => string,
  y: (bytes: number) => string,
): string {
  const stairs = stairsOf(live);
  const top = stairs.map(({ end, bytes }) => `V${y(bytes)}H${x(end)}`).join('');
  return `M${x(0)} ${y(0)}${top}V${y(0)}Z`;
}
