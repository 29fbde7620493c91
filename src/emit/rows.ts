/** Lists so long that neither all their items nor the text printed from them should be in memory at once. */

/** A list whose items are made while somebody walks through it, and anew each time. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
}

/** An item of the list for each of `sources`. */
export function rowsOf<S, T>(sources: readonly S[], make: (source: S, index: number) => T): Rows<T> {
  return {
    length: sources.length,
    *[Symbol.iterator]() {
      for (let index = 0; index < sources.length; index++) yield make(sources[index]!, index);
    },
  };
}

/** What Handlebars hands to a block helper. */
interface Block {
  readonly fn: (context: unknown, options: { readonly data: object }) => string;
  readonly inverse: (context: unknown) => string;
  readonly data: { readonly later?: Later };
}

/** Loops of a template that are left for later, in the order of their marks. */
export type Later = Iterable<string>[];

/** Items printed at a time. */
const CHUNK = 500;

/**
 * The helper `each` of the templates. A long loop is not printed when the template comes by it: it leaves a mark in the
 * text, and what prints it in `later`.
 */
export function each(this: unknown, list: Rows<unknown>, { fn, inverse, data }: Block): string {
  if (list.length === 0) return inverse(this);
  const { later, ...outer } = data;
  if (later === undefined || list.length <= CHUNK) return [...chunks(list, fn, data)].join('');
  // Loops inside the loop are printed with it.
  return markOf(later.push(chunks(list, fn, outer)) - 1);
}

function* chunks(list: Rows<unknown>, fn: Block['fn'], outer: object): Iterable<string> {
  const data = { ...outer, index: 0, last: false };
  let text = '';
  for (const item of list) {
    data.last = data.index === list.length - 1;
    text += fn(item, { data });
    data.index++;
    if (data.index % CHUNK !== 0) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Text from a model is escaped before it is printed: no byte 0 comes from there. */
const MARK = '\0';

function markOf(index: number): string {
  return `${MARK}${index}${MARK}`;
}

/** The text of a template with its loops in the place of their marks. */
export function* withLoops(text: string, later: Later): Iterable<string> {
  for (const [i, part] of text.split(MARK).entries()) {
    if (i % 2 === 0) yield part;
    else yield* later[Number(part)]!;
  }
}
