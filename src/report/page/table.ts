/** Sorts the table of tensors by the column whose head is clicked. */
import { make } from './dom.ts';

export function openTable(): void {
  const table = document.querySelector<HTMLTableElement>('#tensors');
  const body = table?.tBodies[0];
  if (table == null || body === undefined) return;
  const heads = [...table.tHead!.rows[0]!.cells];
  heads.forEach((head, column) => {
    const button = make('button', { type: 'button', class: 'sorter' }, ...head.childNodes);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      sortRows(body, column, up);
    });
    head.replaceChildren(button);
  });
}

function sortRows(body: HTMLTableSectionElement, column: number, up: boolean): void {
  const keys = [...body.rows].map((row, index) => ({ row, index, key: keyOf(row.cells[column]!) }));
  keys.sort((a, b) => (up ? 1 : -1) * compare(a.key, b.key) || a.index - b.index);
  body.append(...keys.map(({ row }) => row));
}

function keyOf(cell: HTMLTableCellElement): number | string {
  const text = cell.dataset.sort ?? cell.textContent ?? '';
  const value = Number(text.replace(/,/g, ''));
  return text !== '' && Number.isFinite(value) ? value : text;
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
