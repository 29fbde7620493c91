/** Dimensions that nobody knows before the model runs. Each is a symbol of its own, with a name no file can give. */
import { type Dim, isKnown, mul, sub, symbol, symbolsOf } from './dims.ts';

/** How the names of unknown dimensions start. */
export const UNKNOWN = '?';

export function isUnknownName(name: string): boolean {
  return name.startsWith(UNKNOWN);
}

/** True when the dimension hangs on one that is unknown, not only on open dimensions of the inputs. */
export function isUnknown(dim: Dim): boolean {
  if (isKnown(dim)) return false;
  for (const name of symbolsOf(dim)) if (isUnknownName(name)) return true;
  return false;
}

/**
 * Solves a = b for one of the symbols that `free` allows: its name and what it equals. Undefined when the equation
 * says nothing about any of them, or nothing that could be a size.
 */
export function solveFor(
  difference: Dim,
  free: (name: string) => boolean,
): { readonly name: string; readonly equals: Dim } | undefined {
  if (isKnown(difference)) return undefined;
  for (const term of difference.terms) {
    const [factor, ...others] = term.atoms;
    if (factor?.kind !== 'symbol' || others.length > 0 || !free(factor.name)) continue;
    const rest = sub(difference, mul(symbol(factor.name), term.coefficient));
    if (symbolsOf(rest).has(factor.name)) continue;
    const equals = quotient(rest, -term.coefficient);
    if (equals !== undefined) return { name: factor.name, equals };
  }
  return undefined;
}

function quotient(rest: Dim, by: number): Dim | undefined {
  if (isKnown(rest)) {
    const value = rest / by;
    return Number.isInteger(value) && value >= 0 ? value : undefined;
  }
  return Math.abs(by) === 1 ? mul(rest, by) : undefined;
}
