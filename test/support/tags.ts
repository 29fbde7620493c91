/** Looks at the tags of HTML or SVG without a parser: names in it are escaped, so every `<` begins one. */

const EMPTY = new Set(['meta', 'input', 'br', '!doctype']);

/** Tags that are not closed, or not in order; `<` and `&` that begin nothing. Texts of style and script do not count. */
export function unbalanced(text: string): readonly string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const bare = text.replace(/(<(style|script)\b[^>]*>).*?(<\/\2>)/gs, '$1$3');
  for (const [part, close, name, rest] of bare.matchAll(/<(\/?)([!\w-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>?/g)) {
    if (name === '' || !part.endsWith('>')) faults.push(part.slice(0, 60));
    else if (close === '/') {
      const last = open.pop();
      if (last !== name) faults.push(`</${name}> closes <${last}>`);
    } else if (!rest!.endsWith('/') && !EMPTY.has(name!)) open.push(name!);
  }
  const strays = bare.match(/&(?!(amp|lt|gt|quot|#39|larr|rarr|uarr|darr|minus);).{0,10}/g) ?? [];
  return [...faults, ...open.map((name) => `<${name}> is never closed`), ...strays];
}

/** Names of all tags in the text. */
export function tagNames(text: string): ReadonlySet<string> {
  const bare = text.replace(/(<(style|script)\b[^>]*>).*?(<\/\2>)/gs, '$1$3');
  return new Set([...bare.matchAll(/<([!\w-]+)/g)].map(([, name]) => name!));
}
