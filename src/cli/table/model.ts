/** Options that say which model is planned for which target, and what sizes it has. */
import { parseBucket, parseDim, parseInputShape, parseMaxSize, parseOpShape } from '../bindings.ts';
import type { OptionGroup } from '../option-types.ts';
import { parseFactors } from '../values.ts';
import { JOB, MAIN, SHAPED } from './commands.ts';

export const MODEL: OptionGroup = {
  title: 'Model and target',
  rows: [
    {
      flags: '--target <name|file>',
      example: 'stm32h743',
      path: 'target',
      about: 'built-in chip, or a target file',
      commands: [...JOB, 'init'],
    },
    {
      flags: '--dim <name=n>',
      example: 'batch=1',
      syntax: parseDim,
      about: 'size of a named dimension, or a range as in seq=1..512; *=n for all that are open',
      commands: SHAPED,
      repeat: true,
    },
    {
      flags: '--input-shape <name:sizes>',
      example: 'x:1,3,224,224',
      syntax: parseInputShape,
      about: 'shape of one input, as in x:1,3,224,224',
      commands: SHAPED,
      repeat: true,
    },
    {
      flags: '--op-shape <node:type,sizes>',
      example: 'node:float32,1,8,8',
      syntax: parseOpShape,
      about: 'output of a node without a shape rule, or its largest sizes; / between several outputs',
      commands: SHAPED,
      repeat: true,
    },
    {
      flags: '--bucket <name=a,b,c>',
      example: 'seq=64,128,512',
      about: 'several sizes of a dimension, one table each',
      commands: JOB,
      repeat: true,
      syntax: parseBucket,
    },
    {
      flags: '--assume <type>',
      about: 'estimate: count floats as if they were quantised',
      commands: JOB,
      values: ['int8'],
    },
    {
      flags: '--scale-input <factors>',
      perRun: true,
      example: '0.5,0.75,1',
      about: 'estimate: arenas for images of other sizes, as in 0.5,0.75,1; writes no files',
      commands: MAIN,
      syntax: parseFactors,
    },
    {
      flags: '--max-size <tensor=n>',
      example: 'boxes=100',
      about: 'largest number of elements of a tensor whose size depends on data',
      commands: JOB,
      repeat: true,
      syntax: parseMaxSize,
    },
    {
      flags: '--state <[out=]in>',
      example: 'h_next=h',
      about: 'an output that is an input of the next run, or a tensor whose bytes stay from run to run',
      commands: JOB,
      repeat: true,
    },
  ],
};
