/**
 * The commands of a page of documentation, and the outputs it shows for them.
 *
 * A block of commands is fenced as `sh` or indented, and every line of it that begins with `memplan`, `npx memplan` or
 * with another program of `COMMAND` is run; a block fenced as `text`, `json`, `diff` or `xml` right after it is what they
 * print. A line `...` in it stands for any lines. Comments before a block say more:
 *
 *     <!-- file: Makefile -->                            the block is that file, for what is run after it
 *     <!-- files: model.onnx=examples/kws/kws.onnx -->   puts files in the folder of the page
 *     <!-- exit 1 -->                                    how the block ends; a command that fails ends it
 *     <!-- not run: it asks a registry -->               and why
 */

export interface Block {
  readonly commands: readonly string[];
  readonly exit: number;
  /** Why it is not run. */
  readonly skipped: string | undefined;
  /** By name in the folder, what to put there first. */
  readonly files: ReadonlyMap<string, string>;
  /** By name, the blocks of the page that are files and stand between this block and the one before. */
  readonly texts: ReadonlyMap<string, string>;
  /** Line of the page at which it begins, from 1. */
  readonly line: number;
  /** First and last line of the output, without fences, from 0; undefined when none is shown. */
  readonly output: { readonly from: number; readonly to: number } | undefined;
}

const OUTPUTS = /^```(text|json|diff|xml)\b/;
const COMMAND = /^(npm ci && )?(npx )?memplan( |$)|^(cat|make|cmake|node|wc) |^make$/;

export function blocksOf(page: string): readonly Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  let comments: string[] = [];
  let texts = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const comment = /^<!-- (.*) -->$/.exec(line)?.[1];
    if (comment !== undefined) comments.push(comment);
    if (!/^```/.test(line) && !/^ {4}\S/.test(line)) continue;
    const fenced = line.startsWith('```');
    const first = fenced ? at + 1 : at;
    let end = first;
    while (end < lines.length && (fenced ? !lines[end]!.startsWith('```') : /^ {4}/.test(lines[end]!))) end++;
    const last = fenced ? end : end - 1;
    const file = comments.flatMap((comment) => /^file: (.*)$/.exec(comment)?.[1] ?? [])[0];
    if (file !== undefined) texts.set(file, `${lines.slice(first, end).join('\n')}\n`);
    else if (!fenced || /^```(sh|bash)\b/.test(line)) {
      const commands = lines
        .slice(first, end)
        .map((text) => text.trim())
        .filter((text) => COMMAND.test(text));
      if (commands.length > 0) {
        blocks.push(blockOf(commands, comments, texts, at + 1, outputAfter(lines, last + 1)));
        texts = new Map();
      }
    }
    comments = [];
    at = last;
  }
  return blocks;
}

function blockOf(
  commands: readonly string[],
  comments: readonly string[],
  texts: ReadonlyMap<string, string>,
  line: number,
  output: Block['output'],
): Block {
  const said = (pattern: RegExp) => comments.flatMap((comment) => pattern.exec(comment)?.[1] ?? []);
  const files = said(/^files: (.*)$/).flatMap((list) => list.split(/ +/).map((pair) => pair.split('=')));
  return {
    commands: commands.map((command) => command.replace(/^npm ci && /, '')),
    exit: Number(said(/^exit (\d+)$/)[0] ?? 0),
    skipped: said(/^not run: (.*)$/)[0],
    files: new Map(files.map(([name, source]) => [name!, source!])),
    texts,
    line,
    output,
  };
}

/** The block of output that follows after blank lines. */
function outputAfter(lines: readonly string[], from: number): Block['output'] {
  let at = from;
  while (lines[at] === '') at++;
  if (!OUTPUTS.test(lines[at] ?? '')) return undefined;
  const end = lines.indexOf('```', at + 1);
  return { from: at + 1, to: end - 1 };
}

/** True when `shown` is `printed`, but for lines `...` that stand for any lines. */
export function isShown(shown: readonly string[], printed: readonly string[]): boolean {
  const pattern = shown.map((line) =>
    line.trim() === '...' ? '(?:.*\\n)*?' : `${line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\n`,
  );
  return new RegExp(`^${pattern.join('')}$`).test(printed.map((line) => `${line}\n`).join(''));
}

/** The page with outputs in place of those it shows; each belongs to the block of the same index. */
export function withOutputs(
  page: string,
  blocks: readonly Block[],
  outputs: readonly (readonly string[] | undefined)[],
): string {
  const lines = page.split('\n');
  for (let i = blocks.length - 1; i >= 0; i--) {
    const place = blocks[i]!.output;
    const printed = outputs[i];
    if (place === undefined || printed === undefined) continue;
    if (!isShown(lines.slice(place.from, place.to + 1), printed)) {
      lines.splice(place.from, place.to + 1 - place.from, ...printed);
    }
  }
  return lines.join('\n');
}
