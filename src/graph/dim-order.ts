/** What can be proved about the order of dimensions whatever their symbols stand for. A symbol is 0 or more. */
import { type Dim, isKnown, type Symbolic, sub } from './dims.ts';

type Atom = Symbolic['terms'][number]['atoms'][number];

/** True when the dimension is proved to be 0 or more. False says nothing. */
export function isNonNegative(dim: Dim): boolean {
  if (isKnown(dim)) return dim >= 0;
  if (dim.constant < 0) return false;
  return dim.terms.every((term) => term.coefficient >= 0 && term.atoms.every(isNonNegativeAtom));
}

/** True when a <= b is proved. */
export function isAtMost(a: Dim, b: Dim): boolean {
  return isNonNegative(sub(b, a));
}

/** True when the two are proved to differ. */
export function differs(a: Dim, b: Dim): boolean {
  return isAtMost(a, sub(b, 1)) || isAtMost(b, sub(a, 1));
}

function isNonNegativeAtom(atom: Atom): boolean {
  switch (atom.kind) {
    case 'symbol':
      return true;
    case 'floor':
      return isNonNegative(atom.a) && isAtMost(1, atom.b);
    case 'mod':
      return isAtMost(1, atom.b);
    case 'min':
      return isNonNegative(atom.a) && isNonNegative(atom.b);
    case 'max':
      return isNonNegative(atom.a) || isNonNegative(atom.b);
  }
}
