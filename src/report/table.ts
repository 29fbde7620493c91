/** Text tables whose cells may be coloured: widths count what is seen. */
import type { Colour } from './paint.ts';
import { width } from './text.ts';

export type Cell = string | { readonly text: string; readonly colour: Colour };

export type Side = 'left' | 'right';

/** One line per row, every cell padded to its column, no trailing spaces. A row of a single cell is a line of its own. */
export function table(rows: readonly (readonly Cell[])[], sides: readonly Side[], gap = 2): string[] {
  const widths = columnWidths(rows);
  return rows.map((row) => {
    const last = row.findLastIndex((cell) => textOf(cell) !== '');
    return row
      .slice(0, last + 1)
      .map((cell, column) => {
        const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(textOf(cell))));
        const seen = typeof cell === 'string' ? cell : cell.colour(cell.text);
        if (sides[column] === 'right') return space + seen;
        return column === last ? seen : seen + space;
      })
      .join(' '.repeat(gap));
  });
}

/** Of each column, the characters of its longest cell; a row of a single cell is a line, not part of the columns. */
export function columnWidths(rows: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    if (row.length === 1) continue;
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, width(textOf(cell)));
    });
  }
  return widths;
}

function textOf(cell: Cell | undefined): string {
  return cell === undefined ? '' : typeof cell === 'string' ? cell : cell.text;
}
