/** How the checker words what it finds. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import { type ElementType, tensorBytes } from '../graph/element-type.ts';

/** A broken promise. `tensor` and `node` by name. */
export function fault(
  text: string,
  where: { readonly tensor?: string | undefined; readonly node?: string | undefined } = {},
): Diagnostic {
  return diagnostic('E_PLAN_FAULT', text, where);
}

/** A tensor or a weight has the bytes of its type and shape. */
export function sizeFaults(
  what: 'Tensor' | 'Weight',
  one: {
    readonly name: string;
    readonly type: ElementType;
    readonly shape: readonly number[];
    readonly bytes: number;
  },
): readonly Diagnostic[] {
  const { name, type, shape, bytes } = one;
  const elements = shape.reduce((a, b) => a * b, 1);
  const needed = tensorBytes(type, elements);
  if (bytes === needed) return [];
  return [fault(`${what} ${name} has ${bytes} bytes; ${type} of its shape has ${needed}.`, { tensor: name })];
}
