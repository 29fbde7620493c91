/** What cppcheck's MISRA addon finds. */
import { run } from './tools.ts';

/** The advisory rules of MISRA C:2012. */
const ADVISORY = new Set(
  '1.2 2.3 2.4 2.5 2.6 2.7 4.2 5.9 8.7 8.9 8.11 8.13 10.5 11.4 11.5 12.1 12.3 12.4 13.3 13.4 15.1 15.4 15.5 17.5 17.8 18.4 18.5 19.2 20.1 20.5 20.10 21.12'.split(
    ' ',
  ),
);
/** Advice of cppcheck itself that the sources do not follow, for reasons of their own: the logarithm of a sum of 0 is infinite. */
const STYLE = [
  'objectIndex',
  'variableScope',
  'ConfigurationNotChecked',
  'unmatchedSuppression',
  'invalidFunctionArg',
];

/** The rules that a file of a folder breaks, advisory ones apart. `more`: further arguments. */
export async function misraRules(
  dir: string,
  file: string,
  more: readonly string[] = [],
): Promise<{ readonly advisory: readonly string[]; readonly others: readonly string[] }> {
  const args = ['--addon=misra', '--enable=all', '--inconclusive', '--std=c99', '--quiet', '--template={id}'];
  const quiet = ['--suppress=missingIncludeSystem', '--suppress=unusedFunction'];
  const { output } = await run('cppcheck', [...args, ...quiet, ...more, file], dir);
  const found = [
    ...new Set(output.split('\n').filter((line) => line !== '' && !STYLE.includes(line))),
  ].sort();
  const isAdvisory = (id: string) => ADVISORY.has(id.replace('misra-c2012-', ''));
  return { advisory: found.filter(isAdvisory), others: found.filter((id) => !isAdvisory(id)) };
}
