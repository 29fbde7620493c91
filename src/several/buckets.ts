/** One model for several sets of sizes (--bucket): each is planned like a model of its own, and they take turns. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import type { Model } from '../model/types.ts';
import type { PlanRequest } from '../plan/request.ts';
import type { PlanBucket } from '../plan/types.ts';

/** More tables than that are a mistake of whoever asks for them. */
const MOST = 64;

/** Every combination of the sizes, the smallest first: the first that is large enough in all is the smallest such. */
export function bucketsOf({ buckets }: Pick<PlanRequest, 'buckets'>): readonly PlanBucket[] {
  let all: readonly PlanBucket[] = buckets.length === 0 ? [] : [{ sizes: [] }];
  for (const [name, sizes] of buckets.map(({ name, sizes }) => [name, sizes] as const)) {
    all = all.flatMap((bucket) => sizes.map((size) => ({ sizes: [...bucket.sizes, { name, size }] })));
  }
  const volume = ({ sizes }: PlanBucket) => sizes.reduce((product, { size }) => product * size, 1);
  const apart = (a: PlanBucket, b: PlanBucket) =>
    a.sizes.map(({ size }, i) => size - b.sizes[i]!.size).find((difference) => difference !== 0) ?? 0;
  return [...all].sort((a, b) => volume(a) - volume(b) || apart(a, b));
}

/** `seq=64`, or `batch=1,seq=64`. */
export function bucketText({ sizes }: PlanBucket): string {
  return sizes.map(({ name, size }) => `${name}=${size}`).join(',');
}

/** The model once for each bucket, with the request that it is laid out for. Throws E_USAGE and E_RULE. */
export function inBuckets(
  read: readonly Model[],
  request: PlanRequest,
): readonly { readonly model: Model; readonly request: PlanRequest; readonly bucket: PlanBucket }[] {
  const buckets = bucketsOf(request);
  const [first, ...others] = faults(read, request, buckets);
  if (first !== undefined) throw new MemplanError([first, ...others]);
  const model = read[0]!;
  return buckets.map((bucket) => ({
    model: { ...model, name: `${model.name}@${bucketText(bucket)}` },
    request: { ...request, bindings: bound(request.bindings, bucket) },
    bucket,
  }));
}

function bound(bindings: PlanRequest['bindings'], { sizes }: PlanBucket): PlanRequest['bindings'] {
  return {
    ...bindings,
    dims: new Map([...bindings.dims, ...sizes.map(({ name, size }) => [name, size] as const)]),
  };
}

function faults(read: readonly Model[], request: PlanRequest, buckets: readonly PlanBucket[]): Diagnostic[] {
  const { bindings, run, states } = request;
  const usage = (text: string, hint: string) => diagnostic('E_USAGE', text, { hint });
  const twice = request.buckets.filter(
    ({ name }) => bindings.dims.has(name) || bindings.ranges?.has(name) === true,
  );
  return [
    ...(read.length === 1
      ? []
      : [usage('--bucket divides one model; there are several.', 'Plan them one by one.')]),
    ...(run === 'exclusive'
      ? []
      : [usage(`Buckets take turns, so --run ${run} has no place beside --bucket.`, 'Leave --run out.')]),
    ...(buckets.length <= MOST
      ? []
      : [usage(`--bucket makes ${buckets.length} buckets; ${MOST} are the most.`, 'Name fewer sizes.')]),
    ...twice.map(({ name }) =>
      usage(`--bucket ${name} and --dim ${name} speak of one dimension.`, `Leave out --dim ${name}.`),
    ),
    ...(states.length === 0
      ? []
      : [
          diagnostic('E_RULE', '--state: a value of one bucket has no place in the others.', {
            hint: 'Keep state outside of the arena (--io external), or plan one size.',
          }),
        ]),
  ];
}
