/** Options of how tensors share bytes, and in which order steps run. */

import type { OptionGroup } from '../option-types.ts';
import { parseAlignment, parseCount, parsePositiveSize } from '../values.ts';
import { JOB, SOLVED } from './commands.ts';

export const SHARING: OptionGroup = {
  title: 'Sharing and order',
  rows: [
    {
      flags: '--align <bytes>',
      example: '16',
      syntax: parseAlignment,
      about: 'alignment of offsets (default: the target says)',
      commands: JOB,
    },
    {
      flags: '--size-round <bytes>',
      example: '32',
      syntax: parsePositiveSize,
      about: 'round buffer sizes up to a multiple (default: 1)',
      commands: JOB,
    },
    {
      flags: '--io <where>',
      about: 'graph inputs and outputs inside the arena, or owned by the caller',
      commands: JOB,
      values: ['arena', 'external'],
    },
    { flags: '--preserve-inputs', about: 'inputs keep their bytes to the end', commands: JOB },
    {
      flags: '--keep <tensor>',
      example: 'conv1/out',
      about: 'this tensor keeps its bytes to the end',
      commands: JOB,
      repeat: true,
    },
    {
      flags: '--async-io',
      about: 'inputs may be filled, outputs drained, during a run',
      commands: JOB,
    },
    { flags: '--no-in-place', about: 'no operator writes over its input', commands: JOB },
    { flags: '--no-in-place-inputs', about: 'none writes over a graph input', commands: JOB },
    { flags: '--no-views', about: 'Reshape and its like copy', commands: JOB },
    { flags: '--no-elide', about: 'Concat and Split always copy', commands: JOB },
    {
      flags: '--schedule <order>',
      about: 'order of steps',
      commands: JOB,
      values: ['model', 'min-peak'],
    },
    {
      flags: '--strategy <name>',
      example: 'auto',
      about: 'one way to pack, or auto: the best of all',
      commands: SOLVED,
    },
    {
      flags: '--effort <n>',
      example: '100000',
      syntax: (flag, text) => parseCount(flag, text, 1),
      about: 'search steps to spend',
      commands: SOLVED,
    },
  ],
};
