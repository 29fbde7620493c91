/** Runs channels-first rules on tensors that keep their channels last. */
import { changedContext } from './context.ts';
import { checkRank, type Shape } from './rules.ts';
import type { OpContext } from './types.ts';

/** [N, H, W, C] as [N, C, H, W]. */
export function toChannelsFirst(shape: Shape): Shape {
  return [shape[0]!, shape.at(-1)!, ...shape.slice(1, -1)];
}

/** [N, C, H, W] as [N, H, W, C]. */
export function toChannelsLast(shape: Shape): Shape {
  return [shape[0]!, ...shape.slice(2), shape[1]!];
}

/**
 * The context with input 0 seen channels first. Rules that run on it answer channels first, so that their shape
 * has to be turned back. Weights stay as they are.
 */
export function channelsFirst(c: OpContext): OpContext {
  const x = c.input(0);
  checkRank(c, x, 3, Infinity);
  if (x.shape === undefined) return c;
  const turned = { ...x, shape: toChannelsFirst(x.shape) };
  return changedContext(c, { input: (position) => (position === 0 ? turned : c.input(position)) });
}
