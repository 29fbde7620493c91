/** JSON that people can read and diff: one line per tensor, buffer or step. */

/**
 * The text of a document: the members of the top object one below the other, the elements of its arrays and
 * the members of its objects a line each, everything deeper on that line. Ends with a newline.
 * Keys keep their order, so equal documents give equal bytes.
 */
export function jsonText(document: object): string {
  return [...jsonParts(document)].join('');
}

/** Elements of an array printed at a time. */
const CHUNK = 1000;

/**
 * The same text in parts, made anew whenever somebody walks through them: that of a plan with a million tensors is longer
 * than any string can be.
 */
export function jsonParts(document: object): Iterable<string> {
  return { [Symbol.iterator]: () => parts(document) };
}

function* parts(document: object): Generator<string> {
  const entries = members(document);
  if (Array.isArray(document) || entries.length === 0) return void (yield `${block(document, '', 0)}\n`);
  let separator = '{';
  for (const [key, value] of entries) {
    yield `${separator}\n  ${JSON.stringify(key)}: `;
    if (Array.isArray(value) && value.length > CHUNK) yield* longList(value);
    else yield block(value, '  ', 1);
    separator = ',';
  }
  yield '\n}\n';
}

function* longList(items: readonly unknown[]): Generator<string> {
  for (let at = 0; at < items.length; at += CHUNK) {
    const lines = items.slice(at, at + CHUNK).map((item) => `    ${block(item, '    ', 2)}`);
    yield `${at === 0 ? '[' : ','}\n${lines.join(',\n')}`;
  }
  yield '\n  ]';
}

const OPEN_LEVELS = 2;

function block(value: unknown, indent: string, level: number): string {
  if (level >= OPEN_LEVELS || typeof value !== 'object' || value === null) return inline(value);
  const inner = `${indent}  `;
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((item) => inner + block(item, inner, level + 1))
    : members(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${block(item, inner, level + 1)}`);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  return parts.length === 0 ? open + close : `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

/** A value on one line: `{ "batch": 1 }`. */
export function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    const separator = value.some((item) => typeof item === 'object' && item !== null) ? ', ' : ',';
    return `[${value.map(inline).join(separator)}]`;
  }
  const parts = members(value).map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** As JSON.stringify does, leaves out what is undefined. */
function members(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
