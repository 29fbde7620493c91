/** Options that single commands have to themselves. */
import type { OptionGroup } from '../option-types.ts';

export const COMMAND: OptionGroup = {
  title: 'This command',
  rows: [
    {
      flags: '--capacity <bytes>',
      example: '1M',
      about: 'stop at the first plan that fits',
      commands: ['solve'],
    },
    { flags: '--capacity <bytes>', example: '1M', about: 'nothing may end beyond it', commands: ['verify'] },
    {
      flags: '--out <file>',
      example: 'solution.csv',
      about: 'write the offsets as CSV',
      commands: ['solve'],
    },
    {
      flags: '--problem <file>',
      example: 'problem.csv',
      about: 'the problem that a solution.csv answers',
      commands: ['verify'],
    },
    {
      flags: '--plan <file>',
      example: 'plan.json',
      path: 'file',
      about: 'the plan that the firmware was built from',
      commands: ['check-elf'],
    },
    {
      flags: '--emit <list>',
      about: 'also write diff.json or diff.md',
      commands: ['diff'],
      list: true,
      values: ['json', 'md'],
    },
    {
      flags: '--out <dir>',
      example: 'build',
      path: 'file',
      about: 'where these files go (default: .)',
      commands: ['diff'],
    },
    {
      flags: '--report <form>',
      about: 'an annotation for what grew too much, and the difference in the summary of the job',
      commands: ['diff'],
      repeat: true,
      values: ['github'],
    },
    { flags: '--tensor <name>', example: 'conv1/out', about: 'explain this tensor', commands: ['explain'] },
    {
      flags: '--node <name>',
      example: 'conv1',
      about: 'explain this node, by name or #index',
      commands: ['explain'],
    },
    {
      flags: '--reuse',
      about: 'what reuse saves, what it can save at most, and what single changes would do: plans each again',
      commands: ['explain'],
    },
  ],
};
