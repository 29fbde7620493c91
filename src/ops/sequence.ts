/**
 * Sequences and optionals. None has a static size; what they hold is followed so that tensors taken out of them have.
 *
 * SequenceEmpty, SequenceConstruct, SequenceInsert, SequenceErase, SequenceAt, SequenceLength, ConcatFromSequence: 11.
 * SplitToSequence: 11, 24. SequenceMap: 17.
 * Optional: 15, 28. OptionalGetElement, OptionalHasElement: 15, 18 (plain tensors), 28.
 */
import { sameDim } from '../graph/dims.ts';
import type { ElementType } from '../graph/element-type.ts';
import type { Fact } from '../graph/types.ts';
import { joined } from './concat.ts';
import { bodyOf } from './control-flow.ts';
import { fact, knownNumbers, knownScalar, normaliseAxis, reshaped, type Shape } from './rules.ts';
import { typeAttribute } from './type-attribute.ts';
import type { FoldRule, OpContext, OpRow, ShapeRule } from './types.ts';

/** Tensors of a sequence that are followed one by one. Of a longer one only the shape is known that they share. */
const MOST_FOLLOWED = 4096;

/** A sequence of known tensors. Its shape is the one they share. */
function sequenceOf(type: ElementType, elements: readonly Fact[]): Fact {
  if (elements.length > MOST_FOLLOWED) return sequenceLike(type, sharedShape(elements));
  return { type, shape: sharedShape(elements), container: 'sequence', elements };
}

/** A sequence whose length is not known. */
function sequenceLike(type: ElementType, shape: Shape | undefined): Fact {
  return { type, shape, container: 'sequence' };
}

function sharedShape(elements: readonly Fact[]): Shape | undefined {
  const [first, ...rest] = elements.map((element) => element.shape);
  const same = rest.every(
    (shape) => shape?.length === first?.length && shape?.every((dim, axis) => sameDim(dim, first![axis]!)),
  );
  return same ? first : undefined;
}

const constructShape: ShapeRule = (c) => {
  const elements = c.node.inputs.map((_, position) => c.input(position));
  return [sequenceOf(elements[0]!.type, elements)];
};

/** A position in a sequence of `length`, or undefined while it is not known. */
function positionOf(c: OpContext, operand: number, length: number, standard: number): number | undefined {
  if (c.node.inputs[operand] === undefined) return standard;
  const position = knownScalar(c.optional(operand));
  if (position === undefined || position === length) return position;
  return normaliseAxis(c, position, length, 'position');
}

const insertShape: ShapeRule = (c) => {
  const [sequence, tensor] = [c.input(0), c.input(1)];
  const { elements } = sequence;
  if (elements === undefined) return [sequenceLike(tensor.type, sharedShape([sequence, tensor]))];
  const position = positionOf(c, 2, elements.length, elements.length);
  if (position === undefined) return [sequenceLike(tensor.type, sharedShape([...elements, tensor]))];
  return [sequenceOf(tensor.type, elements.toSpliced(position, 0, tensor))];
};

const eraseShape: ShapeRule = (c) => {
  const sequence = c.input(0);
  const { elements } = sequence;
  const position = elements && positionOf(c, 1, elements.length, elements.length - 1);
  if (elements === undefined || position === undefined) return [sequenceLike(sequence.type, sequence.shape)];
  return [sequenceOf(sequence.type, elements.toSpliced(position, 1))];
};

const atShape: ShapeRule = (c) => {
  const sequence = c.input(0);
  const position = sequence.elements && positionOf(c, 1, sequence.elements.length, 0);
  if (position === undefined) return [fact(sequence.type, sequence.shape)];
  return [sequence.elements![position] ?? c.fail(`position ${position} is beyond the end of the sequence.`)];
};

const lengthFold: FoldRule = (c) => {
  const { elements } = c.input(0);
  return [elements && [elements.length]];
};

/** Parts of given sizes, equal parts of a given size, or single slices, which may lose the axis. */
const splitShape: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.shape === undefined) return [sequenceLike(x.type, undefined)];
  const axis = normaliseAxis(c, c.int('axis', 0), x.shape.length);
  const size = x.shape[axis]!;
  const without = x.shape.toSpliced(axis, 1);
  const single = c.node.inputs[1] === undefined;
  const slice = c.int('keepdims', 1) === 0 ? without : x.shape.with(axis, 1);
  const sizes = typeof size === 'number' ? partsOf(c, size) : undefined;
  if (sizes === undefined) return [sequenceLike(x.type, single ? slice : undefined)];
  const parts = sizes.map((part) => reshaped(x, single ? slice : x.shape!.with(axis, part)));
  return [sequenceOf(x.type, parts)];
};

function partsOf(c: OpContext, size: number): readonly number[] | undefined {
  if (c.node.inputs[1] === undefined) return equalParts(size, 1);
  const split = knownNumbers(c.optional(1));
  if (split === undefined) return undefined;
  if (c.input(1).shape?.length !== 0) return split;
  const part = split[0]!;
  if (part <= 0) c.fail(`the parts have the size ${part}.`);
  return equalParts(size, part);
}

