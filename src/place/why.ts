/** Says why each buffer lies in its memory. */
import { isAllowed, type Placement, type PlaceProblem, sizeIn } from './types.ts';

/**
 * `home`: everything that may lies in the preferred memory, where it fits. `rule`: rules leave only this memory. `fastest`: none that is allowed is faster. `size`: it is larger than every
 * faster one. `full`: the faster ones are full of buffers with more traffic, or of what fits nowhere else.
 */
export type Why = 'home' | 'rule' | 'fastest' | 'size' | 'full';

export function reasonsOf(
  { buffers, memories }: PlaceProblem,
  { memory }: Placement,
  homeFirst: boolean,
): readonly Why[] {
  return buffers.map((buffer, index): Why => {
    const { rank } = memories[memory[index]!]!;
    const allowed = memories.filter((_, at) => isAllowed(buffer, at));
    if (allowed.length === 1 && memories.length > 1) return 'rule';
    if (homeFirst && memory[index] === 0) return 'home';
    const faster = allowed.filter((other) => other.rank < rank);
    if (faster.length === 0) return 'fastest';
    return faster.every((other) => sizeIn(buffer, other).bytes > other.room) ? 'size' : 'full';
  });
}
