/** Targets as text: the list of chips, and the memory map of one. */
import type { Region, Target } from '../target/types.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { sizeText, wrapped } from './text.ts';

/** One line per target. */
export function targetList(targets: readonly Target[], paint: Paint): string {
  const head = ['target', 'core', 'arena region', 'size', 'flash', 'also called'];
  const rows = targets.map(({ id, cpu, main, regions, flashBytes, aliases }) => [
    id,
    cpu.core,
    main,
    sizeOrUnknown(regions.find(({ name }) => name === main)?.size ?? null),
    flashBytes === null ? '-' : sizeText(flashBytes),
    aliases.join(', '),
  ]);
  const cells: Cell[][] = [head.map((text) => ({ text, colour: paint.heading })), ...rows];
  return `${table(cells, ['left', 'left', 'left', 'right', 'right', 'left']).join('\n')}\n`;
}

/** What is known about one target: core, memory map, alignments, notes, sources. */
export function targetText(target: Target, paint: Paint, columns: number): string {
  const { id, vendor, family, aliases, notes, source, unverifiedFields } = target;
  const about = [vendor, family].filter((part) => part !== null).join(' ');
  const lines = [
    `${paint.heading(id)}${about === '' ? '' : ` (${about})`}`,
    ...(aliases.length > 0 ? [`  also called  ${aliases.join(', ')}`] : []),
    ...factLines(target),
    '',
    ...regionLines(target, paint),
    ...section('Variants', variantLines(target), paint, columns),
    ...section('Notes', notes === null ? [] : [notes], paint, columns),
    ...regionNotes(target, paint, columns),
    ...section('Sources', source, paint, columns),
    ...section('Not read in a source', unverifiedFields, paint, columns),
  ];
  return `${lines.join('\n')}\n`;
}

function factLines({ cpu, flashBytes, recommendedAlign }: Target): string[] {
  const { tensorDefault, dma, cacheLine } = recommendedAlign;
  const features = [
    cpu.core,
    cpu.cores > 1 ? `${cpu.cores} cores` : '',
    cpu.fpu ?? '',
    cpu.mve ? 'MVE' : cpu.dsp ? 'DSP' : '',
  ];
  const cache =
    cpu.dcache === true
      ? `data cache${cpu.dcacheBytes === null ? '' : ` ${sizeText(cpu.dcacheBytes)}`}` +
        `${cpu.dcacheLineBytes === null ? '' : ` in lines of ${cpu.dcacheLineBytes}`}`
      : '';
  const facts: [string, string][] = [
    ['core', features.filter((part) => part !== '').join(', ')],
    ['cache', cache],
    ['flash', flashBytes === null ? 'external or not known' : sizeText(flashBytes)],
    [
      'alignment',
      `${tensorDefault}${dma === null ? '' : `, DMA ${dma}`}${cacheLine === null ? '' : `, cache line ${cacheLine}`}`,
    ],
    ['compiler', cpu.gccFlags ?? ''],
  ];
  return facts.filter(([, text]) => text !== '').map(([label, text]) => `  ${label.padEnd(11)}  ${text}`);
}

function regionLines({ regions, main, stack }: Target, paint: Paint): string[] {
  const head = ['region', 'origin', 'size', 'kind', 'DMA', ''];
  const rows = regions.map((region): Cell[] => [
    region.name === main ? { text: `  ${region.name}`, colour: paint.strong } : `  ${region.name}`,
    region.origin === null ? '-' : `0x${region.origin.toString(16).padStart(8, '0')}`,
    sizeOrUnknown(region.size),
    region.kind,
    region.dma === null ? '-' : region.dma.reachable.join(' ') || 'none',
    remark(region, main, stack),
  ]);
  const title = head.map((text, i): Cell => ({ text: i === 0 ? `  ${text}` : text, colour: paint.heading }));
  return table([title, ...rows], ['left', 'left', 'right', 'left', 'left', 'left']);
}

function remark({ name, usableForData }: Region, main: string, stack: string | null): string {
  const words = [
    name === main ? 'default arena' : '',
    name === stack ? 'holds the stack' : '',
    usableForData ? '' : 'not for data unless asked',
  ];
  return words.filter((word) => word !== '').join(', ');
}

function variantLines({ id, variants }: Target): string[] {
  return variants.map(({ name, notes }) => `--target ${id}:${name}${notes === null ? '' : `: ${notes}`}`);
}

function regionNotes({ regions }: Target, paint: Paint, columns: number): string[] {
  const notes = regions.flatMap(({ name, notes: text, init }) => [
    ...(init === null ? [] : [`${name}: before it works: ${init}`]),
    ...(text === null ? [] : [`${name}: ${text}`]),
  ]);
  return section('About regions', notes, paint, columns);
}

function section(title: string, items: readonly string[], paint: Paint, columns: number): string[] {
  if (items.length === 0) return [];
  const lines = items.flatMap((item) =>
    wrapped(item, columns - 4).map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`),
  );
  return ['', paint.heading(title), ...lines];
}

function sizeOrUnknown(bytes: number | null): string {
  return bytes === null ? 'unknown' : sizeText(bytes);
}
