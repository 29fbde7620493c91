/** Finds the row of an operator. The families are listed here and nowhere else. */
import { rows as activation } from './activation.ts';
import { rows as attention } from './attention.ts';
import { rows as conv } from './conv.ts';
import { rows as matmul } from './matmul.ts';
import { rows as normalization } from './normalization.ts';
import { rows as pool } from './pool.ts';
import { rows as qlinear } from './qlinear.ts';
import { rows as quantize } from './quantize.ts';
import { rows as recurrent } from './recurrent.ts';
import { rows as reduce } from './reduce.ts';
import { rows as resize } from './resize.ts';
import { rows as signal } from './signal.ts';
import { rows as softmax } from './softmax.ts';
import { rows as text } from './text.ts';
import { rows as training } from './training.ts';
import type { OpRow } from './types.ts';
import { rows as vision } from './vision.ts';

/** One entry per family file, in alphabetical order. */
const FAMILIES: readonly (readonly OpRow[])[] = [
  activation,
  attention,
  conv,
  matmul,
  normalization,
  pool,
  qlinear,
  quantize,
  recurrent,
  reduce,
  resize,
  signal,
  softmax,
  text,
  training,
  vision,
];

let index: ReadonlyMap<string, OpRow> | undefined;

/** The row of `op` in `domain` ('' for ai.onnx), or undefined where memplan has no rule. */
export function findRow(domain: string, op: string): OpRow | undefined {
  index ??= new Map(allRows().map((row) => [key(row.domain ?? '', row.op), row]));
  return index.get(key(domain, op));
}

/** Every row, family by family. */
export function allRows(): readonly OpRow[] {
  return FAMILIES.flat();
}

function key(domain: string, op: string): string {
  return `${domain}:${op}`;
}
