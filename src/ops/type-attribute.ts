/** Attributes that name an element type by its number: output_dtype, stash_type, dtype. */
import { elementTypeOf } from '../graph/data-types.ts';
import type { ElementType } from '../graph/element-type.ts';
import type { OpContext } from './types.ts';

/** The type that `attribute` names, or `standard` where it is absent or 0. An unknown number throws E_SHAPE. */
export function typeAttribute<T>(c: OpContext, attribute: string, standard: T): ElementType | T {
  const number = c.int(attribute, 0);
  if (number === 0) return standard;
  return elementTypeOf(number) ?? c.fail(`attribute ${attribute} is ${number}, which is no element type.`);
}
