/**
 * Dimensions: numbers, or polynomials over named symbols and floor, min and max terms.
 * Every expression is kept in one canonical form, so that equal texts mean equal dimensions.
 */

import { fail } from '../errors.ts';

type Atom =
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'floor' | 'min' | 'max' | 'mod'; readonly a: Dim; readonly b: Dim };

interface Term {
  readonly coefficient: number;
  readonly atoms: readonly Atom[];
}

/** A dimension that depends on symbols: the sum of its terms and a constant. */
export interface Symbolic {
  readonly kind: 'symbolic';
  readonly terms: readonly Term[];
  readonly constant: number;
  /** Canonical text, e.g. `2*seq + 1`. */
  readonly text: string;
}

export type Dim = number | Symbolic;

/** Real models stay far below: sums that multiply each other, or terms inside terms, would outgrow the memory. */
const MOST_TERMS = 1024;
const MOST_CHARACTERS = 2 ** 15;

export function isKnown(dim: Dim): dim is number {
  return typeof dim === 'number';
}

/** A dimension known by name only. */
export function symbol(name: string): Symbolic {
  return build([{ coefficient: 1, atoms: [{ kind: 'symbol', name }] }], 0) as Symbolic;
}

export function formatDim(dim: Dim): string {
  return isKnown(dim) ? String(dim) : dim.text;
}

export function formatShape(shape: readonly Dim[] | undefined): string {
  return shape === undefined ? '[?]' : `[${shape.map(formatDim).join(',')}]`;
}

/** True when the two are equal whatever the symbols stand for. */
export function sameDim(a: Dim, b: Dim): boolean {
  return isKnown(a) || isKnown(b) ? a === b : a.text === b.text;
}

export function add(a: Dim, b: Dim): Dim {
  if (isKnown(a) && isKnown(b)) return a + b;
  return build([...termsOf(a), ...termsOf(b)], constantOf(a) + constantOf(b));
}

export function sub(a: Dim, b: Dim): Dim {
  return isKnown(a) && isKnown(b) ? a - b : add(a, mul(b, -1));
}

export function mul(a: Dim, b: Dim): Dim {
  if (isKnown(a) && isKnown(b)) return a * b;
  const terms: Term[] = [];
  const left = allTerms(a);
  const right = allTerms(b);
  if (left.length * right.length > MOST_TERMS) tooLong();
  for (const x of left) {
    for (const y of right) {
      terms.push({ coefficient: x.coefficient * y.coefficient, atoms: [...x.atoms, ...y.atoms] });
    }
  }
  return build(terms, 0);
}

export function product(dims: readonly Dim[]): Dim {
  return dims.reduce(mul, 1);
}

/** floor(a / b); exact divisions of polynomials are carried out, and whole parts leave the floor. */
export function floorDiv(a: Dim, b: Dim): Dim {
  if (isKnown(a) && isKnown(b)) return Math.floor(a / b);
  if (sameDim(a, b)) return 1;
  const exact = divideExactly(a, b);
  if (exact !== undefined) return exact;
  return isKnown(b) && b > 0 && !isKnown(a) ? floorDivByNumber(a, b) : atom('floor', a, b);
}

/** floor((q*b*x + r*x + c) / b) = q*x + floor(c / b) + floor((r*x + c mod b) / b). */
function floorDivByNumber(a: Symbolic, b: number): Dim {
  const whole = a.terms.map((term) => ({ ...term, coefficient: Math.floor(term.coefficient / b) }));
  const rest = a.terms.map((term, i) => ({
    ...term,
    coefficient: term.coefficient - whole[i]!.coefficient * b,
  }));
  const constant = Math.floor(a.constant / b);
  return add(build(whole, constant), atom('floor', build(rest, a.constant - constant * b), b));
}

/** ceil(a / b) for positive b. */
export function ceilDiv(a: Dim, b: Dim): Dim {
  if (isKnown(a) && isKnown(b)) return Math.ceil(a / b);
  return floorDiv(add(a, sub(b, 1)), b);
}

export function mod(a: Dim, b: Dim): Dim {
  if (isKnown(a) && isKnown(b)) return a - b * Math.floor(a / b);
  return divideExactly(a, b) === undefined ? atom('mod', a, b) : 0;
}

export function min(a: Dim, b: Dim): Dim {
  if (isKnown(a) && isKnown(b)) return Math.min(a, b);
  const apart = sub(a, b);
  if (isKnown(apart)) return apart <= 0 ? a : b;
  return ordered('min', a, b);
}

export function max(a: Dim, b: Dim): Dim {
  if (isKnown(a) && isKnown(b)) return Math.max(a, b);
  const apart = sub(a, b);
  if (isKnown(apart)) return apart >= 0 ? a : b;
  return ordered('max', a, b);
}

