/** The engine of the element-wise operators: shapes by broadcasting, and constant evaluation element by element. */
import { type Dim, isKnown } from '../graph/dims.ts';
import { type ElementType, isFloat } from '../graph/element-type.ts';
import type { Fact, Scalar, Value } from '../graph/types.ts';
import { broadcastOffsets, countOf } from './elements.ts';
import { broadcast, fact, type Shape, staticShape } from './rules.ts';
import type { Arity, FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';
import { isNumeric, roundFloat, toType } from './values.ts';

/** What an operator does to one element of each operand. A result of undefined is not known or not defined. */
export interface Arithmetic {
  /** Integers and bool, exactly; the result wraps at the width of its type afterwards. */
  readonly ints?: (...operands: bigint[]) => bigint | undefined;
  readonly floats?: (...operands: number[]) => number;
  /** Where an element is a dimension. In a float tensor too, as long as every element is an integer. */
  readonly dims?: (operands: readonly Dim[], type: ElementType) => Dim | undefined;
}

/** Evaluates one output element from the elements of the operands. */
export type Evaluate = (elements: readonly Scalar[]) => Scalar | undefined;

/** The shape that the operands of a node give together. Before opset 7 it is that of the first. */
export function operandShape(c: OpContext): Shape | undefined {
  return broadcast(c, operandShapes(c));
}

/**
 * The shapes of the operands, aligned at the end. Before opset 7 the attributes broadcast and axis say where the
 * second operand's dimensions stand in the first's.
 */
function operandShapes(c: OpContext): readonly (Shape | undefined)[] {
  const shapes = c.inputs.filter((operand) => operand !== undefined).map((operand) => operand.shape);
  const [left, right] = shapes;
  if (c.opset >= 7 || c.int('broadcast', 0) === 0 || left === undefined || right === undefined) return shapes;
  const axis = c.int('axis', left.length - right.length);
  const start = axis < 0 ? axis + left.length : axis;
  const tail = left.length - start - right.length;
  if (start < 0 || tail < 0) c.fail(`axis ${axis} leaves no room for the second operand.`);
  return [left, [...right, ...new Array<Dim>(tail).fill(1)]];
}

/** The value of an element-wise output: `evaluate` at every position, over the broadcast operands. */
export function mapElements(c: OpContext, output: Fact | undefined, evaluate: Evaluate): Value | undefined {
  const sizes = staticShape(output?.shape);
  const operands = c.inputs.filter((operand) => operand !== undefined);
  if (sizes === undefined || operands.some((operand) => !('value' in operand))) return undefined;
  const shapes = operandShapes(c).map(staticShape);
  const sources: ((at: number) => Scalar)[] = [];
  for (const [i, { value }] of operands.entries()) {
    const shape = shapes[i];
    if (shape === undefined || value === undefined) return undefined;
    sources.push(stretched(value, shape, sizes));
  }
  const result = new Array<Scalar>(countOf(sizes));
  for (let at = 0; at < result.length; at++) {
    const element = evaluate(sources.map((source) => source(at)));
    if (element === undefined) return undefined;
    result[at] = element;
  }
  return result;
}

/** The operand's element at a position of the output. */
function stretched(value: Value, shape: readonly number[], sizes: readonly number[]): (at: number) => Scalar {
  if (value.length === 1) return () => value[0]!;
  if (value.length === countOf(sizes)) return (at) => value[at]!;
  const offsets = broadcastOffsets(shape, sizes);
  return (at) => value[offsets[at]!]!;
}

/** How `arithmetic` acts on elements of `type`. */
export function evaluator(type: ElementType, arithmetic: Arithmetic): Evaluate {
  const { ints, floats, dims } = arithmetic;
  return (elements) => {
    if (!elements.every(isNumeric)) {
      return elements.every(isDim) ? dims?.(elements, type) : undefined;
    }
    if (isFloat(type))
      return floats === undefined ? undefined : roundFloat(type, floats(...elements.map(Number)));
    const exact = ints?.(...elements.map(BigInt));
    return exact === undefined ? undefined : toType(type, exact);
  };
}

function isDim(element: Scalar): element is Dim {
  return typeof element === 'object' || Number.isSafeInteger(element);
}

interface Options {
  readonly inputs: Arity;
  readonly arithmetic?: Arithmetic | ((c: OpContext) => Arithmetic);
  readonly inPlace?: readonly number[];
}

/** The row of an operator whose output has the operands' broadcast shape and the type of the first. */
export function elementwise(op: string, since: readonly number[], options: Options): OpRow {
  const { inputs, arithmetic, inPlace = [0] } = options;
  const shape: ShapeRule = (c) => [fact(c.input(0).type, operandShape(c))];
  const fold: FoldRule = (c, [output]) => {
    const how = typeof arithmetic === 'function' ? arithmetic(c) : arithmetic;
    return [how && mapElements(c, output, evaluator(c.input(0).type, how))];
  };
  return { op, since, inputs, outputs: [1, 1], shape, ...(arithmetic && { fold }), inPlace };
}

/** One operand, or one that decides the shape and small parameters behind it. */
export function unary(op: string, since: readonly number[], arithmetic?: Arithmetic): OpRow {
  return elementwise(op, since, { inputs: [1, 1], ...(arithmetic && { arithmetic }) });
}

/** Two operands; the output may take over either of them. */
export function binary(
  op: string,
  since: readonly number[],
  arithmetic?: Arithmetic | ((c: OpContext) => Arithmetic),
): OpRow {
  return elementwise(op, since, { inputs: [2, 2], inPlace: [0, 1], ...(arithmetic && { arithmetic }) });
}

/** The elements as numbers, or undefined where one is not. */
export function allKnown(dims: readonly Dim[]): readonly number[] | undefined {
  return dims.every(isKnown) ? dims : undefined;
}
