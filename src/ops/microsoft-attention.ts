/**
 * com.microsoft: the attention operators of onnxruntime. All of version 1.
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
 */
import { add, type Dim, floorDiv, isKnown, max, mul } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import { checkRank, fact, knownDims, type Shape } from './rules.ts';
import type { Arity, OpContext, OpRow, ShapeRule } from './types.ts';

function heads(c: OpContext): number {
  const count = c.int('num_heads');
  if (!(count > 0)) c.fail(`num_heads is ${count}.`);
  return count;
}

/** The width of the value part of merged weights [hidden, query + key + value]. */
function valueWidth(c: OpContext, weights: Fact): Dim | undefined {
  const stated = c.ints('qkv_hidden_sizes')?.[2];
  if (stated !== undefined) return stated;
  return weights.shape === undefined ? undefined : floorDiv(weights.shape.at(-1)!, 3);
}

/** Attention that projects its input by merged weights; past and present hold keys and values, [2, batch, ...]. */
const merged =
  (pastPosition: number, outputType: number): ShapeRule =>
  (c) => {
    const x = c.input(0);
    checkRank(c, x, 3);
    const type = c.input(outputType).type;
    const width = valueWidth(c, c.input(1));
    if (x.shape === undefined || width === undefined) return [fact(type, undefined), fact(type, undefined)];
    const [batch, length] = x.shape as [Dim, Dim, Dim];
    const past = c.optional(pastPosition);
    const size = past?.shape?.[4] ?? floorDiv(width, heads(c));
    const present = shared(c, past) ?? [2, batch, heads(c), add(past?.shape?.[3] ?? 0, length), size];
    return [fact(type, [batch, length, width]), fact(type, present)].slice(0, c.outputCount);
  };

/** The shape of past where it is the buffer of present as well. */
function shared(c: OpContext, past: Fact | undefined): Shape | undefined {
  return c.int('past_present_share_buffer', 0) === 0 ? undefined : past?.shape;
}

/**
 * Queries [batch, length, width], or with keys and values packed in [batch, length, heads, 3, size]; keys and values
 * likewise, or by head [batch, heads, length, size]. Outputs: attention, keys, values, scores.
 */
const multiHead =
  (pastPosition: number): ShapeRule =>
  (c) => {
    const query = c.input(0);
    checkRank(c, query, 3, 5);
    const unknown = fact(query.type, undefined);
    if (query.shape === undefined) return new Array(c.outputCount).fill(unknown);
    const [batch, length] = query.shape as [Dim, Dim];
    const width = query.shape.length === 5 ? mul(heads(c), query.shape[4]!) : query.shape[2]!;
    const keys = partOf(c, c.optional(1), length, width);
    const values = partOf(c, c.optional(2), keys?.length ?? length, width);
    if (keys === undefined || values === undefined) return new Array(c.outputCount).fill(unknown);
    const grown = (part: Part, past: Fact | undefined): Shape =>
      shared(c, past) ?? [
        batch,
        heads(c),
        add(past?.shape?.[2] ?? 0, part.length),
        floorDiv(part.width, heads(c)),
      ];
    const presentKeys = grown(keys, c.optional(pastPosition));
    return [
      fact(query.type, [batch, length, values.width]),
      fact(query.type, presentKeys),
      fact(query.type, grown(values, c.optional(pastPosition + 1))),
      fact(query.type, [batch, heads(c), length, presentKeys[2]!]),
    ].slice(0, c.outputCount);
  };

interface Part {
  readonly length: Dim;
  readonly width: Dim;
}

/** Length and width over all heads of keys or values; absent ones are packed with the query. */
function partOf(c: OpContext, part: Fact | undefined, length: Dim, width: Dim): Part | undefined {
  if (part === undefined) return { length, width };
  checkRank(c, part, 3, 5, 'keys or values');
  const shape = part.shape;
  if (shape === undefined) return undefined;
  if (shape.length === 3) return { length: shape[1]!, width: shape[2]! };
  if (shape.length === 4) return { length: shape[2]!, width: mul(shape[1]!, shape[3]!) };
  return { length: shape[1]!, width: mul(shape[2]!, shape[4]!) };
}

