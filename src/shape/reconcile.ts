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

/** What holds for an output of `node` named `tensor`. `trusted` names of the inputs' open dimensions may fill in. */
export function reconcile(
  inferred: Fact | undefined,
  declared: Fact | undefined,
  node: Node,
  tensor: string,
  isInputDim: (name: string) => boolean,
): Reconciled {
  if (inferred === undefined || declared === undefined) return { fact: inferred ?? declared };
  if (inferred.container !== undefined || declared.container !== undefined) return { fact: inferred };
  const contradicts =
    inferred.type !== declared.type ||
    (inferred.shape !== undefined &&
      declared.shape !== undefined &&
      !compatible(inferred.shape, declared.shape));
  if (contradicts) return { fact: inferred, warning: contradiction(inferred, declared, node, tensor) };
  const shape = filledIn(inferred.shape, declared.shape, isInputDim);
  return { fact: shape === inferred.shape ? inferred : { ...inferred, shape } };
}

function compatible(inferred: readonly Dim[], declared: readonly Dim[]): boolean {
  if (inferred.length !== declared.length) return false;
  return inferred.every((dim, axis) => !isKnown(dim) || !isKnown(declared[axis]!) || dim === declared[axis]);
}

/** The inferred shape with the declared sizes where inference left a dimension unknown. The same array if none. */
function filledIn(
  inferred: readonly Dim[] | undefined,
  declared: readonly Dim[] | undefined,
  isInputDim: (name: string) => boolean,
): readonly Dim[] | undefined {
  if (inferred === undefined || declared === undefined) return inferred ?? declared;
  const fills = (from: Dim) => [...symbolsOf(from)].every(isInputDim);
  const better = inferred.map((dim, axis) =>
    isUnknown(dim) && fills(declared[axis]!) ? declared[axis]! : dim,
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