/** Replaces symbols by what `bind` says of them; a symbol it does not know stays. */
export function substitute(dim: Dim, bind: (name: string) => Dim | undefined): Dim {
  if (isKnown(dim)) return dim;
  let sum: Dim = dim.constant;
  for (const term of dim.terms) {
    let part: Dim = term.coefficient;
    for (const factor of term.atoms) part = mul(part, substituteAtom(factor, bind));
    sum = add(sum, part);
  }
  return sum;
}

/** The names a dimension depends on. */
export function symbolsOf(dim: Dim, into: Set<string> = new Set()): Set<string> {
  if (isKnown(dim)) return into;
  for (const term of dim.terms) {
    for (const factor of term.atoms) {
      if (factor.kind === 'symbol') into.add(factor.name);
      else {
        symbolsOf(factor.a, into);
        symbolsOf(factor.b, into);
      }
    }
  }
  return into;
}

function substituteAtom(factor: Atom, bind: (name: string) => Dim | undefined): Dim {
  if (factor.kind === 'symbol') return bind(factor.name) ?? symbol(factor.name);
  const a = substitute(factor.a, bind);
  const b = substitute(factor.b, bind);
  const rebuild = { floor: floorDiv, mod, min, max }[factor.kind];
  return rebuild(a, b);
}

function termsOf(dim: Dim): readonly Term[] {
  return isKnown(dim) ? [] : dim.terms;
}

function constantOf(dim: Dim): number {
  return isKnown(dim) ? dim : dim.constant;
}

function allTerms(dim: Dim): readonly Term[] {
  const constant = constantOf(dim);
  return constant === 0 ? termsOf(dim) : [...termsOf(dim), { coefficient: constant, atoms: [] }];
}

function atom(kind: 'floor' | 'min' | 'max' | 'mod', a: Dim, b: Dim): Dim {
  return build([{ coefficient: 1, atoms: [{ kind, a, b }] }], 0);
}

function ordered(kind: 'min' | 'max', a: Dim, b: Dim): Dim {
  return formatDim(a) <= formatDim(b) ? atom(kind, a, b) : atom(kind, b, a);
}

/** a / b when b is a number or a single term that divides every term of a, else undefined. */
function divideExactly(a: Dim, b: Dim): Dim | undefined {
  const divisor = allTerms(b);
  if (divisor.length !== 1) return undefined;
  const by = divisor[0]!;
  const quotient: Term[] = [];
  for (const term of allTerms(a)) {
    if (term.coefficient % by.coefficient !== 0) return undefined;
    const left = term.atoms.map(atomText);
    const rest = [...term.atoms];
    for (const factor of by.atoms) {
      const at = left.indexOf(atomText(factor));
      if (at < 0) return undefined;
      left.splice(at, 1);
      rest.splice(at, 1);
    }
    quotient.push({ coefficient: term.coefficient / by.coefficient, atoms: rest });
  }
  return build(quotient, 0);
}

function atomText(factor: Atom): string {
  if (factor.kind === 'symbol') return factor.name;
  const a = formatDim(factor.a);
  const b = formatDim(factor.b);
  if (factor.kind === 'floor') return `floor(${grouped(factor.a)}/${grouped(factor.b)})`;
  return `${factor.kind}(${a}, ${b})`;
}

function grouped(dim: Dim): string {
  const text = formatDim(dim);
  return /[ *]/.test(text) ? `(${text})` : text;
}

function tooLong(): never {
  return fail('E_TOO_LARGE', 'A dimension would be a formula too long to work with.', {
    hint: 'Bind the dimensions of the inputs, with --dim NAME=N or --input-shape.',
  });
}

/** Collects like terms, sorts them, and falls back to a number when no symbol is left. Throws E_TOO_LARGE. */
function build(terms: readonly Term[], constant: number): Dim {
  const byKey = new Map<string, { coefficient: number; atoms: readonly Atom[] }>();
  let sum = constant;
  let characters = 0;
  for (const term of terms) {
    if (term.atoms.length === 0) {
      sum += term.coefficient;
      continue;
    }
    const atoms = [...term.atoms].sort((a, b) => compare(atomText(a), atomText(b)));
    const key = atoms.map(atomText).join('*');
    characters += key.length;
    if (characters > MOST_CHARACTERS) tooLong();
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { coefficient: term.coefficient, atoms });
    else known.coefficient += term.coefficient;
  }
  const kept = [...byKey].filter(([, t]) => t.coefficient !== 0).sort(([a], [b]) => compare(a, b));
  if (kept.length === 0) return sum;
  const parts = kept.map(([key, t]) => termText(t.coefficient, key));
  let text = parts[0]!;
  for (const part of parts.slice(1)) text += part.startsWith('-') ? ` - ${part.slice(1)}` : ` + ${part}`;
  if (sum !== 0) text += sum < 0 ? ` - ${-sum}` : ` + ${sum}`;
  return { kind: 'symbolic', terms: kept.map(([, t]) => t), constant: sum, text };
}

function termText(coefficient: number, key: string): string {
  if (coefficient === 1) return key;
  return coefficient === -1 ? `-${key}` : `${coefficient}*${key}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
