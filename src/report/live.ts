/** Which buffers are live at a step, and how many bytes each of them holds there. */

import type { Plan, PlanBuffer, PlanTensor } from '../plan/types.ts';
import { printable } from './text.ts';

export interface LiveBuffer {
  readonly buffer: PlanBuffer;
  /** Its bytes at this step: those of the buffer less the parts that are free at the time. */
  readonly bytes: number;
  /** Its tensors that are live at this step, the largest first, of equals the one that came first. */
  readonly tensors: readonly PlanTensor[];
}

/** The buffers live at a step, the largest first, then by id. */
export function liveAt(plan: Plan, step: number): readonly LiveBuffer[] {
  const members = new Map<number, PlanTensor[]>();
  for (const tensor of plan.tensors) {
    if (tensor.buffer === null || step < tensor.first || step >= tensor.end) continue;
    const list = members.get(tensor.buffer);
    if (list === undefined) members.set(tensor.buffer, [tensor]);
    else list.push(tensor);
  }
  return plan.buffers
    .filter(({ first, end }) => first <= step && step < end)
    .map((buffer) => ({
      buffer,
      bytes: buffer.bytes - freeBytes(buffer, step),
      tensors: (members.get(buffer.id) ?? []).sort((a, b) => b.bytes - a.bytes || a.first - b.first),
    }))
    .sort((a, b) => b.bytes - a.bytes || a.buffer.id - b.buffer.id);
}

/** A buffer in the words of reports: its largest tensor, what it copies, or its kind. */
export function liveName({ buffer, tensors: [main] }: LiveBuffer): string {
  if (main !== undefined) return printable(main.name);
  return buffer.kind === 'copy' ? `copy of ${printable(buffer.tensors[0]!)}` : buffer.kind;
}

/** Bytes of the buffer that its gaps leave free at a step; gaps may overlap. */
function freeBytes(buffer: PlanBuffer, step: number): number {
  const gaps = buffer.gaps
    .filter(({ first, end }) => first <= step && step < end)
    .sort((a, b) => a.from - b.from || a.to - b.to);
  let free = 0;
  let reached = 0;
  for (const { from, to } of gaps) {
    free += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return free;
}
