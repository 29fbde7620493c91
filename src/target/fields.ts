/** Readers of the fields of a target file: each returns a value or notes a fault at its path in the file. */
import { BYTES_FORMS, isPowerOfTwo, parseBytes } from '../bytes.ts';

/** Collects faults as sentences, so that all of a file are told at once. */
export type Faults = string[];

/** Returns undefined after noting a fault. */
export type Reader<T> = (value: unknown, path: string, faults: Faults) => T | undefined;

type Shape = Readonly<Record<string, Reader<unknown>>>;

/** What a shape yields: only the fields the file states. */
export type Draft<S extends Shape> = {
  readonly [K in keyof S]?: S[K] extends Reader<infer T> ? T : never;
};

const MOST_SHOWN = 60;

function scalar<T>(expected: string, accept: (value: unknown) => T | undefined): Reader<T> {
  return (value, path, faults) => {
    const accepted = accept(value);
    if (accepted === undefined) faults.push(`${path}: expected ${expected}, found ${shown(value)}`);
    return accepted;
  };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}...`;
}

export const text: Reader<string> = scalar('a text', (v) => (typeof v === 'string' ? v : undefined));

export const flag: Reader<boolean> = scalar('true or false', (v) => (typeof v === 'boolean' ? v : undefined));

/** Names end up on the command line (`REGION=BYTES`, `TENSOR=REGION@OFFSET`) and in C, so they are kept plain. */
export const name: Reader<string> = scalar('a name of letters, digits, "_", "-" and "."', (v) =>
  typeof v === 'string' && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(v) ? v : undefined,
);

export const count: Reader<number> = scalar('a whole number of at least 0', (v) =>
  typeof v === 'number' && Number.isSafeInteger(v) && v >= 0 ? v : undefined,
);

/** A number, or a text such as "512K" or "0x24000000". */
export const bytes: Reader<number> = scalar(`bytes such as ${BYTES_FORMS}`, (v) => {
  const parsed = typeof v === 'string' ? parseBytes(v) : v;
  return typeof parsed === 'number' && Number.isSafeInteger(parsed) && parsed >= 0 ? parsed : undefined;
});

export const powerOfTwo: Reader<number> = scalar('a power of two', (v) =>
  typeof v === 'number' && isPowerOfTwo(v) ? v : undefined,
);

export function oneOf<T extends string>(...allowed: readonly T[]): Reader<T> {
  return scalar(
    `one of ${allowed.map((a) => `"${a}"`).join(', ')}`,
    (v) => allowed.find((a) => a === v) ?? undefined,
  );
}

/** null stays null: not known. */
export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, path, faults) => (value === null ? null : reader(value, path, faults));
}

export function listOf<T>(item: Reader<T>): Reader<readonly T[]> {
  return (value, path, faults) => {
    if (!Array.isArray(value)) {
      faults.push(`${path}: expected a list, found ${shown(value)}`);
      return undefined;
    }
    const items = value.map((v, i) => item(v, `${path}[${i}]`, faults));
    return items.filter((v) => v !== undefined) as T[];
  };
}

/** Reads the known fields of an object; those it does not know are ignored. */
export function object<S extends Shape>(shape: S): Reader<Draft<S>> {
  return (value, path, faults) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.push(`${path === '' ? 'the file' : path}: expected an object, found ${shown(value)}`);
      return undefined;
    }
    const draft: Record<string, unknown> = {};
    for (const [key, reader] of Object.entries(shape)) {
      if (!Object.hasOwn(value, key)) continue;
      const at = path === '' ? key : `${path}.${key}`;
      const read = reader((value as Record<string, unknown>)[key], at, faults);
      if (read !== undefined) draft[key] = read;
    }
    return draft as Draft<S>;
  };
}
