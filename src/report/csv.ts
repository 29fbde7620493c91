/** The buffers of a plan as CSV, in the form that `memplan solve` and `memplan verify` read. */
import { qualified } from '../plan/qualified.ts';
import type { Plan, PlanBuffer } from '../plan/types.ts';
import { csvLine } from '../planner/csv-records.ts';

const COLUMNS = ['id', 'lower', 'upper', 'size', 'alignment', 'offset', 'gaps', 'region', 'kind', 'tensors'];

/** One line per buffer; live ranges are half-open, gaps are `first-end:from-to`. */
export function csv(plan: Plan): string {
  return [COLUMNS, ...qualified(plan).buffers.map(cells)].map(csvLine).join('');
}

function cells(buffer: PlanBuffer): string[] {
  const { id, first, end, bytes, alignment, offset, gaps, region, kind, tensors } = buffer;
  return [
    ...[id, first, end, bytes, alignment, offset].map(String),
    gaps.map((gap) => `${gap.first}-${gap.end}:${gap.from}-${gap.to}`).join(' '),
    region,
    kind,
    tensors.join(' '),
  ];
}
