/** Reads and compares what quantised elements stand for. */
import { ELEMENT_BITS, type ElementType, isInteger } from '../graph/element-type.ts';
import type { Fact, Node } from '../graph/types.ts';
import { knownNumbers } from '../ops/rules.ts';
import type { Wiring } from './wiring.ts';

/** The least element of an integer type; undefined for others. */
export function leastOf(type: ElementType): number | undefined {
  if (!isInteger(type)) return undefined;
  return type.startsWith('u') ? 0 : -(2 ** (ELEMENT_BITS[type] - 1));
}

/** The real number that an element stands for, where one scale holds for the whole tensor. */
export function realOf({ quant }: Fact, element: number): number | undefined {
  if (quant === undefined || quant.axis !== null) return undefined;
  return (element - quant.zeroPoint[0]!) * quant.scale[0]!;
}

/** Scale and zero point of a QuantizeLinear or DequantizeLinear, by the tensors that hold them. */
export interface Parameters {
  readonly scale: number;
  readonly zeroPoint: number | undefined;
}

/** Undefined where scale or zero point are computed by the network. */
export function parametersOf(wiring: Wiring, node: Node): Parameters | undefined {
  const [, scale, zeroPoint] = node.inputs;
  if (scale === undefined || !wiring.constants.has(scale)) return undefined;
  return zeroPoint === undefined || wiring.constants.has(zeroPoint) ? { scale, zeroPoint } : undefined;
}

/** One scale for the whole tensor. */
export function isPerTensor(wiring: Wiring, { scale }: Parameters): boolean {
  return elements(wiring, scale) === 1;
}

/** One scale for each index of `axis` of a tensor of this shape, or one for all. Blocks have scales of a higher rank. */
export function isPerChannelOf(wiring: Wiring, node: Node, { scale }: Parameters, axis: number): boolean {
  if (elements(wiring, scale) === 1) return true;
  const rank = wiring.graph.facts[node.inputs[0]!]?.shape?.length ?? 0;
  const attribute = node.attributes.get('axis');
  const stated = attribute?.kind === 'int' ? Number(attribute.value) : 1;
  const own = stated < 0 ? stated + rank : stated;
  return wiring.graph.facts[scale]?.shape?.length === 1 && own === axis;
}

/** Equal elements stand for equal numbers: by tensor, else by value. False where a value is not known. */
export function meanTheSame(wiring: Wiring, a: Parameters, b: Parameters): boolean {
  return (
    (a.scale === b.scale || sameNumbers(scaleValues(wiring, a), scaleValues(wiring, b))) &&
    (a.zeroPoint === b.zeroPoint || sameNumbers(zeroValues(wiring, a), zeroValues(wiring, b)))
  );
}

/** What a bias may be off, for the scale of a bias is a product that was rounded once or twice. */
const TOLERANCE = 1e-5;

/** The scale of an int32 bias is the product of the scales of data and weight, its zero point 0. */
export function isBiasScale(wiring: Wiring, bias: Parameters, data: Parameters, weight: Parameters): boolean {
  const [b, d, w] = [bias, data, weight].map((parameters) => scaleValues(wiring, parameters));
  const zeros = zeroValues(wiring, bias);
  if (b === undefined || d === undefined || w === undefined || zeros === undefined) return false;
  const most = Math.max(b.length, w.length);
  if (d.length !== 1 || [b, w].some(({ length }) => length !== 1 && length !== most)) return false;
  if (zeros.some((zero) => zero !== 0)) return false;
  return Array.from({ length: most }, (_, i) => i).every((i) => {
    const product = d[0]! * w[i % w.length]!;
    return Math.abs(b[i % b.length]! - product) <= TOLERANCE * Math.abs(product);
  });
}

function elements(wiring: Wiring, tensor: number): number | undefined {
  const shape = wiring.graph.facts[tensor]?.shape;
  return shape?.every((size) => typeof size === 'number') ? shape.reduce((a, b) => a * b, 1) : undefined;
}

function scaleValues({ graph }: Wiring, { scale }: Parameters): readonly number[] | undefined {
  return knownNumbers(graph.facts[scale]);
}

/** A zero point that is left out is 0. */
function zeroValues({ graph }: Wiring, { zeroPoint }: Parameters): readonly number[] | undefined {
  return zeroPoint === undefined ? [0] : knownNumbers(graph.facts[zeroPoint]);
}

function sameNumbers(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.length === b.length && a.every((value, i) => value === b[i]);
}
