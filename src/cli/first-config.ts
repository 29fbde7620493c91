/** A first configuration for models: what is known is written, what is open gets a placeholder. */
import { type Dim, formatDim, isKnown, symbolsOf } from '../graph/dims.ts';
import type { Model } from '../model/types.ts';
import { isPlaceholder } from '../shape/bind.ts';

export interface ConfiguredEntry {
  readonly file: string;
  /** Sizes of named dimensions, all placeholders. */
  readonly dim?: Readonly<Record<string, number | typeof OPEN>>;
  /** Shapes of inputs whose open dimensions have no name. */
  readonly inputShape?: Readonly<Record<string, readonly number[]>>;
}

export interface FirstEntry {
  readonly entry: ConfiguredEntry;
  /** What is a placeholder: a sentence each. */
  readonly open: readonly string[];
}

/** A first axis is nearly always the batch, and on a chip there is one. */
const BATCH = 1;

/** No size: memplan asks for it until it is replaced. */
const OPEN = '?';
const OPEN_AXIS = -1;

/** `file` is the model's path from the configuration. */
export function firstEntry(file: string, { graph }: Model): FirstEntry {
  const dim = new Map<string, number | typeof OPEN>();
  const inputShape = new Map<string, readonly number[]>();
  const open: string[] = [];
  for (const index of graph.inputs) {
    const { name, declared } = graph.tensors[index]!;
    const shape = declared?.shape;
    // The reader calls a dimension without a name after its place: `x[0]`.
    const nameless = (size: Dim, axis: number) =>
      formatDim(size).startsWith(`${name}[${axis}]`) || isPlaceholder(formatDim(size));
    if (shape === undefined || shape.some(nameless)) {
      const sizes = shape?.map((size, axis) => (isKnown(size) ? size : axis === 0 ? BATCH : OPEN_AXIS));
      inputShape.set(name, sizes ?? [OPEN_AXIS]);
      const known =
        shape === undefined
          ? 'no shape'
          : `the shape [${shape.map((size, axis) => (nameless(size, axis) ? '?' : formatDim(size))).join(',')}]`;
      open.push(`inputShape.${name}: the model gives it ${known}`);
    } else {
      for (const [axis, size] of shape.entries()) {
        for (const symbol of symbolsOf(size))
          if (dim.get(symbol) !== BATCH) dim.set(symbol, axis === 0 ? BATCH : OPEN);
      }
    }
  }
  open.push(...[...dim.keys()].map((name) => `dim.${name}: the model leaves it open`));
  return {
    entry: {
      file,
      ...(dim.size > 0 && { dim: Object.fromEntries(dim) }),
      ...(inputShape.size > 0 && { inputShape: Object.fromEntries(inputShape) }),
    },
    open,
  };
}
