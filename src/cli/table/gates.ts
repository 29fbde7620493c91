/** Options that make a run fail. */

import type { OptionGroup } from '../option-types.ts';
import { parsePercent, parseRegionBytes } from '../values.ts';
import { JOB, MAIN } from './commands.ts';

export const GATES: OptionGroup = {
  title: 'Gates (exit code 1)',
  rows: [
    {
      flags: '--budget <[region=]bytes>',
      example: '256K',
      syntax: parseRegionBytes,
      about: 'fail when the arena is larger',
      commands: JOB,
      repeat: true,
    },
    {
      flags: '--baseline <plan.json>',
      example: 'main/plan.json',
      path: 'file',
      about: 'fail when the arena has grown since this plan',
      commands: MAIN,
    },
    {
      flags: '--max-growth <percent>',
      example: '2%',
      syntax: parsePercent,
      about: 'growth the baseline allows (default: 0%)',
      commands: MAIN,
    },
    {
      flags: '--max-growth <percent>',
      example: '2%',
      syntax: parsePercent,
      about: 'fail when the arena has grown by more',
      commands: ['diff'],
    },
    {
      flags: '--check',
      perRun: true,
      about: 'write nothing; fail when a file is not what would be written',
      commands: MAIN,
    },
  ],
};
