/** --map: each arena over the steps as text, time across and addresses up. */
import { qualified } from '../plan/qualified.ts';
import type { Plan, PlanBuffer, PlanRegion } from '../plan/types.ts';
import { bufferName, membersOf } from './buffer-name.ts';
import { type Turn, turnsOf } from './chart/turns.ts';
import type { Colour, Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { grouped, printable, shortened, stepsText } from './text.ts';

const ROWS = 16;
const WIDEST_STEP = 6;
const LEGEND = 12;
const FREE = '.';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * One map per region. A column stands for one step or, where there are more steps than columns, for the fullest of a
 * few; a row for an equal part of the arena, shown by the byte in its middle.
 */
export function mapText(plan: Plan, paint: Paint, columns: number): string {
  const named = qualified(plan);
  return plan.regions.map((region) => regionMap(named, region, paint, columns)).join('\n');
}

/** The steps that the columns show, and how many characters each has. */
interface Axis {
  readonly steps: readonly number[];
  readonly width: number;
}

function regionMap(plan: Plan, region: PlanRegion, paint: Paint, columns: number): string {
  const buffers = plan.buffers.filter((buffer) => buffer.region === region.name && buffer.bytes > 0);
  const head = `${paint.heading(`map of ${printable(region.name)}`)}: ${grouped(region.used)} bytes, steps across`;
  if (buffers.length === 0) return `${head}\n  nothing lies here\n`;
  const label = grouped(region.used).length;
  const axis = axisOf(plan, columns - label - 4);
  const marks = marksOf(buffers, plan.peak.step, paint);
  const live = axis.steps.map((step) => buffers.filter(({ first, end }) => first <= step && step < end));
  const height = Math.min(ROWS, region.used);
  const lines = Array.from({ length: height }, (_, i) => {
    const row = height - 1 - i;
    const byte = Math.floor(((row + 0.5) * region.used) / height);
    const cells = axis.steps.map((step, column) =>
      markAt(live[column]!, marks, byte, step, axis.width, paint),
    );
    const edge = row === height - 1 ? grouped(region.used) : row === 0 ? '0' : '';
    return `  ${edge.padStart(label)} |${cells.join('')}`;
  });
  const indent = ' '.repeat(label + 4);
  return `${[head, ...lines, ...axisLines(axis, plan.peak.step, indent), ...turnLine(axis, turnsOf(plan), indent), ...legend(buffers, plan, marks, columns)].join('\n')}\n`;
}

function axisOf({ steps }: Plan, room: number): Axis {
  const count = Math.max(1, steps.length);
  if (count <= room) {
    const width = Math.min(WIDEST_STEP, Math.floor(room / count));
    return { steps: Array.from({ length: count }, (_, step) => step), width };
  }
  const shown = Array.from({ length: room }, (_, column) => {
    const first = Math.floor((column * count) / room);
    const end = Math.floor(((column + 1) * count) / room);
    let fullest = first;
    for (let step = first; step < end; step++) {
      if (steps[step]!.liveBytes > steps[fullest]!.liveBytes) fullest = step;
    }
    return fullest;
  });
  return { steps: shown, width: 1 };
}

type Mark = { readonly letter: string; readonly colour: Colour };

/** Letters by size, so that the largest buffers have the first ones; small ones share the last. */
function marksOf(buffers: readonly PlanBuffer[], peak: number, paint: Paint): ReadonlyMap<number, Mark> {
  const live = (buffer: PlanBuffer) => (buffer.first <= peak && peak < buffer.end ? 1 : 0);
  const order = [...buffers].sort((a, b) => live(b) - live(a) || b.bytes - a.bytes || a.id - b.id);
  return new Map(
    order.map(({ id }, rank) => [
      id,
      { letter: LETTERS[rank] ?? '#', colour: paint.series[rank % paint.series.length]! },
    ]),
  );
}

function markAt(
  live: readonly PlanBuffer[],
  marks: ReadonlyMap<number, Mark>,
  byte: number,
  step: number,
  width: number,
  paint: Paint,
): string {
  const found = live.find((buffer) => covers(buffer, byte, step));
  const { letter, colour } =
    found === undefined ? { letter: FREE, colour: paint.faint } : marks.get(found.id)!;
  return colour(letter.repeat(width));
}

function covers({ offset, bytes, gaps }: PlanBuffer, byte: number, step: number): boolean {
  if (byte < offset || byte >= offset + bytes) return false;
  const inside = byte - offset;
  return !gaps.some((gap) => gap.first <= step && step < gap.end && gap.from <= inside && inside < gap.to);
}

/** Step numbers under the columns where they fit, and a mark under the peak. */
function axisLines({ steps, width }: Axis, peak: number, indent: string): string[] {
  let numbers = '';
  steps.forEach((step, column) => {
    const at = column * width;
    if (at === 0 || at >= numbers.length + 2) numbers = numbers.padEnd(at) + String(step);
  });
  const column = steps.findLastIndex((step) => step <= peak);
  const pointer = ' '.repeat(column * width) + '^'.repeat(width);
  return [indent + numbers, `${indent}${pointer} peak, step ${peak}`];
}

/** Of several models: where the steps of each begin, and its name as far as there is room. */
function turnLine({ steps, width }: Axis, turns: readonly Turn[], indent: string): string[] {
  if (turns.length === 0) return [];
  const columnOf = (step: number) => steps.findIndex((shown) => shown >= step);
  const starts = turns.map(({ first }) => Math.max(0, columnOf(first)) * width);
  const ends = [...starts.slice(1), steps.length * width];
  const cells = turns.map(({ label }, i) => {
    const room = ends[i]! - starts[i]!;
    return room < 2 ? '|'.repeat(room) : `|${shortened(label, room - 1)}`.padEnd(room).slice(0, room);
  });
  return [`${indent}${cells.join('')}`.trimEnd()];
}

function legend(
  buffers: readonly PlanBuffer[],
  plan: Plan,
  marks: ReadonlyMap<number, Mark>,
  columns: number,
): string[] {
  const members = membersOf(plan);
  const nameOf = (buffer: PlanBuffer) => {
    const name = bufferName(plan, buffer, members.get(buffer.id)!) ?? buffer.kind;
    return buffer.kind === 'copy' ? `copy of ${name}` : name;
  };
  const order = [...marks.keys()].slice(0, LEGEND);
  const byId = new Map(buffers.map((buffer) => [buffer.id, buffer]));
  const rows = order.map((id): Cell[] => {
    const buffer = byId.get(id)!;
    const { bytes, first, end } = buffer;
    const { letter, colour } = marks.get(id)!;
    const name = shortened(printable(nameOf(buffer)), Math.max(12, columns - 36));
    return [{ text: `  ${letter}`, colour }, grouped(bytes), name, stepsText({ first, end })];
  });
  const more = marks.size - rows.length;
  return [
    ...table(rows, ['left', 'right', 'left', 'left']),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
  ];
}
