/** Options of several models on one chip. */
import type { OptionGroup } from '../option-types.ts';
import { parsePair } from '../values.ts';
import { JOB } from './commands.ts';

export const SEVERAL: OptionGroup = {
  title: 'Several models',
  rows: [
    {
      flags: '--run <mode>',
      about: 'never two at once, at the same time, or one after another in a fixed order',
      commands: JOB,
      values: ['exclusive', 'concurrent', 'joint'],
    },
    {
      flags: '--group <models>',
      example: 'kws,vww',
      about: 'with --run concurrent: models that take turns; joint:det,rec for a fixed order',
      commands: JOB,
      repeat: true,
    },
    {
      flags: '--hold <tensor>',
      example: 'kws:scores',
      about: 'this tensor keeps its bytes while other models run; MODEL:TENSOR where several have one',
      commands: JOB,
      repeat: true,
    },
    {
      flags: '--link <tensor=input>',
      example: 'det:boxes=rec:rois',
      about: 'an input of a later model finds its bytes where an earlier one left them',
      commands: JOB,
      repeat: true,
      syntax: (flag, text) => parsePair(flag, text, '=', 'det:boxes=rec:rois'),
    },
  ],
};
