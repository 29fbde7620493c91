/** Options of the memories of the chip. */
import type { OptionGroup } from '../option-types.ts';
import { parseList, parsePair, parseReserve, parseSize } from '../values.ts';
import { JOB } from './commands.ts';

const pair = (example: string) => (flag: string, text: string) => parsePair(flag, text, '=', example);

/** `TENSOR=REGION[@OFFSET]`: the offset is a size. */
function pin(flag: string, text: string): void {
  const { value } = parsePair(flag, text, '=', 'conv1=DTCM@0x100');
  const at = value.lastIndexOf('@');
  if (at >= 0) parseSize(flag, value.slice(at + 1));
}

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
      later: true,
      syntax: pin,
    },
    {
      flags: '--forbid <tensor=region>',
      example: 'input=DTCM',
      about: 'keep a tensor out of a region',
      commands: JOB,
      repeat: true,
      later: true,
      syntax: pair('input=DTCM'),
    },
    {
      flags: '--dma <tensor[=engine]>',
      example: 'input=MDMA',
      about: 'a tensor that a DMA reads or writes',
      commands: JOB,
      repeat: true,
      later: true,
    },
    {
      flags: '--weights <where>',
      about: 'where weights go',
      commands: JOB,
      values: ['flash', 'ram', 'hybrid'],
      built: ['flash'],
    },
    {
      flags: '--flash <bytes>',
      example: '2M',
      about: 'size of the flash',
      commands: JOB,
      later: true,
      syntax: parseSize,
    },
  ],
};
