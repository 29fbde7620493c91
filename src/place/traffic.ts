/** How many bytes of each buffer a run reads and writes. */
import type { JointBuffers, Member, Schedule } from '../lifetime/types.ts';

/**
 * Bytes by index of the buffer: a step counts what it reads and what it writes once, and its scratch twice (written,
 * then read). Views and elided copies move nothing. The steps of a loop's body count once, since how often it turns
 * is not known.
 */
export function trafficOf(schedules: readonly Schedule[], joint: JointBuffers): readonly number[] {
  const traffic = new Array<number>(joint.buffers.length).fill(0);
  schedules.forEach((schedule, model) => {
    addTraffic(schedule, placesOf(joint, model), traffic);
  });
  return traffic;
}

/** The tensors of one model, by index. */
type Places = ReadonlyMap<number, { readonly member: Member; readonly buffer: number }>;

function placesOf({ buffers }: JointBuffers, model: number): Places {
  const places = new Map<number, { readonly member: Member; readonly buffer: number }>();
  buffers.forEach(({ members }, buffer) => {
    for (const member of members) if (member.model === model) places.set(member.tensor, { member, buffer });
  });
  return places;
}

function addTraffic({ steps }: Schedule, places: Places, traffic: number[]): void {
  const count = (tensor: number, times = 1): void => {
    const place = places.get(tensor);
    if (place !== undefined) traffic[place.buffer]! += times * place.member.bytes;
  };
  for (const { reads, writes, scratch } of steps) {
    for (const tensor of scratch) count(tensor, 2);
    /** A tensor that lies in the bytes of one of `others`, and so is not moved. */
    const lies = (tensor: number, others: readonly number[]): boolean => {
      const member = places.get(tensor)?.member;
      if (member === undefined || (member.how !== 'view' && member.how !== 'elided')) return false;
      return member.aliasOf !== undefined && others.includes(member.aliasOf);
    };
    const written = writes.filter((tensor) => !lies(tensor, reads));
    if (written.length === 0 && writes.length > 0) continue;
    const still = reads.filter((tensor) => lies(tensor, writes));
    for (const tensor of written) count(tensor);
    for (const tensor of reads) if (!still.includes(tensor)) count(tensor);
    // What already lies in a result is not written again.
    for (const tensor of still) {
      const { member, buffer } = places.get(tensor)!;
      if (written.includes(member.aliasOf!)) traffic[buffer]! -= member.bytes;
    }
  }
}
