/** Options of the kernel library. */
import type { OptionGroup } from '../option-types.ts';
import { parsePair, parseSize } from '../values.ts';
import { JOB } from './commands.ts';

export const KERNELS: OptionGroup = {
  title: 'Kernels',
  rows: [
    {
      flags: '--kernels <library>',
      about: 'whose scratch sizes and rules hold',
      commands: JOB,
      values: ['none', 'reference', 'cmsis-nn', 'tflm', 'xnnpack', 'im2col'],
      built: ['none'],
    },
    {
      flags: '--kernels-version <v>',
      example: '7.0.0',
      about: 'version of the kernel library',
      commands: JOB,
      later: true,
    },
    {
      flags: '--kernels-build <build>',
      about: 'build of the kernel library',
      commands: JOB,
      values: ['scalar', 'dsp', 'mve'],
      built: [],
    },
    {
      flags: '--layout <layout>',
      about: 'layout of activations',
      commands: JOB,
      values: ['nchw', 'nhwc'],
      built: ['nchw'],
    },
    {
      flags: '--fuse <what>',
      about: 'fusions the kernel library does',
      commands: JOB,
      values: ['none', 'default'],
    },
    {
      flags: '--scratch <node=bytes>',
      example: 'conv1=4K',
      about: 'scratch of one node, by name or #index',
      commands: JOB,
      repeat: true,
      later: true,
      syntax: (flag, text) => parseSize(flag, parsePair(flag, text, '=', 'conv1=4K').value),
    },
  ],
};
