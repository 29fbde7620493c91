/** What `memplan check-elf` found, as text and as JSON. */
import type { Firmware, FirmwareRegion } from '../elf/check.ts';
import type { Diagnostic } from '../errors.ts';
import { percent } from '../percent.ts';
import type { Plan } from '../plan/types.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { counted, grouped, printable } from './text.ts';

export interface FirmwareReport {
  readonly schema: 1;
  readonly file: string;
  readonly ok: boolean;
  readonly planHash: string;
  readonly regions: readonly (FirmwareRegion & { readonly capacity: number | null })[];
  readonly faults: readonly Diagnostic[];
}

export function firmwareReport(file: string, plan: Plan, { regions, faults }: Firmware): FirmwareReport {
  return {
    schema: 1,
    file,
    ok: faults.length === 0,
    planHash: plan.planHash,
    regions: regions.map((region, i) => ({ ...region, capacity: plan.regions[i]!.capacity })),
    faults,
  };
}

export function firmwareText({ file, ok, regions, faults }: FirmwareReport, paint: Paint): string {
  const result = ok ? paint.good('the plan holds') : paint.bad(`${counted(faults.length, 'fault')} found`);
  const rows = regions.flatMap((region) => [[printable(region.name)], ...rowsOf(region)]);
  const lines = table(rows, ['left', 'left', 'right', 'left']);
  return `${printable(file)}: ${result}\n${lines.map((line) => `${line}\n`).join('')}`;
}

type Row = readonly Cell[];

function rowsOf({
  arrays,
  placed,
  others,
  left,
  capacity,
}: FirmwareReport['regions'][number]): readonly Row[] {
  const held = arrays.map(({ symbol, address, bytes }): Row => {
    return ['', symbol, grouped(bytes), `at 0x${address.toString(16).toUpperCase().padStart(8, '0')}`];
  });
  if (others === null || left === null || capacity === null) return held;
  const rest: readonly Row[] = [
    ['', 'other sections', grouped(others)],
    [
      '',
      'left',
      grouped(left),
      `${percent(left, capacity)}${placed ? '' : ' without the arena, which is not there'}`,
    ],
  ];
  return [...held, ...rest];
}
