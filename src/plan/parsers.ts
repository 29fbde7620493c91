/** Small parsers for JSON of a known form: each checks a value, says where it is wrong, and gives it its type. */

/** `path` is where the value stands (`tensors[3].offset`); what is wrong is added to `faults`. */
export type Parser<T> = (value: unknown, path: string, faults: string[]) => T;

function expected(what: string, value: unknown, path: string, faults: string[]): void {
  const found = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 40);
  faults.push(`${path === '' ? 'the file' : path}: expected ${what}, found ${found}`);
}

export const text: Parser<string> = (value, path, faults) => {
  if (typeof value === 'string') return value;
  expected('a text', value, path, faults);
  return '';
};

export const flag: Parser<boolean> = (value, path, faults) => {
  if (typeof value === 'boolean') return value;
  expected('true or false', value, path, faults);
  return false;
};

/** A whole number from 0 that is counted exactly. */
export const count: Parser<number> = (value, path, faults) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  expected('a whole number', value, path, faults);
  return 0;
};

/** Any finite number. */
export const real: Parser<number> = (value, path, faults) => {
  if (typeof value === 'number') return value;
  expected('a number', value, path, faults);
  return 0;
};

export function oneOf<const T extends string | number>(...values: readonly T[]): Parser<T> {
  return (value, path, faults) => {
    const found = values.find((known) => known === value);
    if (found !== undefined) return found;
    const most = values.length > 8 ? `${values.slice(0, 8).join(', ')} ...` : values.join(', ');
    expected(`one of ${most}`, value, path, faults);
    return values[0]!;
  };
}

export function orNull<T>(parser: Parser<T>): Parser<T | null> {
  return (value, path, faults) => (value === null ? null : parser(value, path, faults));
}

/** What is not there has a standard value. */
export function withDefault<T>(parser: Parser<T>, standard: T): Parser<T> {
  return (value, path, faults) => (value === undefined ? standard : parser(value, path, faults));
}

export function list<T>(parser: Parser<T>): Parser<readonly T[]> {
  return (value, path, faults) => {
    if (Array.isArray(value)) return value.map((item, at) => parser(item, `${path}[${at}]`, faults));
    expected('a list', value, path, faults);
    return [];
  };
}

/** What need not be there. */
export function optional<T>(parser: Parser<T>): Parser<T | undefined> {
  return withDefault<T | undefined>(parser, undefined);
}

/** An object with these fields; others are left out, and so are those that come to nothing. */
export function record<T extends object>(
  fields: {
    readonly [K in keyof T]-?: Parser<T[K] | (undefined extends T[K] ? undefined : never)>;
  },
): Parser<T> {
  return (value, path, faults) => {
    if (!isObject(value)) {
      expected('an object', value, path, faults);
      value = {};
    }
    const entries = Object.entries<Parser<unknown>>(fields).map(([name, parser]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return [name, parser((value as Record<string, unknown>)[name], at, faults)] as const;
    });
    return Object.fromEntries(entries.filter(([, field]) => field !== undefined)) as T;
  };
}

/** An object with some of these fields. */
export function some<T extends object>(
  fields: Readonly<Record<keyof T, Parser<unknown>>>,
): Parser<Partial<T>> {
  const all = Object.entries<Parser<unknown>>(fields).map(([name, parser]) => [name, optional(parser)]);
  return record(Object.fromEntries(all)) as Parser<Partial<T>>;
}

/** An object with any names. */
export function dictionary<T>(parser: Parser<T>): Parser<Readonly<Record<string, T>>> {
  return (value, path, faults) => {
    if (!isObject(value)) {
      expected('an object', value, path, faults);
      return {};
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, parser(item, `${path}.${name}`, faults)]),
    );
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
