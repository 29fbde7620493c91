/** What each key of a request may be: callers of the library without types are told what is wrong with theirs. */
import { isPowerOfTwo } from '../bytes.ts';
import { type Diagnostic, diagnostic } from '../errors.ts';
import { nearestNames } from '../target/nearest.ts';

export interface Check {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

/** E_USAGE for each key that is unknown, missing or not what it should be; a key that is undefined is not given. */
export function requestFaults(given: object, checks: Readonly<Record<string, Check>>): readonly Diagnostic[] {
  const value = (key: string) => (given as Record<string, unknown>)[key];
  const unknown = Object.keys(given)
    .filter((key) => !Object.hasOwn(checks, key))
    .map((key) =>
      diagnostic('E_USAGE', `planRequest: there is no key "${key}"`, { hint: guess(key, checks) }),
    );
  const wrong = Object.entries(checks)
    .filter(([key, { holds }]) => (value(key) === undefined ? isNeeded(key) : !holds(value(key))))
    .map(([key, { expected }]) => {
      const is = value(key) === undefined ? 'is missing' : `is ${shown(value(key))}`;
      return diagnostic('E_USAGE', `planRequest: ${key} ${is}; it has to be ${expected}`);
    });
  return [...unknown, ...wrong];
}

function isNeeded(key: string): boolean {
  return key === 'models' || key === 'target';
}

function guess(key: string, checks: object): string {
  const byLower = new Map(Object.keys(checks).map((known) => [known.toLowerCase(), known]));
  const near = nearestNames(key, [...byLower.keys()]).map((name) => byLower.get(name)!);
  return near.length > 0
    ? `did you mean ${near.join(', ')}?`
    : `the keys are ${Object.keys(checks).join(', ')}`;
}

function shown(value: unknown): string {
  if (value instanceof Map) return 'a Map of something else';
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'another array' : 'an object';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** What holds of each key. A function, so that nothing is made where no library is used. */
export function checksByKey() {
  const flag: Check = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
  const names: Check = { expected: 'an array of strings', holds: (value) => isListOf(value, isText) };
  const text: Check = { expected: 'a string', holds: isText };
  const regions: Check = {
    expected: "a Map of bytes by region, as in new Map([['AXISRAM', 65536]])",
    holds: (value) => isMapOf(value, (bytes) => isCount(bytes, 0)),
  };
  return {
    models: {
      expected: 'an array of paths, at least one',
      holds: (value) => isListOf(value, isName) && value.length > 0,
    },
    target: { expected: 'the name of a target or the path of its file', holds: isName },
    bindings: {
      expected: "bindings, as in { ...NO_BINDINGS, dims: new Map([['batch', 1]]) }",
      holds: isBindings,
    },
    buckets: {
      expected: "an array, as in [{ name: 'seq', sizes: [64, 128] }]",
      holds: (value) => {
        return isListOf(value, (one) => isText(one.name) && isListOf(one.sizes, (size) => isCount(size, 1)));
      },
    },
    run: oneOf('exclusive', 'concurrent', 'joint'),
    group: names,
    hold: names,
    states: {
      expected: "an array, as in [{ tensor: 'h', from: 'h_next' }]",
      holds: (value) =>
        isListOf(value, ({ tensor, from }) => isText(tensor) && (from === undefined || isText(from))),
    },
    buffers: {
      expected: "a Map of counts by input, as in new Map([['x', 2]])",
      holds: (value) => isMapOf(value, (count) => isCount(count, 1)),
    },
    link: names,
    prefix: text,
    prefixes: {
      expected: "a Map of prefixes by model, as in new Map([['kws', 'KWS']])",
      holds: (value) => isMapOf(value, isText),
    },
    nameLength: whole(1),
    align: { expected: 'a power of two', holds: isAlignment },
    sizeRound: whole(1),
    io: oneOf('arena', 'external'),
    asyncIo: flag,
    preserveInputs: flag,
    keep: names,
    inPlace: flag,
    inPlaceInputs: flag,
    views: flag,
    elide: flag,
    schedule: oneOf('model', 'min-peak'),
    strategy: text,
    effort: whole(1),
    kernels: text,
    kernelsVersion: text,
    kernelsBuild: oneOf('scalar', 'dsp', 'mve'),
    layout: oneOf('nchw', 'nhwc'),
    scratch: {
      expected: "a Map of bytes by node, as in new Map([['conv1', 1024]])",
      holds: (value) => isMapOf(value, (bytes) => isCount(bytes, 0)),
    },
    guard: whole(0),
    trustUnproved: flag,
    fuse: oneOf('none', 'default'),
    assume: oneOf('int8'),
    scaleInput: {
      expected: 'a number above 0',
      holds: (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
    },
    regions: names,
    place: oneOf('auto', 'fastest'),
    weights: oneOf('flash', 'ram', 'hybrid', 'stage'),
    flash: whole(0),
    weightBits: {
      expected: 'a whole number from 1 to 8',
      holds: (value) => isCount(value, 1) && (value as number) <= 8,
    },
    rules: {
      expected: "an array, as in [{ tensor: 'x', kind: 'pin', region: 'DTCM' }]",
      holds: (value) => {
        return isListOf(value, ({ tensor, kind, bytes }) => {
          return isText(tensor) && RULES.includes(kind) && (kind !== 'align' || isAlignment(bytes));
        });
      },
    },
    mpu: flag,
    reserve: regions,
    budget: { ...regions, expected: `${regions.expected}; '' is the whole` },
  } satisfies Record<string, Check>;
}

const RULES: readonly unknown[] = ['pin', 'forbid', 'dma', 'align', 'slack'];

// biome-ignore lint/suspicious/noExplicitAny: what the entries are is what is asked.
type Anything = any;

function isListOf(value: unknown, holds: (entry: Anything) => boolean): value is readonly unknown[] {
  return (
    Array.isArray(value) && value.every((entry) => entry !== null && entry !== undefined && holds(entry))
  );
}

function isMapOf(value: unknown, holds: (entry: unknown) => boolean): boolean {
  return value instanceof Map && [...value].every(([key, entry]) => isText(key) && holds(entry));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isName(value: unknown): boolean {
  return isText(value) && value !== '';
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isAlignment(value: unknown): boolean {
  return typeof value === 'number' && isPowerOfTwo(value);
}

function whole(least: number): Check {
  return { expected: `a whole number of at least ${least}`, holds: (value) => isCount(value, least) };
}

function oneOf(...words: readonly string[]): Check {
  const quoted = words.map((word) => `'${word}'`);
  return { expected: quoted.join(' or '), holds: (value) => isText(value) && words.includes(value) };
}

/** The maps of `Bindings`; what is in them, inference reads. */
function isBindings(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { dims, all, inputShapes, opShapes, ranges, maxSizes, ...others } = value as Record<string, unknown>;
  const maps = [dims, inputShapes, opShapes].every((map) => map instanceof Map);
  const optional = [ranges, maxSizes].every((map) => map === undefined || map instanceof Map);
  const sizes = !maps || isMapOf(dims, (size) => isCount(size, 0));
  return (
    maps && optional && sizes && (all === undefined || isCount(all, 0)) && Object.keys(others).length === 0
  );
}
