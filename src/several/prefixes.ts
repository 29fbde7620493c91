/** C prefixes: one for each model, and with several models one for what they share. */
import { cPrefix } from '../emit/identifiers.ts';
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import type { PlanRequest } from '../plan/request.ts';
import type { PlanBucket } from '../plan/types.ts';
import type { Arranged } from './arrange.ts';
import { type Called, findModel, labelOf } from './names.ts';

export interface Prefixes {
  readonly models: readonly string[];
  readonly shared: string;
}

/**
 * A single model has the prefix of `--prefix`. Of several each has its own, `--prefix kws=KWS` or from its file's name;
 * what they share is called after all of them unless `--prefix APP` says otherwise. Throws E_USAGE where two are equal.
 */
export function prefixesOf({ models, buckets }: Arranged, request: PlanRequest): Prefixes {
  if (buckets !== undefined) return ofBuckets(buckets, request.prefix ?? cPrefix(models[0]!.model.file));
  const named = new Map<number, string>();
  const files = models.map(({ model, given }) => ({ name: model.name, file: model.file, given }));
  for (const [name, prefix] of request.prefixes) named.set(findModel('--prefix', files, name), prefix);
  const own = files.map(({ file }, i) => named.get(i) ?? cPrefix(file));
  if (own.length === 1) {
    const prefix = request.prefix ?? own[0]!;
    return { models: [prefix], shared: prefix };
  }
  const shared = request.prefix ?? cPrefix(own.join('_'));
  const [first, ...others] = clashes([...own, shared], files);
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return { models: own, shared };
}

/** `KWS_SEQ64` of the bucket seq=64, and `KWS` of what they share. */
function ofBuckets(buckets: readonly PlanBucket[], shared: string): Prefixes {
  const own = buckets.map(({ sizes }) =>
    cPrefix(`${shared}_${sizes.map(({ name, size }) => `${name}${size}`).join('_')}`),
  );
  const clash = own.some((prefix, i) => own.indexOf(prefix) !== i);
  return { models: clash ? own.map((_, i) => cPrefix(`${shared}_bucket${i}`)) : own, shared };
}

/** Macros are upper and functions lower case, so prefixes must differ in more than case. */
function clashes(
  prefixes: readonly string[],
  files: readonly (Called & { readonly file: string })[],
): Diagnostic[] {
  const owner = (i: number) => files[i]?.file ?? 'what the models share';
  const label = (i: number) => (files[i] === undefined ? '' : `${labelOf(files, i)}=`);
  return prefixes.flatMap((prefix, i) => {
    const first = prefixes.findIndex((other) => other.toUpperCase() === prefix.toUpperCase());
    if (first === i) return [];
    const text = `${owner(first)} and ${owner(i)} have one C prefix, ${prefix}.`;
    return [diagnostic('E_USAGE', text, { hint: `--prefix "${label(i)}${prefix}_${i}", or rename a file` })];
  });
}
