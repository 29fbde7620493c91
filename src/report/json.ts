/** JSON that people can read and diff: one line per tensor, buffer or step. */

/**
 * The text of a document: the members of the top object one below the other, the elements of its arrays and
 * the members of its objects a line each, everything deeper on that line. Ends with a newline.
 * Keys keep their order, so equal documents give equal bytes.
 */
export function jsonText(document: object): string {
  return `${block(document, '', 0)}\n`;
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
