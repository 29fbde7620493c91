/** Says what no way to share can fall below. */
import { bufferBytes } from './cost.ts';
import type { Scene } from './scene.ts';
import type { Preference } from './sharing.ts';
import type { Choice } from './types.ts';

/**
 * No way to share that these candidates allow has a smaller peak: at each step the contents that are still needed,
 * views of one another counted once, and what is written if nothing can take it in.
 */
export function leastBytes(scene: Scene, choices: readonly Choice[], allowed: Preference): number {
  const { lives, sizes, external, schedule } = scene;
  const content = new Map<number, number>();
  const mayOverwrite = new Set<number>();
  const joinedAt = new Map<number, number>();
  choices.forEach(({ output }, index) => {
    for (const { kind, source, step } of allowed[index]!) {
      const owner = content.get(output) ?? output;
      if (kind === 'in-place') mayOverwrite.add(output);
      else if (kind === 'concat') joinedAt.set(owner, Math.min(step, joinedAt.get(owner) ?? step));
      else content.set(output, content.get(source) ?? source);
    }
  });
  const spans = new Map<number, { first: number; end: number }>();
  lives.ranges.forEach((alive, tensor) => {
    const owner = content.get(tensor) ?? tensor;
    if (alive === undefined || external.has(owner)) return;
    if (sizes.get(owner)!.bytes !== sizes.get(tensor)!.bytes) return;
    const span = spans.get(owner) ?? alive;
    spans.set(owner, { first: Math.min(span.first, alive.first), end: Math.max(span.end, alive.end) });
  });
  const deltas = new Float64Array(schedule.steps.length + 2);
  for (const [owner, { first, end }] of spans) {
    // What may lie inside another tensor needs no padding of its own, and from the step of its Concat on a part is
    // counted with the whole.
    const joined = joinedAt.get(owner);
    const isInside = joined !== undefined || mayOverwrite.has(owner);
    const bytes = isInside ? sizes.get(owner)!.bytes : bufferBytes(scene, owner);
    // What a loop hands on lives before it is written, perhaps in the bytes of the operand that it overwrites.
    const start = mayOverwrite.has(owner) ? lives.definedAt[owner]! + 1 : first;
    deltas[start]! += bytes;
    deltas[Math.max(start, Math.min(end, joined ?? end))]! -= bytes;
  }
  let [live, most] = [0, 0];
  for (const delta of deltas) {
    live += delta;
    most = Math.max(most, live);
  }
  return most;
}