/**
 * Several query heads share one head of keys and values. The buffers of the cache are as long as the longer of past
 * and total; where the total is only known at run time they are planned for past and new keys together.
 */
const groupQuery: ShapeRule = (c) => {
  const query = c.input(0);
  checkRank(c, query, 3);
  const past = c.optional(3);
  const unknown = fact(query.type, undefined);
  if (query.shape === undefined) return new Array(c.outputCount).fill(unknown);
  const [batch, length, width] = query.shape as [Dim, Dim, Dim];
  const groups = c.int('kv_num_heads');
  const size =
    c.optional(1) === undefined ? floorDiv(width, heads(c) + 2 * groups) : floorDiv(width, heads(c));
  const present: Shape = [batch, groups, cacheLength(c, past?.shape?.[2] ?? 0, length), size];
  const cache = fact(past?.type ?? query.type, present);
  return [fact(query.type, [batch, length, mul(heads(c), size)]), cache, cache].slice(0, c.outputCount);
};

function cacheLength(c: OpContext, past: Dim, length: Dim): Dim {
  const total = knownDims(c.optional(6))?.[0];
  if (total !== undefined) return max(past, total);
  if (!isKnown(past) || past > 0) {
    c.note(
      'the total length is known only at run time; the cache is planned for past and new keys together.',
    );
  }
  return add(past, length);
}

/** Sequences without padding, one after the other: [tokens, width]. */
const packed: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 2);
  const width = valueWidth(c, c.input(1));
  const known = x.shape !== undefined && width !== undefined;
  return [fact(x.type, known ? [x.shape[0]!, width] : undefined)];
};

const packedMultiHead: ShapeRule = (c) => {
  const query = c.input(0);
  checkRank(c, query, 2, 4);
  if (query.shape === undefined) return [fact(query.type, undefined)];
  const width = query.shape.length === 4 ? mul(query.shape[1]!, query.shape[3]!) : query.shape[1]!;
  return [fact(query.type, [query.shape[0]!, c.optional(2)?.shape?.[1] ?? width])];
};

/** One bias per head for each pair of positions; the batch broadcasts. */
const relativePositionBias: ShapeRule = (c) => {
  const table = c.input(0);
  checkRank(c, table, 2);
  const length = (position: number) =>
    knownDims(c.input(position))?.[0] ?? c.unknownDim('the length of a sequence is not constant');
  return [fact(table.type, table.shape && [1, table.shape[1]!, length(1), length(2)])];
};

const gatedRelativePositionBias: ShapeRule = (c) => {
  const query = c.input(0);
  checkRank(c, query, 3);
  return [fact(query.type, query.shape && [query.shape[0]!, heads(c), query.shape[1]!, query.shape[1]!])];
};

const sameShape: ShapeRule = (c) => [fact(c.input(0).type, c.input(0).shape)];

function row(op: string, inputs: Arity, outputs: Arity, shape: ShapeRule): OpRow {
  return { op, domain: 'com.microsoft', since: [1], inputs, outputs, shape };
}

export const rows: readonly OpRow[] = [
  row('Attention', [2, 7], [1, 2], merged(4, 0)),
  row('DecoderMaskedMultiHeadAttention', [1, 11], [1, 4], multiHead(5)),
  row('GatedRelativePositionBias', [6, 7], [1, 1], gatedRelativePositionBias),
  row('GroupQueryAttention', [7, 14], [1, 4], groupQuery),
  row('MultiHeadAttention', [1, 10], [1, 4], multiHead(6)),
  row('PackedAttention', [5, 6], [1, 1], packed),
  row('PackedMultiHeadAttention', [6, 7], [1, 1], packedMultiHead),
  row('QAttention', [5, 9], [1, 2], merged(8, 2)),
  row('RelativePositionBias', [3, 3], [1, 1], relativePositionBias),
  row('RotaryEmbedding', [4, 4], [1, 1], sameShape),
];
