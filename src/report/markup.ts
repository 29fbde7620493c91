/** Markup that names cannot break: what is put into a template is escaped, unless it is markup itself. */
import { printable } from './text.ts';

export interface Markup {
  readonly markup: string;
}

/** Left out where undefined or false, so that `condition && part` works. */
export type Part = string | number | Markup | readonly Markup[] | undefined | false;

/** HTML and XML at once: `markup`<p>${name}</p>``. Control characters become visible (`\x1b`). */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0]!;
  parts.forEach((part, i) => {
    text += textOf(part) + strings[i + 1]!;
  });
  return { markup: text };
}

/** Text that is markup already. */
export function trusted(text: string): Markup {
  return { markup: text };
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(({ markup: text }) => text).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Printable ASCII without the characters of ENTITIES: almost every text, and safe as it is. */
const HARMLESS = /^[ !#-%(-;=?-~]*$/;

/** Safe between tags and in quoted attributes. U+FFFE and U+FFFF, which XML does not know, are shown by number. */
export function escaped(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text
    .split('\n')
    .map(printable)
    .join('\n')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replace(/[\uFFFE\uFFFF]/g, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** A document for `<script type="application/json">`: nothing in it can end the element. */
export function jsonMarkup(document: object): Markup {
  return { markup: JSON.stringify(document).replace(/[<>&]/g, unicodeEscape) };
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Up to four decimals, no trailing zeros: `12.5`, `33.3333`. */
export function decimal(value: number, digits = 4): string {
  return String(Number(value.toFixed(digits)));
}
