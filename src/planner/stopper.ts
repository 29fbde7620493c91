/** Lets a search be ended from outside, at the price of one call per node. */
import type { SolveOptions } from './types.ts';

/** Searches ask after so many nodes: some milliseconds. */
const EVERY = 256;

/** True from the moment on that somebody wants the search to end. */
export type Stopper = () => boolean;

export const neverStopped: Stopper = () => false;

export function createStopper({ interrupted }: SolveOptions): Stopper {
  if (interrupted === undefined) return neverStopped;
  let calls = 0;
  let stopped = false;
  return () => {
    if (!stopped && ++calls % EVERY === 0) stopped = interrupted();
    return stopped;
  };
}
