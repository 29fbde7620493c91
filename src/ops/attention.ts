/**
 * Attention and rotary embeddings of the standard.
 *
 * Attention: 23, 24 (nonpad_kv_seqlen), 25 (windows). RotaryEmbedding: 23. LinearAttention: 27.
 * ai.onnx.preview FlexAttention: 1.
 */
import { add, type Dim, floorDiv, mul } from '../graph/dims.ts';
import type { Fact } from '../graph/types.ts';
import { checkRank, fact, type Shape, unify } from './rules.ts';
import type { OpContext, OpRow, ShapeRule } from './types.ts';

/** A query, key or value taken apart: [batch, heads, length, size], or packed [batch, length, heads * size]. */
interface Heads {
  readonly batch: Dim;
  readonly count: Dim;
  readonly length: Dim;
  readonly size: Dim;
}

/** Takes a tensor apart; packed ones need the attribute with their number of heads. */
function headsOf(c: OpContext, from: Fact, attribute: string): Heads | undefined {
  checkRank(c, from, 3, 4);
  const shape = from.shape;
  if (shape === undefined) return undefined;
  if (shape.length === 4) {
    return { batch: shape[0]!, count: shape[1]!, length: shape[2]!, size: shape[3]! };
  }
  const count = c.int(attribute);
  if (!(count > 0)) c.fail(`${attribute} is ${count}.`);
  return { batch: shape[0]!, count, length: shape[1]!, size: floorDiv(shape[2]!, count) };
}

/**
 * Outputs Y, present_key, present_value and the product of query and key. Past and new keys follow one another.
 * https://onnx.ai/onnx/operators/onnx__Attention.html
 */
const attention: ShapeRule = (c) => {
  const query = c.input(0);
  const q = headsOf(c, query, 'q_num_heads');
  const k = headsOf(c, c.input(1), 'kv_num_heads');
  const v = headsOf(c, c.input(2), 'kv_num_heads');
  if (q !== undefined && k !== undefined) unify(c, q.size, k.size, 'head sizes of query and key');
  const present = (from: Heads | undefined, past: Fact | undefined): Shape | undefined => {
    if (from === undefined || (past !== undefined && past.shape === undefined)) return undefined;
    return [from.batch, from.count, add(past?.shape?.[2] ?? 0, from.length), from.size];
  };
  const keys = present(k, c.optional(4));
  const values = present(v, c.optional(5));
  const scores = q === undefined || keys === undefined ? undefined : [q.batch, q.count, q.length, keys[2]!];
  return [
    fact(query.type, attended(query, q, v)),
    fact(c.input(1).type, keys),
    fact(c.input(2).type, values),
    fact(query.type, scores),
  ].slice(0, c.outputCount);
};

/** The output has the layout of the query, with heads as wide as those of the value. */
function attended(query: Fact, q: Heads | undefined, v: Heads | undefined): Shape | undefined {
  if (q === undefined || v === undefined) return undefined;
  return query.shape?.length === 4
    ? [q.batch, q.count, q.length, v.size]
    : [q.batch, q.length, mul(q.count, v.size)];
}

const flexAttention: ShapeRule = (c) => {
  const query = c.input(0);
  const q = headsOf(c, query, 'q_num_heads');
  return [fact(query.type, attended(query, q, headsOf(c, c.input(2), 'kv_num_heads')))];
};

/** The state of a linear attention is one matrix of key size by value size per head. */
const linearAttention: ShapeRule = (c) => {
  const query = c.input(0);
  const q = headsOf(c, query, 'q_num_heads');
  const k = headsOf(c, c.input(1), 'kv_num_heads');
  const v = headsOf(c, c.input(2), 'kv_num_heads');
  const state = k === undefined || v === undefined ? undefined : [k.batch, k.count, k.size, v.size];
  return [fact(query.type, attended(query, q, v)), fact(c.optional(3)?.type ?? query.type, state)];
};

const rotaryEmbedding: ShapeRule = (c) => {
  checkRank(c, c.input(0), 3, 4);
  return [fact(c.input(0).type, c.input(0).shape)];
};

export const rows: readonly OpRow[] = [
  { op: 'Attention', since: [23, 24, 25], inputs: [3, 7], outputs: [1, 4], shape: attention },
  { op: 'RotaryEmbedding', since: [23], inputs: [3, 4], outputs: [1, 1], shape: rotaryEmbedding },
  { op: 'LinearAttention', since: [27], inputs: [3, 6], outputs: [1, 2], shape: linearAttention },
  {
    op: 'FlexAttention',
    domain: 'ai.onnx.preview',
    since: [1],
    inputs: [3, 3],
    outputs: [1, 1],
    shape: flexAttention,
  },
];