/** The last one may be smaller. Undefined for more than are followed. */
function equalParts(size: number, part: number): readonly number[] | undefined {
  const length = Math.ceil(size / part);
  if (length > MOST_FOLLOWED) return undefined;
  return Array.from({ length }, (_, i) => Math.min(part, size - i * part));
}

const concatShape: ShapeRule = (c) => {
  const sequence = c.input(0);
  const { elements } = sequence;
  const stacks = c.int('new_axis', 0) !== 0;
  const shapes = elements?.map((element) => element.shape).filter((shape) => shape !== undefined);
  if (elements !== undefined && elements.length === shapes?.length && elements.length > 0) {
    const rank = shapes[0]!.length;
    const axis = normaliseAxis(c, c.int('axis'), stacks ? rank + 1 : rank);
    const parts = stacks ? shapes.map((shape) => shape.toSpliced(axis, 0, 1)) : shapes;
    return [fact(sequence.type, joined(c, parts, axis))];
  }
  if (sequence.shape === undefined) return [fact(sequence.type, undefined)];
  const rank = sequence.shape.length + (stacks ? 1 : 0);
  const axis = normaliseAxis(c, c.int('axis'), rank);
  const open = c.unknownDim('how many tensors the sequence holds is not known');
  return [fact(sequence.type, sequence.shape.toSpliced(axis, stacks ? 0 : 1, open))];
};

/** The body once per element of the first sequence; other sequences are walked along, tensors are passed as they are. */
const mapShape: ShapeRule = (c) => {
  const body = bodyOf(c, 'body');
  const { elements } = c.input(0);
  const operands = c.node.inputs.map((_, position) => c.input(position));
  const turn = (at: number | undefined) =>
    c.inferBody(
      body,
      operands.map((operand) => elementAt(operand, at)),
    );
  if (elements === undefined) {
    return turn(undefined).map((output) => output && sequenceLike(output.type, output.shape));
  }
  const turns = elements.map((_, at) => turn(at));
  return c.node.outputs.map((_, i) => {
    const outputs = turns.flatMap((facts) => facts[i] ?? []);
    return outputs[0] && sequenceOf(outputs[0].type, outputs);
  });
};

function elementAt(operand: Fact, at: number | undefined): Fact {
  if (operand.container !== 'sequence') return operand;
  return (at === undefined ? undefined : operand.elements?.[at]) ?? fact(operand.type, operand.shape);
}

const optionalShape: ShapeRule = (c) => {
  const held = c.optional(0);
  if (held !== undefined) {
    return [{ type: held.type, shape: held.shape, container: 'optional', elements: [held] }];
  }
  const { type, shape } = c.type('type') ?? c.fail('attribute type is missing.');
  return [{ type, shape, container: 'optional', elements: [] }];
};

const getElementShape: ShapeRule = (c) => {
  const x = c.input(0);
  if (x.container !== 'optional') return [x];
  return [x.elements?.[0] ?? fact(x.type, x.shape)];
};

const hasElementFold: FoldRule = (c) => {
  const x = c.optional(0);
  if (x === undefined) return [[0]];
  if (x.container !== 'optional') return [[1]];
  return [x.elements && [x.elements.length]];
};

const one = { outputs: [1, 1] } as const;
const from11 = { ...one, since: [11] } as const;

export const rows: readonly OpRow[] = [
  {
    ...from11,
    op: 'SequenceEmpty',
    inputs: [0, 0],
    shape: (c) => [sequenceOf(typeAttribute(c, 'dtype', 'float32'), [])],
  },
  { ...from11, op: 'SequenceConstruct', inputs: [1, Infinity], shape: constructShape },
  { ...from11, op: 'SequenceInsert', inputs: [2, 3], shape: insertShape },
  { ...from11, op: 'SequenceErase', inputs: [1, 2], shape: eraseShape },
  { ...from11, op: 'SequenceAt', inputs: [2, 2], shape: atShape },
  { ...from11, op: 'SequenceLength', inputs: [1, 1], shape: () => [fact('int64', [])], fold: lengthFold },
  { ...one, op: 'SplitToSequence', since: [11, 24], inputs: [1, 2], shape: splitShape },
  { ...from11, op: 'ConcatFromSequence', inputs: [1, 1], shape: concatShape },
  { op: 'SequenceMap', since: [17], inputs: [1, Infinity], outputs: [1, Infinity], shape: mapShape },
  { ...one, op: 'Optional', since: [15, 28], inputs: [0, 1], shape: optionalShape },
  { ...one, op: 'OptionalGetElement', since: [15, 18, 28], inputs: [1, 1], shape: getElementShape },
  {
    ...one,
    op: 'OptionalHasElement',
    since: [15, 18, 28],
    inputs: [0, 1],
    shape: () => [fact('bool', [])],
    fold: hasElementFold,
  },
];
