/** The gates of every model as JUnit XML, which most CI services show as tests. */
import { type Gate, gatesOf, type RunResult } from './gates.ts';
import { plain } from './paint.ts';
import { summary } from './summary.ts';
import { printableLines } from './text.ts';

const SUMMARY_COLUMNS = 100;

/** One suite per model, one case per gate: a gate that failed is a failure, a model that cannot be planned an error. */
export function junitReport(results: readonly RunResult[]): string {
  const suites = results.map((result) => ({ result, gates: gatesOf(result) }));
  const totals = counts(suites.flatMap(({ gates }) => gates));
  const body = suites.map(({ result, gates }) => suite(result, gates)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="memplan"${totals}>\n${body}</testsuites>\n`;
}

function suite(result: RunResult, gates: readonly Gate[]): string {
  const name = `${result.file} on ${result.target}`;
  const cases = gates.map((gate) => testCase(gate, result.file)).join('');
  const said =
    result.plan === undefined ? '' : summary(result.plan, { paint: plain, columns: SUMMARY_COLUMNS });
  const output = said === '' ? '' : `    <system-out>${escaped(said)}</system-out>\n`;
  return `  <testsuite name="${escaped(name)}"${counts(gates)}>\n${cases}${output}  </testsuite>\n`;
}

function testCase({ name, faults, broken }: Gate, file: string): string {
  const open = `    <testcase classname="${escaped(file)}" name="${escaped(name)}" time="0"`;
  if (faults.length === 0) return `${open}/>\n`;
  const element = broken ? 'error' : 'failure';
  const inner = faults.map(({ code, text, hint }) => {
    const details = hint === null ? text : `${text}\nhint: ${hint}`;
    return `      <${element} type="${code}" message="${escaped(text)}">${escaped(details)}</${element}>\n`;
  });
  return `${open}>\n${inner.join('')}    </testcase>\n`;
}

function counts(gates: readonly Gate[]): string {
  const failed = gates.filter(({ faults, broken }) => faults.length > 0 && !broken).length;
  const broken = gates.filter((gate) => gate.faults.length > 0 && gate.broken).length;
  return ` tests="${gates.length}" failures="${failed}" errors="${broken}" time="0"`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For text and attributes. XML 1.0 has no control characters; those are escaped as on a terminal. */
function escaped(text: string): string {
  return printableLines(text).replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}
