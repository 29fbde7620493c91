/** Asks which nodes may become one step: nobody else needs what passes between them. */
import type { Node } from '../graph/types.ts';
import { membersOf } from './group.ts';
import type { Wiring } from './wiring.ts';

/** Somebody needs the tensor. */
export function isUsed(wiring: Wiring, tensor: number): boolean {
  return wiring.isFixed(tensor) || wiring.readers(tensor).size > 0;
}

/** Output 0 is the only one that anybody needs. */
export function hasOneResult(wiring: Wiring, node: Node): boolean {
  const [result, ...others] = node.outputs;
  return result !== undefined && !others.some((tensor) => tensor !== undefined && isUsed(wiring, tensor));
}

/** The only node that reads the tensor, once; undefined when it must also be there for others. */
export function onlyReader(wiring: Wiring, tensor: number): Node | undefined {
  const readers = wiring.readers(tensor);
  if (wiring.isFixed(tensor) || readers.size !== 1) return undefined;
  const [reader] = readers;
  return reader!.inputs.filter((input) => input === tensor).length === 1 ? reader : undefined;
}

/** Chains are cut here, so that joining them node by node stays linear. */
const MOST_MEMBERS = 64;

/**
 * The node whose one result goes into input `position` of `node` and nowhere else, so that the two may become one
 * step; undefined when there is none.
 */
export function feederOf(wiring: Wiring, node: Node, position = 0): Node | undefined {
  const tensor = node.inputs[position];
  const feeder = wiring.writer(tensor);
  if (tensor === undefined || feeder === undefined || feeder.bodies.length > 0) return undefined;
  const fits =
    feeder.outputs[0] === tensor &&
    wiring.areTogether(feeder, node) &&
    onlyReader(wiring, tensor) === node &&
    hasOneResult(wiring, feeder) &&
    membersOf(feeder).length < MOST_MEMBERS;
  return fits ? feeder : undefined;
}

/** True for a constant that no other step reads: it may be changed before the network runs. */
export function isOwnConstant(wiring: Wiring, tensor: number, reader: Node): boolean {
  return wiring.constants.has(tensor) && onlyReader(wiring, tensor) === reader;
}
