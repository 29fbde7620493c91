/** Diagnostics and the report for GitHub Actions: workflow commands and a job summary. */
import type { Diagnostic } from '../errors.ts';
import type { Plan } from '../plan/types.ts';
import { diffPlans } from './diff.ts';
import { diffMarkdown } from './diff-markdown.ts';
import { mapText } from './map.ts';
import { markdown } from './markdown.ts';
import { plain } from './paint.ts';
import { printable } from './text.ts';

const SUMMARY_COLUMNS = 100;

/** One annotation per diagnostic, attached to a file if there is one. Escapes as the runner's command parser asks. */
export function githubAnnotations(diagnostics: readonly Diagnostic[], file: string | null): string {
  const place = file === null ? '' : `file=${property(file)},`;
  const level = { error: 'error', warning: 'warning', note: 'notice' } as const;
  return diagnostics
    .map(({ kind, code, text, hint }) => {
      const message = [text, ...(hint === null ? [] : [`hint: ${hint}`])].map(printable).join('\n');
      return `::${level[kind]} ${place}title=${property(`memplan ${code}`)}::${data(message)}\n`;
    })
    .join('');
}

/** The report in Markdown with the map below it, and what has changed since a plan before it. */
export function githubSummary(plan: Plan, before?: Plan): string {
  const fence = '```';
  const since = before === undefined ? '' : `\n${diffMarkdown(diffPlans(before, plan))}`;
  return `${markdown(plan)}\n<details><summary>Map</summary>\n\n${fence}text\n${mapText(plan, plain, SUMMARY_COLUMNS)}${fence}\n\n</details>\n${since}`;
}

function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
