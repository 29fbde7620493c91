/**
 * ai.onnx.ml: classical machine learning over rows of features (https://onnx.ai/onnx/operators/, domain ai.onnx.ml).
 *
 * LabelEncoder: 1, 2, 4. TreeEnsemble: 5. TreeEnsembleClassifier, TreeEnsembleRegressor: 1, 3, 5. The rest: 1.
 * A single row may come as a vector; onnxruntime answers it as a batch of one.
 */
import type { Dim } from '../graph/dims.ts';
import type { ElementType } from '../graph/element-type.ts';
import type { Fact } from '../graph/types.ts';
import { checkRank, elementCount, fact, type Shape } from './rules.ts';
import type { Arity, OpContext, OpRow, ShapeRule } from './types.ts';

/** Number of rows of features [N, C] or [C]. */
function batchOf(c: OpContext, x: Fact): Dim | undefined {
  checkRank(c, x, 1, 2);
  return x.shape?.length === 1 ? 1 : x.shape?.[0];
}

/** A batch of rows of `columns`. */
function table(batch: Dim | undefined, columns: Dim): Shape | undefined {
  return batch === undefined ? undefined : [batch, columns];
}

/** The indices apply to the last axis; a vector of data is one row. */
const arrayFeatureExtractor: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 1, Infinity);
  const count = elementCount(c.input(1).shape);
  const leading = x.shape?.length === 1 ? [1] : x.shape?.slice(0, -1);
  return [fact(x.type, leading && count !== undefined ? [...leading, count] : undefined)];
};

const sameFact: ShapeRule = (c) => [fact(c.input(0).type, c.input(0).shape)];

const floats: ShapeRule = (c) => [fact('float32', c.input(0).shape)];

/** Strings become numbers and numbers strings. */
const swapped: ShapeRule = (c) => [fact(c.input(0).type === 'string' ? 'int64' : 'string', c.input(0).shape)];

/** Version 1 swaps strings and integers; later ones have lists of values, or a tensor of them. */
const labelEncoder: ShapeRule = (c) => {
  const lists: readonly [string, ElementType][] = [
    ['values_floats', 'float32'],
    ['values_int64s', 'int64'],
    ['values_strings', 'string'],
  ];
  const listed = lists.find(([attribute]) => c.has(attribute))?.[1];
  const type = listed ?? c.tensor('values_tensor')?.type;
  return type === undefined ? swapped(c) : [fact(type, c.input(0).shape)];
};

const CAST_TYPES: ReadonlyMap<string, ElementType> = new Map([
  ['TO_FLOAT', 'float32'],
  ['TO_INT64', 'int64'],
  ['TO_STRING', 'string'],
]);

const castMap: ShapeRule = (c) => {
  const to = c.string('cast_to', 'TO_FLOAT');
  const type = CAST_TYPES.get(to) ?? c.fail(`cast_to is '${to}'.`);
  const sparse = c.string('map_form', 'DENSE') === 'SPARSE';
  const width = sparse ? c.int('max_map', 1) : c.unknownDim('the size of a map is known only at run time');
  return [fact(type, [1, width])];
};

/** A map turned into the values of a vocabulary, in its order. */
const dictVectorizer: ShapeRule = (c) => {
  const words = c.strings('string_vocabulary')?.length ?? c.ints('int64_vocabulary')?.length;
  return [fact(c.input(0).type, [1, words ?? c.fail('a vocabulary is missing.')])];
};

const featureVectorizer: ShapeRule = (c) => {
  const sizes = c.ints('inputdimensions') ?? c.fail('attribute inputdimensions is missing.');
  const width = sizes.reduce((a, b) => a + b, 0);
  return [fact('float32', table(batchOf(c, c.input(0)), width))];
};

const oneHotEncoder: ShapeRule = (c) => {
  const x = c.input(0);
  const count = c.ints('cats_int64s')?.length ?? c.strings('cats_strings')?.length;
  if (count === undefined) c.fail('neither cats_int64s nor cats_strings is given.');
  return [fact('float32', x.shape && [...x.shape, count!])];
};

/** Type and number of the labels of a classifier. */
function labels(c: OpContext): { readonly type: ElementType; readonly count: number } {
  const strings = c.strings('classlabels_strings') ?? [];
  if (strings.length > 0) return { type: 'string', count: strings.length };
  const ints = c.ints('classlabels_ints') ?? c.ints('classlabels_int64s');
  return { type: 'int64', count: ints?.length ?? 0 };
}

/** One label and one row of scores for each row of features. */
function classified(c: OpContext, scores: number): readonly Fact[] {
  const batch = batchOf(c, c.input(0));
  return [
    fact(labels(c).type, batch === undefined ? undefined : [batch]),
    fact('float32', table(batch, scores)),
  ].slice(0, c.outputCount);
}

const linearClassifier: ShapeRule = (c) =>
  classified(c, labels(c).count || (c.floats('intercepts')?.length ?? 1));

/** Without probabilities a machine of support vectors scores every pair of more than two classes. */
const svmClassifier: ShapeRule = (c) => {
  const { count } = labels(c);
  const hasProbabilities = (c.floats('prob_a') ?? []).length > 0;
  const hasVectors = (c.ints('vectors_per_class') ?? []).length > 0;
  const pairs = hasVectors && !hasProbabilities && count > 2;
  return classified(c, pairs ? (count * (count - 1)) / 2 : count);
};

const treeEnsembleClassifier: ShapeRule = (c) => classified(c, labels(c).count);

const regressor =
  (targets: string | undefined, typed = false): ShapeRule =>
  (c) => {
    const x = c.input(0);
    const count = targets === undefined ? 1 : c.int(targets, 1);
    return [fact(typed ? x.type : 'float32', table(batchOf(c, x), count))];
  };

/** A sequence of maps, one for each row of scores. */
const zipMap: ShapeRule = () => [{ type: 'float32', shape: undefined, container: 'sequence' }];

function row(op: string, shape: ShapeRule, more: Partial<OpRow> = {}): OpRow {
  const one: Arity = [1, 1];
  return { op, domain: 'ai.onnx.ml', since: [1], inputs: one, outputs: one, shape, ...more };
}

export const rows: readonly OpRow[] = [
  row('ArrayFeatureExtractor', arrayFeatureExtractor, { inputs: [2, 2] }),
  row('Binarizer', sameFact, { inPlace: [0] }),
  row('CastMap', castMap),
  row('CategoryMapper', swapped),
  row('DictVectorizer', dictVectorizer),
  row('FeatureVectorizer', featureVectorizer, { inputs: [1, Infinity] }),
  row('Imputer', sameFact, { inPlace: [0] }),
  row('LabelEncoder', labelEncoder, { since: [1, 2, 4] }),
  row('LinearClassifier', linearClassifier, { outputs: [1, 2] }),
  row('LinearRegressor', regressor('targets')),
  row('Normalizer', floats),
  row('OneHotEncoder', oneHotEncoder),
  row('SVMClassifier', svmClassifier, { outputs: [1, 2] }),
  row('SVMRegressor', regressor(undefined)),
  row('Scaler', floats, { inPlace: [0] }),
  row('TreeEnsemble', regressor('n_targets', true), { since: [5] }),
  row('TreeEnsembleClassifier', treeEnsembleClassifier, { since: [1, 3, 5], outputs: [1, 2] }),
  row('TreeEnsembleRegressor', regressor('n_targets'), { since: [1, 3, 5] }),
  row('ZipMap', zipMap),
];
