/** Messages for GitLab's code quality widget. Format: GitLab, "Code Quality report format". */
import { createHash } from 'node:crypto';
import type { Diagnostic } from '../errors.ts';
import type { RunResult } from './gates.ts';
import { printable } from './text.ts';

interface Issue {
  readonly description: string;
  readonly check_name: string;
  /** Tells the same issue of another commit again: it does not depend on the numbers in the text. */
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'critical';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const SEVERITY = { error: 'critical', warning: 'minor', note: 'info' } as const;

/** One issue per message of every run. */
export function gitlabReport(results: readonly RunResult[]): string {
  const seen = new Map<string, number>();
  const issues = results.flatMap(({ file, target, diagnostics }) =>
    diagnostics.map((found): Issue => {
      const identity = [file, target, found.code, found.node ?? '', found.tensor ?? ''].join('\0');
      const before = seen.get(identity) ?? 0;
      seen.set(identity, before + 1);
      return issueOf(file, found, `${identity}\0${before}`);
    }),
  );
  return `${JSON.stringify(issues, null, 2)}\n`;
}

function issueOf(file: string, { kind, code, text, hint }: Diagnostic, identity: string): Issue {
  return {
    description: printable(hint === null ? text : `${text} Hint: ${hint}`),
    check_name: `memplan/${code}`,
    fingerprint: createHash('sha256').update(identity).digest('hex'),
    severity: SEVERITY[kind],
    // A model has no lines, but the format asks for one.
    location: { path: file.replaceAll('\\', '/').replace(/^\.\//, ''), lines: { begin: 1 } },
  };
}
