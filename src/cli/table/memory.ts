/** Options of the memories of the chip. */

import { parseBuffers } from '../bindings.ts';
import type { OptionGroup } from '../option-types.ts';
import { parseAlignTensor, parseDma, parseForbid, parsePin, parseSlack } from '../rules.ts';
import { parseBits, parseList, parseReserve, parseSize } from '../values.ts';
import { JOB } from './commands.ts';

export const MEMORY: OptionGroup = {
  title: 'Memory of the chip',
  rows: [
    {
      flags: '--region <names>',
      example: 'DTCM,AXISRAM',
      syntax: (flag, text) => void parseList(flag, text),
      about: 'regions that may be used, the preferred one first (default: main, then others on the chip)',
      commands: JOB,
    },
    {
      flags: '--place <rule>',
      about: 'auto: other regions only where the first is full; fastest: most traffic into the fastest',
      commands: JOB,
      values: ['auto', 'fastest'],
    },
    {
      flags: '--reserve <region=bytes>',
      example: 'SRAM=16K',
      syntax: parseReserve,
      about: 'what the firmware needs there for itself: stack, heap, data',
      commands: JOB,
      repeat: true,
    },
    {
      flags: '--pin <tensor=region[@offset]>',
      example: 'conv1=DTCM@0x100',
      about: 'place a tensor',
      commands: JOB,
      repeat: true,
      syntax: parsePin,
    },
    {
      flags: '--forbid <tensor=region>',
      example: 'input=DTCM',
      about: 'keep a tensor out of a region',
      commands: JOB,
      repeat: true,
      syntax: parseForbid,
    },
    {
      flags: '--dma <tensor[=engine]>',
      example: 'input=MDMA',
      about: 'a tensor that a DMA reads or writes: within its reach, and on cache lines of its own',
      commands: JOB,
      repeat: true,
      syntax: parseDma,
    },
    {
      flags: '--buffers <input=n>',
      example: 'input=2',
      about: 'places of an input: a DMA fills the next one while a run reads the current one',
      commands: JOB,
      repeat: true,
      syntax: parseBuffers,
    },
    {
      flags: '--align-tensor <tensor=bytes>',
      example: 'input=64',
      about: 'alignment of one tensor',
      commands: JOB,
      repeat: true,
      syntax: parseAlignTensor,
    },
    {
      flags: '--slack <tensor=bytes>',
      example: 'input=16',
      about: 'unused bytes behind one tensor',
      commands: JOB,
      repeat: true,
      syntax: parseSlack,
    },
    { flags: '--mpu', about: 'every arena is one region of the MPU of the core', commands: JOB },
    {
      flags: '--weights <where>',
      about:
        'copy weights to RAM: none, all, those read most for each byte while there is room, each for its steps',
      commands: JOB,
      values: ['flash', 'ram', 'hybrid', 'stage'],
    },
    {
      flags: '--flash <bytes>',
      example: '2M',
      about: 'flash that weights may take: fail when they are larger',
      commands: JOB,
      syntax: parseSize,
    },
    {
      flags: '--weight-bits <n>',
      example: '4',
      about: 'an estimate: bits that each weight of quantised layers takes in flash, packed',
      commands: JOB,
      syntax: parseBits,
    },
  ],
};
