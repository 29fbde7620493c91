/** The weights of a runner: their bytes, and where each lies in one constant structure. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { isKnown } from '../graph/dims.ts';
import { type ElementType, elementWidth } from '../graph/element-type.ts';
import type { TypedGraph } from '../graph/types.ts';
import { constantReader } from './folded.ts';
import type { Prepared } from './types.ts';

/** A tensor by its index in `Graph.tensors`, or a constant that was worked out for a kernel by its name. */
export type WeightKey = number | string;

export interface Weight {
  readonly key: WeightKey;
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Little-endian elements in row-major order. */
  readonly bytes: Uint8Array;
  /** From the start of the structure. */
  readonly offset: number;
}

export interface Weights {
  readonly all: readonly Weight[];
  /** Of the whole structure, rounded up to its alignment. */
  readonly bytes: number;
}

/** Where the first weight begins: the plan's hash lies before it. */
export const WEIGHTS_START = 16;
/** Alignment of the structure, and of weights of at least as many bytes as `WIDE_BYTES`. */
export const WEIGHTS_ALIGNMENT = 16;
const WIDE_BYTES = 64;

/** Weights in the order given, each aligned to its element and large ones to 16 bytes. */
export function layWeights(wanted: readonly Omit<Weight, 'offset'>[]): Weights {
  let end = WEIGHTS_START;
  const all = wanted.map((weight): Weight => {
    const { type, bytes } = weight;
    const alignment = bytes.length >= WIDE_BYTES ? WEIGHTS_ALIGNMENT : elementWidth(type);
    const offset = Math.ceil(end / alignment) * alignment;
    end = offset + bytes.length;
    return { ...weight, offset };
  });
  return { all, bytes: Math.ceil(end / WEIGHTS_ALIGNMENT) * WEIGHTS_ALIGNMENT };
}

/** Tensors and prepared constants with their elements. Throws E_WEIGHTS for all whose elements are missing. */
export function readWeights(
  graph: TypedGraph,
  wanted: readonly (number | Prepared)[],
): readonly Omit<Weight, 'offset'>[] {
  const bytesOf = constantReader(graph);
  const missing: Diagnostic[] = [];
  const all: Omit<Weight, 'offset'>[] = [];
  for (const one of wanted) {
    if (typeof one !== 'number') {
      all.push({ key: one.name, ...one });
      continue;
    }
    const { name, constant } = graph.tensors[one]!;
    const fact = graph.facts[one];
    const type = constant?.type ?? fact!.type;
    const shape = constant?.shape ?? fact!.shape!.filter(isKnown);
    const bytes = bytesOf(one);
    if (bytes === undefined) missing.push(withoutBytes(name, constant === undefined));
    else all.push({ key: one, name, type, shape, bytes });
  }
  const [first, ...others] = missing;
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return all;
}

function withoutBytes(name: string, computed: boolean): Diagnostic {
  const why = computed
    ? 'nodes compute it from other constants, which memplan does not do for so many'
    : 'its data is missing or cannot be read';
  return diagnostic('E_WEIGHTS', `The elements of ${name} are not known: ${why}.`, {
    tensor: name,
    hint: computed ? 'fold constants when you export the model' : 'put the data beside the model',
  });
}
