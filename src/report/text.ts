/** Numbers, names and tables as every report prints them. No locale is asked. */
import type { Plan, PlanTensor } from '../plan/types.ts';

/** `1234567` as `1,234,567`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `43,008`, `1 byte`: a count of bytes in a sentence. */
export function bytesText(bytes: number): string {
  return `${grouped(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
}

/** `42.0 KiB`; from 10 MiB on in MiB. */
export function scaled(bytes: number): string {
  const mebibyte = 2 ** 20;
  return bytes < 10 * mebibyte ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / mebibyte).toFixed(1)} MiB`;
}

/** `1 step`, `2 steps`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** What nearly every name is made of. The categories of Unicode that the others need take long to look up at first. */
const PLAIN = /^[ -~]*$/;

/** A name from a model, safe for a terminal: control characters become `\xHH` or `\u{HEX}`. */
export function printable(name: string): string {
  if (PLAIN.test(name)) return name;
  // Control and format characters (among them marks that turn the direction of text), separators of lines, halves of pairs.
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escapeCharacter);
}

/** Like `printable`, for texts that have lines of their own. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
}

/** Cuts a name in its middle so that it has at most `width` characters. */
export function shortened(name: string, width: number): string {
  const characters = [...name];
  if (characters.length <= width) return name;
  const keep = Math.max(1, width - 3);
  const head = Math.ceil(keep / 2);
  const tail = keep - head;
  return `${characters.slice(0, head).join('')}...${tail > 0 ? characters.slice(-tail).join('') : ''}`;
}

/** Columns of a terminal that a text takes (one per code point). */
export function width(text: string): number {
  return [...text].length;
}

/** Words in lines of at most `columns` characters; a longer word has a line of its own. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && width(line) + 1 + width(word) > columns) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** `float32 [1,6,16,16]`. */
export function typeText({ type, shape }: Pick<PlanTensor, 'type' | 'shape'>): string {
  return `${type} [${shape.join(',')}]`;
}

/** `conv2 (Conv)`: the node of a step. */
export function stepText(plan: Plan, step: number): string {
  const found = plan.steps[step];
  return found === undefined ? `step ${step}` : `${printable(found.node)} (${printable(found.op)})`;
}

/** The size of a memory: `512 KiB`, `2 MiB`, `264 KiB`, `1,000 bytes`. */
export function sizeText(bytes: number): string {
  if (bytes > 0 && bytes % 2 ** 30 === 0) return `${bytes / 2 ** 30} GiB`;
  if (bytes > 0 && bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MiB`;
  return bytes > 0 && bytes % 1024 === 0 ? `${grouped(bytes / 1024)} KiB` : bytesText(bytes);
}

/** `step 3`, `steps 3 to 7`: inclusive, as people say it. */
export function stepsText({ first, end }: { readonly first: number; readonly end: number }): string {
  return end - first <= 1 ? `step ${grouped(first)}` : `steps ${grouped(first)} to ${grouped(end - 1)}`;
}
