/**
 * Activations with more than one operand.
 *
 * PRelu: 1 (slope of one element or one per channel), 6, 7 (the slope broadcasts), 9, 16.
 * SwiGLU: 28.
 */
import { broadcast, fact, unify } from './rules.ts';
import type { OpRow, ShapeRule } from './types.ts';

/** The standard lets only the slope stretch; onnxruntime stretches the data too, which gives the larger size. */
const prelu: ShapeRule = (c) => {
  const x = c.input(0);
  if (c.opset < 7) return [fact(x.type, x.shape)];
  return [fact(x.type, broadcast(c, [x.shape, c.input(1).shape]))];
};

/** Gate and value have one shape; nothing broadcasts. */
const swiglu: ShapeRule = (c) => {
  const gate = c.input(0);
  const linear = c.input(1).shape;
  if (gate.shape === undefined || linear === undefined) return [fact(gate.type, gate.shape ?? linear)];
  if (gate.shape.length !== linear.length) c.fail('gate and value differ in rank.');
  return [
    fact(
      gate.type,
      gate.shape.map((dim, i) => unify(c, dim, linear[i]!, 'sizes of gate and value')),
    ),
  ];
};

export const rows: readonly OpRow[] = [
  { op: 'PRelu', since: [1, 6, 7, 9, 16], inputs: [2, 2], outputs: [1, 1], shape: prelu, inPlace: [0] },
  { op: 'SwiGLU', since: [28], inputs: [2, 2], outputs: [1, 1], shape: swiglu, inPlace: [0, 1] },
];
