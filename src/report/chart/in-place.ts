/** Names of buffers in a picture that says whose steps are whose. */
import type { Turn } from './turns.ts';

/** Without the name of the model, which stands above the step. */
export function nameInPlace(
  turns: readonly Pick<Turn, 'first' | 'end' | 'prefix'>[],
  first: number,
  name: string,
): string {
  const turn = turns.find((one) => one.first <= first && first < one.end);
  return turn !== undefined && name.startsWith(turn.prefix) ? name.slice(turn.prefix.length) : name;
}
