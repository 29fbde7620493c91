/** Brings together what two paths of control flow say about one tensor. */
import { type Dim, formatShape, sameDim } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import type { OpContext } from './types.ts';

/**
 * What holds for both facts. `differing` says what becomes of a dimension that differs; the whole shape is
 * unknown when the ranks differ. Two element types for one tensor throw E_SHAPE.
 */
export function mergeFacts(
  c: OpContext,
  a: Fact | undefined,
  b: Fact | undefined,
  differing: (a: Dim, b: Dim, axis: number) => Dim,
): Fact | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a.type !== b.type) c.fail(`a value is ${a.type} on one path and ${b.type} on the other.`);
  const container = a.container ?? b.container;
  const shape =
    a.shape?.length === b.shape?.length
      ? a.shape?.map((dim, axis) =>
          sameDim(dim, b.shape![axis]!) ? dim : differing(dim, b.shape![axis]!, axis),
        )
      : undefined;
  return { type: a.type, shape, ...(container && { container }) };
}

/** `float32[2,N]` */
export function formatFact(fact: Fact | undefined): string {
  return fact === undefined ? 'something unknown' : `${fact.type}${formatShape(fact.shape)}`;
}

/** True when both say the same about type and shape. */
export function agree(a: Fact | undefined, b: Fact | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.type !== b.type || a.shape?.length !== b.shape?.length) return false;
  return a.shape?.every((dim, axis) => sameDim(dim, b.shape![axis]!)) ?? true;
}
