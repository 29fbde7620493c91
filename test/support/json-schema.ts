/** Validates JSON against the schemas in schemas/, which promise what memplan prints. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Schema = Readonly<Record<string, unknown>>;

const folder = join(import.meta.dirname, '../../schemas');

/** Names of all schema files. */
export function schemaFiles(): readonly string[] {
  return readdirSync(folder).sort();
}

export function schemaFile(name: string): Schema {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Schema;
}

/**
 * Where a value does not fit its schema, none when it is valid. `closed`: an object may have no keys that its schema
 * does not name; what memplan prints is held to that, though readers must be ready for additions.
 */
export function mismatches(file: string, value: unknown, closed = true): readonly string[] {
  const validate = (closed ? closedSchemas : openSchemas).getSchema(file);
  if (validate === undefined) throw new Error(`there is no schema ${file}`);
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function ajvOf(schemas: readonly Schema[]): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strict: true, strictRequired: false });
  for (const schema of schemas) ajv.addSchema(schema);
  return ajv;
}

function closedSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedSchema);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closedSchema(item)]));
  const isOpen = inner.type === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

const files = schemaFiles().map(schemaFile);
const openSchemas = ajvOf(files);
const closedSchemas = ajvOf(files.map((schema) => closedSchema(schema) as Schema));
