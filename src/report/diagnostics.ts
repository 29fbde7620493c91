/** Errors, warnings and notes as text, each with its code and what to do about it. */
import type { Diagnostic } from '../errors.ts';
import type { Colour, Paint } from './paint.ts';
import { printable } from './text.ts';

/** Of one code, this many are shown unless all are wanted. */
const SHOWN_OF_A_KIND = 5;

/**
 * One block per diagnostic in their order: a line such as `error E_OPEN_DIM: ...` and one for the hint. Line ends in
 * names are escaped, so that no name can start a line of its own. Of many with the same code only the first few are
 * shown, unless `all`; a hint that several in a row share stands after the last. Empty without any.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], paint: Paint, all = false): string {
  const seen = new Map<string, number>();
  const shown: Diagnostic[] = [];
  for (const item of diagnostics) {
    const count = (seen.get(item.code) ?? 0) + 1;
    seen.set(item.code, count);
    if (all || count <= SHOWN_OF_A_KIND) shown.push(item);
  }
  const blocks = shown.map((item, i) => format(item, shown[i + 1]?.hint !== item.hint, paint));
  if (all) return blocks.join('');
  for (const [code, count] of seen) {
    const hidden = count - SHOWN_OF_A_KIND;
    if (hidden > 0) blocks.push(paint.faint(`${hidden} more ${code}; --verbose shows all`), '\n');
  }
  return blocks.join('');
}

function format({ kind, code, text, hint }: Diagnostic, withHint: boolean, paint: Paint): string {
  const colour = colourOf(kind, paint);
  const help = hint === null || !withHint ? '' : `  ${paint.advice('hint')}: ${printable(hint)}\n`;
  return `${colour(`${kind} ${code}`)}: ${printable(text)}\n${help}`;
}

function colourOf(kind: Diagnostic['kind'], paint: Paint): Colour {
  return { error: paint.bad, warning: paint.caution, note: paint.faint }[kind];
}
