/** Tells whether there is anything to order. */
import type { Schedule } from '../lifetime/types.ts';
import { seriesParts } from './parts.ts';

/** The steps of a schedule can run in one order only. Cheap: no sharing is looked at. */
export function hasOneOrder({ steps }: Schedule): boolean {
  const writer = new Map<number, number>();
  const after: Set<number>[] = [];
  for (const { span, reads, writes } of steps) {
    if (span === undefined) after.push(new Set());
    const block = after.length - 1;
    for (const tensor of reads) {
      const before = writer.get(tensor);
      if (before !== undefined && before !== block) after[block]!.add(before);
    }
    for (const tensor of writes) writer.set(tensor, block);
  }
  const bare = after.map((before) => ({ after: [...before], extraBytes: 0, overwrites: [] }));
  const parts = seriesParts({ steps: bare, values: [], baseBytes: 0, startBytes: 0 });
  return parts.length === steps.filter(({ span }) => span === undefined).length;
}
