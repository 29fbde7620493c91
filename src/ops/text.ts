/**
 * Strings. They have no static size, so most of these only serve to say so by name, or are folded away.
 *
 * StringNormalizer: 10. TfIdfVectorizer: 9. RegexFullMatch, StringConcat, StringSplit: 20.
 */
import { broadcast, checkRank, fact } from './rules.ts';
import type { OpRow, ShapeRule } from './types.ts';

/** With stop words the number of strings that remain depends on the data. */
const stringNormalizer: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 1, 2);
  if (x.shape === undefined || (c.strings('stopwords') ?? []).length === 0) return [fact('string', x.shape)];
  const count = c.unknownDim('how many strings remain is known only at run time');
  return [fact('string', [...x.shape.slice(0, -1), count])];
};

/** One column for every coordinate that an n-gram maps to. */
const tfIdfVectorizer: ShapeRule = (c) => {
  const x = c.input(0);
  checkRank(c, x, 0, 2);
  const columns = c.ints('ngram_indexes') ?? c.fail('attribute ngram_indexes is missing.');
  const width = columns.reduce((a, b) => Math.max(a, b), -1) + 1;
  return [fact('float32', x.shape === undefined ? undefined : [...x.shape.slice(0, -1), width])];
};

const regexFullMatch: ShapeRule = (c) => [fact('bool', c.input(0).shape)];

const stringConcat: ShapeRule = (c) => [fact('string', broadcast(c, [c.input(0).shape, c.input(1).shape]))];

const stringSplit: ShapeRule = (c) => {
  const shape = c.input(0).shape;
  const parts = c.unknownDim('how many parts a string splits into is known only at run time');
  return [fact('string', shape === undefined ? undefined : [...shape, parts]), fact('int64', shape)];
};

export const rows: readonly OpRow[] = [
  { op: 'StringNormalizer', since: [10], inputs: [1, 1], outputs: [1, 1], shape: stringNormalizer },
  { op: 'TfIdfVectorizer', since: [9], inputs: [1, 1], outputs: [1, 1], shape: tfIdfVectorizer },
  { op: 'RegexFullMatch', since: [20], inputs: [1, 1], outputs: [1, 1], shape: regexFullMatch },
  { op: 'StringConcat', since: [20], inputs: [2, 2], outputs: [1, 1], shape: stringConcat },
  { op: 'StringSplit', since: [20], inputs: [1, 1], outputs: [2, 2], shape: stringSplit },
];
