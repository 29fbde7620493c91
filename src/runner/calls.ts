/** Prints kernel calls: names for tables, addresses for tensors. */
import { wrap } from '../emit/comment.ts';
import type { Argument, Call, Table } from './types.ts';

const WIDTH = 104;

/** Tables by their text: equal ones stand in flash once. */
export interface TablePool {
  readonly nameOf: (table: Table) => string;
  /** Lines of C, in an order in which each stands after those it names. */
  readonly lines: () => readonly string[];
}

export function tablePool(): TablePool {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const lines: string[] = [];

  function nameOf(table: Table): string {
    const fields = table.initialiser.map((field) => (typeof field === 'string' ? field : nameOf(field)));
    const dimension = table.elements === undefined ? '' : `[${table.elements}]`;
    const key = `${table.type}${dimension} ${fields.join(', ')}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const base = table.type.replace(/^memplan_/, '').replace(/_t$/, '');
    const stem = table.elements === undefined ? base : `${base}s`;
    const count = counts.get(stem) ?? 0;
    counts.set(stem, count + 1);
    const name = `${stem}_${count}`;
    names.set(key, name);
    const body = wrap(fields.join(', '), WIDTH);
    if (body.length === 1) lines.push(`static const ${table.type} ${name}${dimension} = {${body[0]}};`);
    else
      lines.push(`static const ${table.type} ${name}${dimension} = {`, ...body.map((l) => `    ${l}`), '};');
    return name;
  }

  return { nameOf, lines: () => lines };
}

/** What an argument becomes in C. */
export interface Printing {
  readonly tables: TablePool;
  readonly addressOf: (tensor: number, offset: number, along?: string) => string;
  readonly preparedOf: (name: string) => string;
  /** Working memory of so many bytes. */
  readonly scratch: (bytes: number) => string;
}

/** Lines of one call; a long one is broken behind its commas. */
export function callLines(
  { kernel, arguments: given, answers }: Call,
  printing: Printing,
): readonly string[] {
  const texts = given.map((argument) => text(argument, printing));
  const begin = answers === true ? `refused |= ${kernel}(` : `${kernel}(`;
  const one = `${begin}${texts.join(', ')});`;
  if (one.length <= WIDTH) return [one];
  const lines: string[] = [begin];
  texts.forEach((argument, i) => {
    const piece = i === texts.length - 1 ? `${argument});` : `${argument},`;
    const last = lines.at(-1)!;
    const glue = last.endsWith('(') ? '' : ' ';
    if (last.length + glue.length + piece.length <= WIDTH) lines[lines.length - 1] = last + glue + piece;
    else lines.push(`    ${piece}`);
  });
  return lines;
}

function text(argument: Argument, { tables, addressOf, preparedOf, scratch }: Printing): string {
  switch (argument.kind) {
    case 'token':
      return argument.text;
    case 'tensor':
      return addressOf(argument.tensor, argument.offset, argument.along);
    case 'scratch':
      return scratch(argument.bytes);
    case 'prepared':
      return preparedOf(argument.constant.name);
    case 'table': {
      const name = tables.nameOf(argument);
      return argument.elements === undefined ? `&${name}` : name;
    }
  }
}
