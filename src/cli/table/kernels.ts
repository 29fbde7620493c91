/** Options of the kernel library. */
import type { OptionGroup } from '../option-types.ts';
import { parseSize } from '../values.ts';
import { JOB } from './commands.ts';

export const KERNELS: OptionGroup = {
  title: 'Kernels',
  rows: [
    {
      flags: '--kernels <library>',
      about: 'whose scratch sizes and rules hold',
      commands: JOB,
      values: ['none', 'reference', 'cmsis-nn', 'tflm', 'xnnpack', 'im2col'],
    },
    {
      flags: '--kernels-version <v>',
      example: '7',
      about: 'version of the kernel library',
      commands: JOB,
    },
    {
      flags: '--kernels-build <build>',
      about: 'build of the kernel library',
      commands: JOB,
      values: ['scalar', 'dsp', 'mve'],
    },
    {
      flags: '--layout <layout>',
      about: 'layout of activations',
      commands: JOB,
      values: ['nchw', 'nhwc'],
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
      about: 'scratch of one node, by name or #index; @FILE for a file of such lines',
      commands: JOB,
      repeat: true,
    },
    {
      flags: '--trust <what>',
      about: 'use what kernels are said to allow, but no run has proved',
      commands: JOB,
      values: ['unproved'],
    },
    {
      flags: '--guard <bytes>',
      example: '32',
      about: 'unused bytes behind every buffer',
      commands: JOB,
      syntax: parseSize,
    },
  ],
};
