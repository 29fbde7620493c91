/** How the value of an option is written in a configuration file; it follows from the notation of its flags. */
import { inline } from '../../report/json.ts';
import type { OptionRow } from '../option-types.ts';
import { keyOf } from '../options.ts';
import type { RawOptions } from '../program.ts';

export type Form =
  /** true or false; `given` is what the flag on the command line stands for. */
  | { readonly kind: 'flag'; readonly given: boolean }
  /** One value. */
  | { readonly kind: 'value'; readonly value: ValueForm }
  /** Several texts, in a list or in one text with commas. */
  | { readonly kind: 'list' }
  /** Several texts, each an argument of its own. */
  | { readonly kind: 'texts' }
  /** Values by name; `bare`: or one value without a name. */
  | {
      readonly kind: 'pairs';
      readonly separator: '=' | ':';
      readonly value: ValueForm;
      readonly bare: boolean;
      /** What the names are names of. */
      readonly of: string;
    };

/** What a single value may be besides a text. */
export interface ValueForm {
  readonly number: boolean;
  /** A list of values, as in shapes. */
  readonly list: boolean;
}

/** Placeholders of values that are numbers; sizes such as "4K" are texts as well. */
const NUMBERS: ReadonlySet<string> = new Set(['n', 'bytes', 'percent', 'factors']);
const LISTS = /^sizes$|,/;

export function formOf(row: OptionRow): Form {
  const placeholder = /<(.*)>/.exec(row.flags)?.[1];
  if (placeholder === undefined) return { kind: 'flag', given: !row.flags.startsWith('--no-') };
  if (row.list === true) return { kind: 'list' };
  if (row.repeat !== true) return { kind: 'value', value: valueForm(placeholder) };
  const [, of = 'name', bare] = /^\[(\w+)=\](.*)$/.exec(placeholder) ?? [];
  if (bare !== undefined) return { kind: 'pairs', separator: '=', value: valueForm(bare), bare: true, of };
  const [, separator, value] = /^\w+([=:])(.*)$/.exec(placeholder) ?? [];
  if (separator === undefined) return { kind: 'texts' };
  return { kind: 'pairs', separator: separator as '=' | ':', value: valueForm(value!), bare: false, of };
}

function valueForm(placeholder: string): ValueForm {
  return { number: NUMBERS.has(placeholder), list: LISTS.test(placeholder) };
}

/**
 * The value as the command line would give it: undefined where a flag is not given. Returns `wrong` for a value that
 * has not the form.
 */
export function rawValue(value: unknown, form: Form): RawOptions[string] | typeof wrong {
  switch (form.kind) {
    case 'flag':
      if (typeof value !== 'boolean') return wrong;
      return value === form.given ? value : undefined;
    case 'value':
      return textOf(value, form.value);
    case 'list':
    case 'texts': {
      const texts = typeof value === 'string' ? [value] : value;
      if (!Array.isArray(texts) || !texts.every((item) => typeof item === 'string')) return wrong;
      return form.kind === 'list' ? texts.join(',') : texts;
    }
    case 'pairs':
      return pairsOf(value, form);
  }
}

/** A value without the form of its option. */
export const wrong = Symbol('wrong');

function textOf(value: unknown, { number, list }: ValueForm): string | typeof wrong {
  if (typeof value === 'string') return value;
  if (number && typeof value === 'number') return String(value);
  if (list && Array.isArray(value) && value.every((item) => typeof item === 'number')) return value.join(',');
  return wrong;
}

function pairsOf(value: unknown, form: Extract<Form, { kind: 'pairs' }>): readonly string[] | typeof wrong {
  if (form.bare && (typeof value !== 'object' || value === null)) {
    const text = textOf(value, form.value);
    return text === wrong ? wrong : [text];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  const texts = Object.entries(value).map(([name, item]) => {
    const text = textOf(item, form.value);
    return text === wrong ? wrong : name + form.separator + text;
  });
  return texts.every((text) => text !== wrong) ? texts : wrong;
}

/** What a message says was expected. */
export function expectedText(form: Form): string {
  switch (form.kind) {
    case 'flag':
      return 'true or false';
    case 'value':
      return valueText(form.value);
    case 'list':
    case 'texts':
      return 'a list of texts';
    case 'pairs':
      return `an object with ${form.of}s as keys${form.bare ? `, or ${valueText(form.value)}` : ''}`;
  }
}

export function valueText({ number, list }: ValueForm): string {
  const single = number ? 'a number or a text' : 'a text';
  return list ? `${single}, or a list of numbers` : single;
}

/** An entry that can be pasted into a configuration file: `"dim": { "batch": 1 }`. */
export function exampleEntry(row: OptionRow): string {
  return `"${keyOf(row)}": ${inline(exampleValue(row))}`;
}

function exampleValue(row: OptionRow): unknown {
  const form = formOf(row);
  const text = row.example ?? row.values?.[0] ?? '';
  switch (form.kind) {
    case 'flag':
      return form.given;
    case 'value':
      return literal(text, form.value);
    case 'list':
      return (row.values ?? [text]).slice(0, 2);
    case 'texts':
      return [text];
    case 'pairs': {
      const at = text.lastIndexOf(form.separator);
      if (at < 0) return literal(text, form.value);
      return { [text.slice(0, at)]: literal(text.slice(at + 1), form.value) };
    }
  }
}

function literal(text: string, { number, list }: ValueForm): unknown {
  const isNumber = (part: string) => /^\d+(\.\d+)?$/.test(part);
  const parts = text.split(',');
  if (list && parts.length > 1 && parts.every(isNumber)) return parts.map(Number);
  return number && isNumber(text) ? Number(text) : text;
}
