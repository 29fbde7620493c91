/** Small exact arithmetic on byte counts (integers below 2^53, so no bit operators). */

/** The smallest multiple of `step` that is not below `value`. */
export function roundUp(value: number, step: number): number {
  const rest = value % step;
  return rest === 0 ? value : value + (step - rest);
}

/** Greatest common divisor; gcd(0, b) = b. */
export function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** Least common multiple of two positive numbers. */
export function lcm(a: number, b: number): number {
  return (a / gcd(a, b)) * b;
}
