/** Which operators the runner's kernels can carry out. One line for each family. */
import type { Node } from '../graph/types.ts';
import { QDQ_DOMAIN } from '../kernels/integer-form.ts';
import { lowerings as binary } from './lower/binary.ts';
import { lowerings as cmsisNn } from './lower/cmsis-nn.ts';
import { lowerings as integers } from './lower/integers.ts';
import { lowerings as matmul } from './lower/matmul.ts';
import { lowerings as move } from './lower/move.ts';
import { lowerings as quantized } from './lower/quantized.ts';
import { lowerings as recurrent } from './lower/recurrent.ts';
import { lowerings as reduce } from './lower/reduce.ts';
import { lowerings as resize } from './lower/resize.ts';
import { lowerings as unary } from './lower/unary.ts';
import { lowerings as window } from './lower/window.ts';
import type { Lowering } from './types.ts';

const ALL: ReadonlyMap<string, Lowering> = new Map(
  [unary, binary, window, matmul, move, reduce, resize, quantized, integers, recurrent].flatMap(
    Object.entries<Lowering>,
  ),
);

/** To reference kernels. */
export function loweringOf(node: Node): Lowering | undefined {
  return ALL.get(keyOf(node));
}

/** To kernels of CMSIS-NN. */
export function cmsisLoweringOf(node: Node): Lowering | undefined {
  return cmsisNn[keyOf(node)];
}

function keyOf({ domain, op }: Node): string {
  return domain === '' ? op : `${domain}:${op}`;
}

/** Operators that have kernels, sorted; those of another domain than ai.onnx as `domain:operator`. */
export function runnableOperators(): readonly string[] {
  return [...ALL.keys()].filter((key) => !key.startsWith(`${QDQ_DOMAIN}:`)).sort();
}
