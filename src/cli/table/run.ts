/** Options of one run: where its settings come from, and whether it goes on. */
import { CI_REPORTS, parseReport } from '../ci-report-names.ts';
import type { OptionGroup } from '../option-types.ts';
import { CONFIGURED, MAIN } from './commands.ts';

export const RUN: OptionGroup = {
  title: 'This run',
  rows: [
    {
      flags: '--config <file>',
      perRun: true,
      example: 'memplan.config.json',
      about: 'settings (default: memplan.config.json or package.json, here or above)',
      commands: CONFIGURED,
    },
    { flags: '--no-config', perRun: true, about: 'no settings from files', commands: CONFIGURED },
    {
      flags: '--report <form[=file]>',
      perRun: true,
      about: 'messages and results for a CI service, written to a file where it reads one',
      commands: MAIN,
      repeat: true,
      values: CI_REPORTS,
      withFile: true,
      syntax: parseReport,
    },
    {
      flags: '--anytime',
      perRun: true,
      about: 'Ctrl-C during a search takes the best plan so far; once more ends without one',
      commands: ['plan', 'solve'],
    },
    {
      flags: '--watch',
      perRun: true,
      about: 'plan again whenever a file changes, until Ctrl-C',
      commands: MAIN,
    },
  ],
};
