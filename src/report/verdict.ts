/** What the checker found, as text and as JSON. */
import type { Diagnostic } from '../errors.ts';
import type { Paint } from './paint.ts';
import { counted, printable } from './text.ts';

export interface Verdict {
  readonly schema: 1;
  readonly file: string;
  readonly ok: boolean;
  readonly faults: readonly Diagnostic[];
}

export function verdict(file: string, faults: readonly Diagnostic[]): Verdict {
  return { schema: 1, file, ok: faults.length === 0, faults };
}

/** One line; `checked` says how much was looked at. */
export function verdictText({ file, ok, faults }: Verdict, checked: string, paint: Paint): string {
  const result = ok ? paint.good('no fault found') : paint.bad(`${counted(faults.length, 'fault')} found`);
  return `${printable(file)}: ${result} in ${checked}\n`;
}
