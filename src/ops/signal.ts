/**
 * Signal processing.
 *
 * DFT: 17 (axis as attribute), 20 (axis as input, inverse of one-sided spectra). STFT: 17.
 * BlackmanWindow, HammingWindow, HannWindow: 17. MelWeightMatrix: 17.
 */
import { add, type Dim, floorDiv, isKnown, mul, sub } from '../graph/dims.ts';
import { checkRank, fact, knownDims, knownScalar, normaliseAxis } from './rules.ts';
import { typeAttribute } from './type-attribute.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/** The number an optional scalar input holds: `standard` when it is left out, unknown when it is not constant. */
function scalarOr(c: OpContext, position: number, standard: Dim, what: string): Dim {
  if (c.node.inputs[position] === undefined) return standard;
  return knownDims(c.optional(position))?.[0] ?? c.unknownDim(`${what} is not constant`);
}

/** Bins of a one-sided spectrum. */
function half(length: Dim): Dim {
  return add(floorDiv(length, 2), 1);
}

/**
 * https://onnx.ai/onnx/operators/onnx__DFT.html: the last axis holds 1 real or 2 complex parts; the transformed
 * axis gets the length of the transform, or half of it when one-sided.
 */
const dft: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 2, Infinity);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  const stated =
    c.opset < 20 ? c.int('axis', 1) : c.node.inputs[2] === undefined ? -2 : knownScalar(c.optional(2));
  if (stated === undefined)
    return [
      fact(
        x.type,
        x.shape.map(() => c.unknownDim('the axis of a DFT is not constant')),
      ),
    ];
  const axis = normaliseAxis(c, stated, x.shape.length);
  if (axis === x.shape.length - 1)
    c.fail('the last axis holds the parts of a number and cannot be transformed.');
  const oneSided = c.int('onesided', 0) !== 0;
  const inverse = c.int('inverse', 0) !== 0;
  const size = x.shape[axis]!;
  const standard = oneSided && inverse ? mul(sub(size, 1), 2) : size;
  const length = scalarOr(c, 1, standard, 'the length of a DFT');
  const shape = [...x.shape];
  shape[axis] = oneSided && !inverse ? half(length) : length;
  shape[shape.length - 1] = oneSided && inverse ? 1 : 2;
  return [fact(x.type, shape)];
};

/** Frames are as long as frame_length, or as the window; floor((signal - frame) / step) + 1 of them fit. */
const stft: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 2, 3);
  if (x.shape === undefined) return [fact(x.type, undefined)];
  const window =
    c.node.inputs[2] === undefined
      ? undefined
      : (c.optional(2)?.shape?.[0] ?? c.unknownDim('a window of unknown length'));
  if (window === undefined && c.node.inputs[3] === undefined)
    c.fail('neither window nor frame_length is given.');
  const frame = scalarOr(c, 3, window ?? 0, 'the frame length of an STFT');
  const step = scalarOr(c, 1, 1, 'the frame step of an STFT');
  if (isKnown(step) && step <= 0) c.fail(`the frame step is ${step}.`);
  const frames = add(floorDiv(sub(x.shape[1]!, frame), step), 1);
  const bins = c.int('onesided', 1) !== 0 ? half(frame) : frame;
  return [fact(x.type, [x.shape[0]!, frames, bins, 2])];
};

const window: ShapeRule = (c) => [
  fact(typeAttribute(c, 'output_datatype', 'float32'), [scalarOr(c, 0, 0, 'the length of a window')]),
];

const melWeightMatrix: ShapeRule = (c) => {
  const bins = scalarOr(c, 0, 0, 'the number of mel bins');
  const length = scalarOr(c, 1, 0, 'the length of a DFT');
  return [fact(typeAttribute(c, 'output_datatype', 'float32'), [half(length), bins])];
};

export const rows: readonly OpRow[] = [
  { op: 'DFT', since: [17, 20], inputs: [1, 3], outputs: [1, 1], shape: dft },
  { op: 'STFT', since: [17], inputs: [2, 4], outputs: [1, 1], shape: stft },
  { op: 'BlackmanWindow', since: [17], inputs: [1, 1], outputs: [1, 1], shape: window },
  { op: 'HammingWindow', since: [17], inputs: [1, 1], outputs: [1, 1], shape: window },
  { op: 'HannWindow', since: [17], inputs: [1, 1], outputs: [1, 1], shape: window },
  { op: 'MelWeightMatrix', since: [17], inputs: [5, 5], outputs: [1, 1], shape: melWeightMatrix },
];
