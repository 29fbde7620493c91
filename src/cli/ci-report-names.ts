/** The forms of --report, and the files that those of them have which a CI service reads from a file. */
import { fail } from '../errors.ts';

export const CI_REPORTS = ['github', 'gitlab', 'junit'] as const;
export type CiReport = (typeof CI_REPORTS)[number];

export interface ReportRequest {
  readonly form: CiReport;
  /** As it was given, or the default; undefined for a form without a file. */
  readonly file: string | undefined;
}

/** As the documentation of the services calls them. */
const FILES: Readonly<Record<CiReport, string | undefined>> = {
  github: undefined,
  gitlab: 'gl-code-quality-report.json',
  junit: 'memplan-junit.xml',
};

/** `github`, `junit` or `junit=FILE`. Throws E_USAGE. */
export function parseReport(flag: string, text: string): ReportRequest {
  const [, word = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const form = CI_REPORTS.find((known) => known === word);
  if (form === undefined) {
    return fail('E_USAGE', `${flag}: "${word}" is none of ${CI_REPORTS.join(', ')}`);
  }
  const usual = FILES[form];
  if (file === undefined) return { form, file: usual };
  if (usual === undefined) fail('E_USAGE', `${flag}: ${form} has no file`, { hint: `${flag} ${form}` });
  if (file === '') fail('E_USAGE', `${flag}: "${text}" names no file`, { hint: `${flag} ${form}=${usual}` });
  return { form, file };
}
