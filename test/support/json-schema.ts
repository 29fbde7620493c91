/**
 * Validates JSON against the schemas in schemas/: draft 2020-12, as far as they use it. A keyword it does not know is
 * an error, so that no promise goes unchecked.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Schema = Readonly<Record<string, unknown>>;

/** Where a value does not fit: its place, and what was expected. */
export type Mismatch = string;

const folder = join(import.meta.dirname, '../../schemas');
const files = new Map<string, Schema>();

/** Names of all schema files. */
export function schemaFiles(): readonly string[] {
  return readdirSync(folder).sort();
}

export function schemaFile(name: string): Schema {
  const known = files.get(name) ?? (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Schema);
  files.set(name, known);
  return known;
}

/**
 * Mismatches of a value, none when it is valid. `closed`: an object may have no keys that its schema does not name;
 * what memplan prints is held to that, though readers must be ready for additions.
 */
export function mismatches(file: string, value: unknown, closed = true): readonly Mismatch[] {
  return check({ file, schema: schemaFile(file), closed }, value, '');
}

interface Scope {
  readonly file: string;
  readonly schema: Schema;
  readonly closed: boolean;
}

type Keyword = (argument: never, value: unknown, path: string, scope: Scope) => readonly Mismatch[];

const SILENT = new Set(['$schema', '$id', '$defs', 'title', 'description', 'examples', 'default']);

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  $ref: (target: string, value, path, scope) => check(resolve(target, scope), value, path),
  anyOf: (options: readonly Schema[], value, path, scope) => {
    const found = options.map((schema) => check({ ...scope, schema: { ...schema } }, value, path));
    return found.some((faults) => faults.length === 0) ? [] : found.flat();
  },
  type: (wanted: string | readonly string[], value, path) => {
    const types = Array.isArray(wanted) ? wanted : [wanted];
    return types.some((type) => isType(type, value)) ? [] : [`${path}: expected ${types.join(' or ')}`];
  },
  const: (wanted: unknown, value, path) => (value === wanted ? [] : [`${path}: expected ${wanted}`]),
  enum: (wanted: readonly unknown[], value, path) =>
    wanted.includes(value) ? [] : [`${path}: ${value} is none of ${wanted.join(', ')}`],
  minimum: (least: number, value, path) =>
    typeof value !== 'number' || value >= least ? [] : [`${path}: below ${least}`],
  exclusiveMinimum: (least: number, value, path) =>
    typeof value !== 'number' || value > least ? [] : [`${path}: not above ${least}`],
  pattern: (pattern: string, value, path) =>
    typeof value !== 'string' || new RegExp(pattern, 'u').test(value) ? [] : [`${path}: not ${pattern}`],
  minItems: (least: number, value, path) =>
    !Array.isArray(value) || value.length >= least ? [] : [`${path}: fewer than ${least}`],
  maxItems: (most: number, value, path) =>
    !Array.isArray(value) || value.length <= most ? [] : [`${path}: more than ${most}`],
  items: (schema: Schema, value, path, scope) =>
    Array.isArray(value)
      ? value.flatMap((item, i) => check({ ...scope, schema }, item, `${path}[${i}]`))
      : [],
  required: (names: readonly string[], value, path) =>
    isObject(value)
      ? names.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}: ${name} is missing`)
      : [],
  properties: (properties: Readonly<Record<string, Schema>>, value, path, scope) => {
    if (!isObject(value)) return [];
    const faults = Object.entries(value).flatMap(([key, item]) => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (schema !== undefined) return check({ ...scope, schema }, item, `${path}.${key}`);
      return scope.closed && scope.schema.additionalProperties === undefined
        ? [`${path}.${key}: not in the schema`]
        : [];
    });
    return faults;
  },
  additionalProperties: (rest: Schema | false, value, path, scope) => {
    if (!isObject(value)) return [];
    const named = (scope.schema.properties ?? {}) as Readonly<Record<string, Schema>>;
    return Object.entries(value)
      .filter(([key]) => !Object.hasOwn(named, key))
      .flatMap(([key, item]) =>
        rest === false
          ? [`${path}.${key}: not allowed`]
          : check({ ...scope, schema: rest }, item, `${path}.${key}`),
      );
  },
};

function check(scope: Scope, value: unknown, path: string): readonly Mismatch[] {
  return Object.entries(scope.schema).flatMap(([keyword, argument]) => {
    if (SILENT.has(keyword)) return [];
    const apply = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (apply === undefined) throw new Error(`${scope.file}: the keyword ${keyword} is not known here`);
    return apply(argument as never, value, path, scope);
  });
}

/** `#/$defs/x`, `file.json`, `file.json#/$defs/x`. */
function resolve(target: string, scope: Scope): Scope {
  const [file, pointer = ''] = target.split('#');
  const into = file === '' || file === undefined ? scope.file : file;
  let schema = schemaFile(into);
  for (const key of pointer.split('/').slice(1)) {
    const next = schema[key];
    if (next === undefined) throw new Error(`${scope.file}: ${target} leads nowhere`);
    schema = next as Schema;
  }
  return { ...scope, file: into, schema };
}

function isType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      throw new Error(`the type ${type} is not known`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
