/** Every tensor of a plan: where it lies, and when. */
import { qualified } from '../plan/qualified.ts';
import type { Plan } from '../plan/types.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { grouped, printable, shortened, typeText } from './text.ts';

/** One line per tensor in the order of their first steps; live ranges are half-open. */
export function tensorsText(plan: Plan, paint: Paint, columns: number): string {
  const several = plan.regions.length > 1;
  const room = Math.max(16, columns - (several ? 80 : 68));
  const head = ['offset', 'bytes', 'live', 'tensor', '', ''];
  const rows = [...qualified(plan).tensors]
    .sort((a, b) => a.first - b.first || (a.buffer ?? 0) - (b.buffer ?? 0))
    .map((tensor): Cell[] => [
      tensor.offset === null
        ? 'external'
        : `${several ? `${printable(tensor.region ?? '')} + ` : ''}${grouped(tensor.offset)}`,
      grouped(tensor.bytes),
      `[${tensor.first}, ${tensor.end})`,
      shortened(printable(tensor.name), room),
      typeText(tensor),
      tensor.how === 'own' || tensor.how === 'external'
        ? ''
        : `${tensor.how} of ${shortened(printable(tensor.aliasOf ?? ''), room)}`,
    ]);
  const cells: Cell[][] = [head.map((text) => ({ text, colour: paint.heading })), ...rows];
  return `${table(cells, ['right', 'right', 'left', 'left', 'left', 'left']).join('\n')}\n`;
}
