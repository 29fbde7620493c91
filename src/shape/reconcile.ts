/** Brings inference and the file's own words together: inference wins, the file fills in what inference cannot know. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import { type Dim, formatShape, isKnown, sameDim, substitute, symbol, symbolsOf } from '../graph/dims.ts';
import type { Fact, Node } from '../graph/types.ts';
import { isUnknown, isUnknownName } from '../graph/unknown-dims.ts';

export interface Reconciled {
  readonly fact: Fact | undefined;
  /** W_DECLARED_SHAPE, where the file contradicts inference. */
  readonly warning?: Diagnostic;
}

/**
 * `declared` with the sizes that bindings give to its named dimensions. A file may use names like those of unknown
 * dimensions; they are written differently then.
 */
export function boundFact(
  declared: Fact | undefined,
  sizeOf: (name: string) => number | undefined,
): Fact | undefined {
  if (declared?.shape === undefined || declared.shape.every(isKnown)) return declared;
  const rename = (name: string) => (isUnknownName(name) ? symbol(`(${name})`) : undefined);
  const shape = declared.shape.map((dim) => substitute(dim, (name) => sizeOf(name) ?? rename(name)));
  return { ...declared, shape };
}

/** What to do with a declared dimension: names that may be used, and what becomes of one that inference leaves unknown. */
export interface Filling {
  readonly isInputDim: (name: string) => boolean;
  /** `inferred`: undefined where not even the rank is. */
  readonly fill: (inferred: Dim | undefined, declared: Dim) => Dim;
}

/** What holds for an output of `node` named `tensor`. */
export function reconcile(
  inferred: Fact | undefined,
  declared: Fact | undefined,
  node: Node,
  tensor: string,
  filling: Filling,
): Reconciled {
  if (declared === undefined) return { fact: inferred };
  if (inferred === undefined) {
    if (declared.container !== undefined) return { fact: declared };
    return { fact: { ...declared, shape: filledIn(undefined, declared.shape, filling) } };
  }
  if (inferred.container !== undefined || declared.container !== undefined) return { fact: inferred };
  const contradicts =
    inferred.type !== declared.type ||
    (inferred.shape !== undefined &&
      declared.shape !== undefined &&
      !compatible(inferred.shape, declared.shape));
  if (contradicts) return { fact: inferred, warning: contradiction(inferred, declared, node, tensor) };
  const shape = filledIn(inferred.shape, declared.shape, filling);
  return { fact: shape === inferred.shape ? inferred : { ...inferred, shape } };
}

function compatible(inferred: readonly Dim[], declared: readonly Dim[]): boolean {
  if (inferred.length !== declared.length) return false;
  return inferred.every((dim, axis) => !isKnown(dim) || !isKnown(declared[axis]!) || dim === declared[axis]);
}

/** The inferred shape with what the declared sizes say of dimensions that inference left unknown. The same array if nothing. */
function filledIn(
  inferred: readonly Dim[] | undefined,
  declared: readonly Dim[] | undefined,
  { isInputDim, fill }: Filling,
): readonly Dim[] | undefined {
  if (declared === undefined) return inferred;
  if (inferred === undefined) return declared.map((dim) => fill(undefined, dim));
  const fills = (from: Dim) => [...symbolsOf(from)].every(isInputDim);
  const better = inferred.map((dim, axis) =>
    isUnknown(dim) && fills(declared[axis]!) ? fill(dim, declared[axis]!) : dim,
  );
  return better.every((dim, axis) => sameDim(dim, inferred[axis]!)) ? inferred : better;
}

function contradiction(inferred: Fact, declared: Fact, node: Node, tensor: string): Diagnostic {
  return diagnostic(
    'W_DECLARED_SHAPE',
    `The file declares ${tensor} as ${declared.type}${formatShape(declared.shape)}, but ${node.label} (${node.op}) ` +
      `yields ${inferred.type}${formatShape(inferred.shape)}, which is planned.`,
    { node: node.label, tensor },
  );
}
