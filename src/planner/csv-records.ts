/** CSV text as records of cells and back (RFC 4180: quotes, doubled quotes, line breaks inside quotes, CRLF). */

export interface CsvRecord {
  /** Line of its first cell, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFault {
  readonly line: number;
  readonly text: string;
}

/** Splits text into records. A byte order mark and empty lines are skipped. */
export function readRecords(text: string): { records: readonly CsvRecord[]; fault?: CsvFault } {
  const records: CsvRecord[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const cells: string[] = [];
    const startLine = line;
    for (;;) {
      if (text[at] === '"') {
        const quoted = readQuoted(text, at);
        if (quoted === undefined) return { records, fault: { line, text: 'a quote is never closed' } };
        cells.push(quoted.value);
        for (const c of text.slice(at, quoted.next)) if (c === '\n') line++;
        at = quoted.next;
        if (at < text.length && !',\r\n'.includes(text[at]!)) {
          return {
            records,
            fault: { line, text: `'${text[at]}' follows a closing quote; quotes inside are doubled` },
          };
        }
      } else {
        const from = at;
        while (at < text.length && !',\r\n'.includes(text[at]!)) at++;
        cells.push(text.slice(from, at));
      }
      if (text[at] !== ',') break;
      at++;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    line++;
    if (cells.length > 1 || cells[0]!.trim() !== '') records.push({ line: startLine, cells });
  }
  return { records };
}

function readQuoted(text: string, open: number): { value: string; next: number } | undefined {
  let value = '';
  for (let at = open + 1; ; ) {
    const close = text.indexOf('"', at);
    if (close < 0) return undefined;
    value += text.slice(at, close);
    if (text[close + 1] !== '"') return { value, next: close + 1 };
    value += '"';
    at = close + 2;
  }
}

/** One line with its line feed; cells are quoted where they must be. */
export function csvLine(cells: readonly string[]): string {
  const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return `${cells.map(quote).join(',')}\n`;
}
