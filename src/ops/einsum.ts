/** The equation of Einsum (https://onnx.ai/onnx/operators/onnx__Einsum.html): labels, ellipsis, implicit output. */
import type { Dim } from '../graph/dims.ts';
import { broadcast, type Shape, unify } from './rules.ts';
import type { OpContext } from './types.ts';

const ELLIPSIS = '...';

/** Labels of one term, `...` as one of them. Upper and lower case letters differ. */
function labelsOf(c: OpContext, term: string): readonly string[] {
  const labels = term.match(/\.\.\.|[A-Za-z]/g) ?? [];
  if (labels.join('') !== term) c.fail(`'${term}' is no term of an Einsum equation.`);
  if (labels.filter((label) => label === ELLIPSIS).length > 1) c.fail(`'${term}' has two ellipses.`);
  return labels;
}

/** The output shape, or undefined while the rank of an operand is unknown. */
export function einsumShape(
  c: OpContext,
  equation: string,
  shapes: readonly (Shape | undefined)[],
): Shape | undefined {
  const [left, right, ...more] = equation.replace(/\s+/g, '').split('->');
  if (more.length > 0) c.fail(`the equation '${equation}' has more than one arrow.`);
  const terms = left!.split(',').map((term) => labelsOf(c, term));
  if (terms.length !== shapes.length) {
    c.fail(`the equation '${equation}' has ${terms.length} terms for ${shapes.length} operands.`);
  }
  const sizes = new Map<string, Dim>();
  const stretched: (Shape | undefined)[] = [];
  terms.forEach((labels, i) => {
    const shape = shapes[i];
    if (labels.includes(ELLIPSIS))
      stretched.push(shape === undefined ? undefined : covered(c, labels, shape));
    else if (shape !== undefined && shape.length !== labels.length) {
      c.fail(`term '${labels.join('')}' does not fit an operand of rank ${shape.length}.`);
    }
    if (shape !== undefined) note(c, sizes, labels, shape);
  });
  const output = right === undefined ? implicitOutput(terms) : labelsOf(c, right);
  const ellipsis = output.includes(ELLIPSIS) ? broadcast(c, stretched) : [];
  if (ellipsis === undefined || shapes.includes(undefined)) return undefined;
  return output.flatMap((label) =>
    label === ELLIPSIS ? ellipsis : (sizes.get(label) ?? c.fail(`'${label}' of the output is in no term.`)),
  );
}

/** The dimensions that the ellipsis of a term stands for. */
function covered(c: OpContext, labels: readonly string[], shape: Shape): Shape {
  const count = shape.length - (labels.length - 1);
  if (count < 0) c.fail(`term '${labels.join('')}' does not fit an operand of rank ${shape.length}.`);
  const at = labels.indexOf(ELLIPSIS);
  return shape.slice(at, at + count);
}

/** Remembers the size of every label; a label of size 1 stretches to its size elsewhere. */
function note(c: OpContext, sizes: Map<string, Dim>, labels: readonly string[], shape: Shape): void {
  const at = labels.indexOf(ELLIPSIS);
  labels.forEach((label, i) => {
    if (label === ELLIPSIS) return;
    const size = shape[at >= 0 && i > at ? shape.length - (labels.length - i) : i]!;
    const known = sizes.get(label);
    if (known === undefined || known === 1) sizes.set(label, size);
    else if (size !== 1) sizes.set(label, unify(c, known, size, `sizes of '${label}'`));
  });
}

/** Without an arrow: the ellipsis, then every label that occurs once, in alphabetical order. */
function implicitOutput(terms: readonly (readonly string[])[]): readonly string[] {
  const all = terms.flat();
  const once = all.filter((label) => label !== ELLIPSIS && all.indexOf(label) === all.lastIndexOf(label));
  return [...(all.includes(ELLIPSIS) ? [ELLIPSIS] : []), ...once.sort()];
}
