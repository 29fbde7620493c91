/** Options of the files that are written. */
import { parseName, parsePrefix, parseSection } from '../names.ts';
import type { OptionGroup } from '../option-types.ts';
import { parseCount } from '../values.ts';
import { JOB, MAIN } from './commands.ts';

export const FILES: OptionGroup = {
  title: 'Files',
  rows: [
    {
      flags: '--out <dir>',
      example: 'build',
      path: 'file',
      about: 'where the files go (default: .)',
      commands: MAIN,
    },
    {
      flags: '--name <base>',
      example: 'kws',
      syntax: parseName,
      about: 'their name without extension (default: tensor_memory_pool)',
      commands: MAIN,
    },
    {
      flags: '--emit <list>',
      about: 'what to write (default: h,c)',
      commands: MAIN,
      list: true,
      values: ['h', 'c', 'json', 'html', 'svg', 'csv', 'md', 'trace', 'ld', 'pool', 'runner'],
    },
    {
      flags: '--prefix <[model=]name>',
      example: 'KWS',
      syntax: parsePrefix,
      about: 'prefix of C names (default: from the file name); kws=KWS for one of several models',
      commands: JOB,
      repeat: true,
    },
    {
      flags: '--name-length <n>',
      example: '63',
      syntax: (flag, text) => void parseCount(flag, text, 1),
      about: 'characters of the C macros of tensors at most: longer names are cut and get a hash',
      commands: JOB,
    },
    {
      flags: '--arena <how>',
      about: 'how the C gets its memory',
      commands: MAIN,
      values: ['static', 'extern', 'pointer'],
    },
    {
      flags: '--section <region=name>',
      example: 'DTCM=.bss.memplan.DTCM',
      syntax: parseSection,
      about: 'linker section of an arena; REGION= for that of ordinary data',
      commands: MAIN,
      repeat: true,
    },
    {
      flags: '--table <form>',
      about: 'the offset table in the C',
      commands: MAIN,
      values: ['const', 'xmacro', 'none'],
    },
    {
      flags: '--runner-weights <form>',
      about: 'weights of a runner: numbers in C, or a file that the assembler includes (default: by size)',
      commands: MAIN,
      values: ['auto', 'c', 'bin'],
    },
    {
      flags: '--templates <dir>',
      example: 'templates',
      path: 'file',
      about: "print the C with one's own templates, and more files with others",
      commands: MAIN,
    },
    { flags: '--header-only', about: 'one header and no .c file', commands: MAIN },
    {
      flags: '--depfile <file>',
      example: 'build/plan.d',
      path: 'file',
      about: 'write what the result depends on, for make and ninja',
      commands: MAIN,
    },
    {
      flags: '--stamp <file>',
      example: 'build/plan.stamp',
      path: 'file',
      about: 'touch this file when the job succeeded',
      commands: MAIN,
    },
  ],
};
