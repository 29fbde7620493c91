/** Text from a model, made safe to stand in a C comment. */

const LONGEST = 120;

/** Text of which nothing needs to be escaped, as nearly all is. */
const PLAIN = /^(?!.*(?:\/\*|\*\/|\?\?))[ -[\]-~]{0,120}$/;

/**
 * Printable ASCII stays, everything else is shown as `\xHH` of its UTF-8 bytes; so is whatever would end or open a
 * comment, form a trigraph, or splice lines. Long text is cut.
 */
export function commentText(text: string): string {
  if (PLAIN.test(text)) return text;
  let out = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    if (out.length > LONGEST) return `${out}...`;
    const char = String.fromCharCode(byte);
    const last = out.at(-1);
    const opens =
      (char === '/' && last === '*') || (char === '*' && last === '/') || (char === '?' && last === '?');
    const plain = byte >= 0x20 && byte < 0x7f && char !== '\\' && !opens;
    out += plain ? char : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return out;
}

/** Words in lines of at most `width` characters; a longer word has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
