/** Finds the parts of a buffer that are free for a time: not yet written, or not read any more. */
import type { Gap } from '../planner/types.ts';

export type { Gap };

/** A tensor in a place: bytes [offset, offset + bytes) during [first, end). */
export interface Tenant {
  readonly first: number;
  readonly end: number;
  readonly offset: number;
  readonly bytes: number;
}

interface Used {
  readonly first: number;
  readonly end: number;
  /** Bytes of the buffer, padding included. */
  readonly bytes: number;
  readonly tenants: readonly Tenant[];
}

/** Tensors looked at, once for each stretch of bytes that they hold: thousands one inside the other are not worth more. */
const MAX_LOOKS = 2_000_000;

/**
 * Stretches of bytes that no tensor holds, as long as no tensor holds them, without overlaps; none where tensors lie in
 * one another so often that it would take too long to look. `raw`: bytes of the tensor that owns it. Padding belongs to the last stretch, but `slack` bytes
 * behind the place are never free.
 */
export function gapsOf({ first, end, bytes, tenants }: Used, raw: number, slack: number): readonly Gap[] {
  const cuts = [...new Set([0, raw, ...tenants.flatMap(({ offset, bytes }) => [offset, offset + bytes])])];
  cuts.sort((a, b) => a - b);
  const gaps = createGaps();
  // Walked along the bytes with those that hold them: a Split may have a hundred thousand parts.
  const coming = tenants.filter((one) => one.bytes > 0).sort((a, b) => a.offset - b.offset);
  let holders: readonly Tenant[] = [];
  let next = 0;
  let looks = 0;
  for (let k = 0; k + 1 < cuts.length; k++) {
    const [from, to] = [cuts[k]!, cuts[k + 1]!];
    const staying = holders.filter(({ offset, bytes }) => from < offset + bytes);
    for (; next < coming.length && coming[next]!.offset <= from; next++) staying.push(coming[next]!);
    holders = staying;
    looks += holders.length;
    if (looks > MAX_LOOKS) return [];
    const reach = to === raw && slack === 0 ? bytes : to;
    for (const pause of pauses(holders, first, end)) gaps.add({ ...pause, from, to: reach });
  }
  return gaps.all;
}

/** The steps of [first, end) during which none of the tensors is alive. */
function pauses(
  holders: readonly Tenant[],
  first: number,
  end: number,
): readonly { readonly first: number; readonly end: number }[] {
  const found: { first: number; end: number }[] = [];
  let reached = first;
  for (const holder of [...holders].sort((a, b) => a.first - b.first)) {
    if (holder.first > reached) found.push({ first: reached, end: holder.first });
    reached = Math.max(reached, holder.end);
  }
  if (reached < end) found.push({ first: reached, end });
  return found;
}

/** Where a gap goes on from one below that is free at the same time, they are one. */
function createGaps() {
  const all: Gap[] = [];
  /** By the steps, and the byte at which it ends. */
  const places = new Map<string, number>();
  const add = (gap: Gap): void => {
    const time = `${gap.first}-${gap.end}`;
    const at = places.get(`${time}:${gap.from}`);
    if (at !== undefined) all[at] = { ...all[at]!, to: gap.to };
    places.set(`${time}:${gap.to}`, at ?? all.push(gap) - 1);
  };
  return { all, add };
}
