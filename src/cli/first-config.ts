/** A first configuration for models: what is known is written, what is open gets a placeholder. */
import { formatDim, isKnown, symbolsOf } from '../graph/dims.ts';
import { isUnknownName } from '../graph/unknown-dims.ts';
import type { Model } from '../model/types.ts';
import { inferShapes } from '../shape/infer.ts';
import { NO_BINDINGS } from '../shape/types.ts';

export interface ConfiguredEntry {
  readonly file: string;
  /** Sizes of named dimensions, all placeholders. */
  readonly dim?: Readonly<Record<string, number>>;
  /** Shapes of inputs whose open dimensions have no name. */
  readonly inputShape?: Readonly<Record<string, readonly number[]>>;
}

export interface FirstEntry {
  readonly entry: ConfiguredEntry;
  /** What is a placeholder: a sentence each. */
  readonly open: readonly string[];
}

const PLACEHOLDER = 1;

/** `file` is the model's path from the configuration. */
export function firstEntry(file: string, { graph }: Model): FirstEntry {
  const { facts } = inferShapes(graph, NO_BINDINGS, { allowOpen: true }).graph;
  const dim = new Map<string, number>();
  const inputShape = new Map<string, readonly number[]>();
  const open: string[] = [];
  for (const index of graph.inputs) {
    const { name } = graph.tensors[index]!;
    const shape = facts[index]?.shape;
    const symbols = new Set<string>();
    for (const size of shape ?? []) symbolsOf(size, symbols);
    if (shape === undefined || [...symbols].some(isUnknownName)) {
      const sizes = (shape ?? [PLACEHOLDER]).map((size) => (isKnown(size) ? size : PLACEHOLDER));
      inputShape.set(name, sizes);
      const known = shape === undefined ? 'no shape' : `the shape [${shape.map(sizeText).join(',')}]`;
      open.push(`inputShape.${name}: the model gives it ${known}`);
    } else {
      for (const symbol of symbols) dim.set(symbol, PLACEHOLDER);
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

function sizeText(size: Parameters<typeof formatDim>[0]): string {
  const text = formatDim(size);
  return isUnknownName(text) ? '?' : text;
}
