/** Finds the row of an operator. The families are listed here and nowhere else. */
import { rows as activation } from './activation.ts';
import { rows as alongAxis } from './along-axis.ts';
import { rows as attention } from './attention.ts';
import { rows as cast } from './cast.ts';
import { rows as concat } from './concat.ts';
import { rows as controlFlow } from './control-flow.ts';
import { rows as conv } from './conv.ts';
import { rows as elementwiseActivation } from './elementwise-activation.ts';
import { rows as elementwiseMath } from './elementwise-math.ts';
import { rows as expand } from './expand.ts';
import { rows as gather } from './gather.ts';
import { rows as generate } from './generate.ts';
import { rows as identity } from './identity.ts';
import { rows as legacy } from './legacy.ts';
import { rows as logic } from './logic.ts';
import { rows as matmul } from './matmul.ts';
import { rows as microsoft } from './microsoft.ts';
import { rows as microsoftAttention } from './microsoft-attention.ts';
import { rows as microsoftFused } from './microsoft-fused.ts';
import { rows as microsoftQuantized } from './microsoft-quantized.ts';
import { rows as ml } from './ml.ts';
import { rows as normalization } from './normalization.ts';
import { rows as pad } from './pad.ts';
import { rows as pool } from './pool.ts';
import { rows as qlinear } from './qlinear.ts';
import { rows as quantize } from './quantize.ts';
import { rows as recurrent } from './recurrent.ts';
import { rows as reduce } from './reduce.ts';
import { rows as reshape } from './reshape.ts';
import { rows as resize } from './resize.ts';
import { rows as scan } from './scan.ts';
import { rows as scatter } from './scatter.ts';
import { rows as select } from './select.ts';
import { rows as sequence } from './sequence.ts';
import { rows as shape } from './shape.ts';
import { rows as signal } from './signal.ts';
import { rows as slice } from './slice.ts';
import { rows as softmax } from './softmax.ts';
import { rows as split } from './split.ts';
import { rows as text } from './text.ts';
import { rows as training } from './training.ts';
import { rows as transpose } from './transpose.ts';
import type { OpRow } from './types.ts';
import { rows as vision } from './vision.ts';

/** One entry per family file, in alphabetical order. */
const FAMILIES: readonly (readonly OpRow[])[] = [
  activation,
  alongAxis,
  attention,
  cast,
  concat,
  controlFlow,
  conv,
  elementwiseActivation,
  elementwiseMath,
  expand,
  gather,
  generate,
  identity,
  legacy,
  logic,
  matmul,
  microsoft,
  microsoftAttention,
  microsoftFused,
  microsoftQuantized,
  ml,
  normalization,
  pad,
  pool,
  qlinear,
  quantize,
  recurrent,
  reduce,
  reshape,
  resize,
  scan,
  scatter,
  select,
  sequence,
  shape,
  signal,
  slice,
  softmax,
  split,
  text,
  training,
  transpose,
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
