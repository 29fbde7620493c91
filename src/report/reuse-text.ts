/** The reuse report for a terminal: where tensors live, what reuse can save, what single changes would do. */

import { percent } from '../percent.ts';
import type { Lives } from '../reuse/ceiling.ts';
import type { ReuseChange, ReuseReport, Taken } from '../reuse/reuse.ts';
import type { Paint } from './paint.ts';
import { type Cell, columnWidths, table } from './table.ts';
import { bytesText, counted, grouped, printable, shortened, stepsText, wrapped } from './text.ts';

const BAR = 24;
const NAME = 40;
const GAP = 2;
const LEAST_REMARK = 24;
/** Spaces before what goes on below a line. */
const BELOW = '      ';

/** Ends with a newline. `all`: also the changes that move no byte one by one. */
export function reuseText(report: ReuseReport, paint: Paint, columns: number, all: boolean): string {
  const models = report.models.map(printable).join(' + ');
  const lines = [
    `${paint.heading(models)} on ${paint.heading(printable(report.target))}`,
    '',
    paint.heading('where lives lie'),
    ...lifeLines(report, paint, columns),
    '',
    paint.heading('what reuse can save'),
    ...ceilingLines(report, paint, columns),
    '',
    paint.heading('single changes, each planned again'),
    ...changeLines(report, paint, columns, all),
  ];
  return `${lines.join('\n')}\n`;
}

function lifeLines({ lives, ceiling }: ReuseReport, paint: Paint, columns: number): string[] {
  const { parts } = lives;
  const head = ['', 'begin', 'with bytes', 'live'].map((text): Cell => ({ text, colour: paint.faint }));
  const rows = parts.map((part): Cell[] => [
    `  ${stepsText(part)}`,
    grouped(part.begin),
    grouped(part.beginBytes),
    grouped(part.liveBytes),
    bar(part.liveBytes, ceiling.peakBytes),
  ]);
  return [
    ...table([head, ...rows], ['left', 'right', 'right', 'right', 'left']),
    ...paragraph(livesSentence(lives), columns),
  ];
}

function livesSentence({ parts, mostDeadAt, medianSteps }: Lives): string {
  const steps = parts.at(-1)?.end ?? 0;
  return (
    `Half of the tensors live for ${counted(medianSteps, 'step')} or less; tensors with 80 % of all bytes are dead ` +
    `after ${mostDeadAt} of ${counted(steps, 'step')}.`
  );
}

function bar(bytes: number, most: number): string {
  return '#'.repeat(most === 0 ? 0 : Math.ceil((bytes / most) * BAR));
}

function ceilingLines({ ceiling, plan }: ReuseReport, paint: Paint, columns: number): string[] {
  const { apartBytes, buffersBytes, peakBytes, peakStep, arenaBytes, canSaveBytes, savesBytes } = ceiling;
  const most = ceiling.largestStep;
  const rows: [string, number, string][] = [
    ['apart', apartBytes, 'each tensor in a place of its own'],
    ['shared', buffersBytes, 'views, writes in place and elided copies share bytes; nothing takes turns'],
    [
      'live',
      peakBytes,
      `at step ${peakStep}: reuse can save ${grouped(canSaveBytes)} at most (${percent(canSaveBytes, apartBytes)})`,
    ],
    [
      'arena',
      arenaBytes,
      savesBytes === canSaveBytes
        ? 'saves all of that'
        : `saves ${grouped(savesBytes)}, ${percent(savesBytes, canSaveBytes)} of that` +
          (plan.optimal ? '; no packing takes less' : ''),
    ],
    ...(most === null
      ? []
      : [
          [
            'one step',
            most.bytes,
            `step ${most.step}, ${shortened(printable(most.node), NAME)}: no order takes less while it needs that`,
          ] as [string, number, string],
        ]),
  ];
  const cells = rows.map(([label, bytes]): Cell[] => [
    `  ${label}`,
    { text: grouped(bytes), colour: label === 'arena' ? paint.strong : (text: string) => text },
  ]);
  const start = columnWidths(cells).reduce((all, width) => all + width + GAP, 0);
  return table(
    rows.flatMap(([, , remark], i) => {
      const [first = '', ...more] = wrapped(remark, Math.max(LEAST_REMARK, columns - start));
      return [[...cells[i]!, first], ...more.map((text) => ['', '', text])];
    }),
    ['left', 'right', 'left'],
    GAP,
  );
}

function changeLines({ changes, plan }: ReuseReport, paint: Paint, columns: number, all: boolean): string[] {
  const moved = changes.filter(
    ({ arenaChange, plan: found }) => arenaChange !== null && (all || isNews(arenaChange, found!, plan)),
  );
  const same = changes.filter((change) => change.plan !== null && !moved.includes(change));
  const failed = changes.filter((change) => change.plan === null);
  const head = ['arena', 'change', '', ''].map((text): Cell => ({ text, colour: paint.faint }));
  const rows = moved.map((change): Cell[] => changeCells(change, plan, paint));
  const names = (list: readonly ReuseChange[]) => list.map(optionText).join(', ');
  return [
    ...(rows.length === 0 ? [] : table([head, ...rows], ['right', 'right', 'right', 'left', 'left'])),
    ...(same.length === 0 ? [] : paragraph(`No byte: ${names(same)}.`, columns)),
    ...failed.flatMap((change) =>
      paragraph(`Cannot be planned: ${optionText(change)}. ${printable(change.error!.text)}`, columns),
    ),
  ];
}

/** The arena changes, or whether it fits. */
function isNews(arenaChange: number, found: Taken, now: Taken): boolean {
  return arenaChange !== 0 || found.fits !== now.fits;
}

function changeCells(change: ReuseChange, now: Taken, paint: Paint): Cell[] {
  const { arenaChange, plan } = change;
  const by = arenaChange!;
  const colour = by < 0 ? paint.good : by > 0 ? paint.caution : paint.faint;
  return [
    `  ${grouped(plan!.arenaBytes)}`,
    { text: by === 0 ? '0' : `${by < 0 ? '-' : '+'}${grouped(Math.abs(by))}`, colour },
    { text: by === 0 ? '' : percent(Math.abs(by), now.arenaBytes), colour: paint.faint },
    optionText(change),
    { text: remarks(change, now).join('; '), colour: paint.faint },
  ];
}

function optionText({ option, how }: Pick<ReuseChange, 'option' | 'how'>): string {
  return how === 'add' ? option : `without ${option}`;
}

function remarks({ kind, plan }: ReuseChange, now: Taken): string[] {
  const { fits, complete, regions, arenaBytes, lowerBoundBytes } = plan!;
  const [region] = regions;
  return [
    ...(kind === 'model' ? ['estimate'] : []),
    ...(complete === now.complete ? [] : [complete ? 'scratch counted' : 'scratch not counted']),
    ...(arenaBytes > lowerBoundBytes ? [`at least ${bytesText(lowerBoundBytes)}`] : []),
    ...(fits === now.fits ? [] : [fits ? 'fits' : 'does not fit']),
    ...(kind !== 'memory' || region === undefined || region.capacity === null || !fits
      ? []
      : [`${percent(region.used, region.capacity)} of ${printable(region.name)}`]),
  ];
}

function paragraph(text: string, columns: number): string[] {
  return wrapped(text, columns - BELOW.length).map((line, i) => (i === 0 ? `  ${line}` : BELOW + line));
}
