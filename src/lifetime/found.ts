/** A way to share that was tried, and what it costs. */
import { type Cost, costOf } from './cost.ts';
import type { Scene } from './scene.ts';
import { type Preference, type Sharing, share } from './sharing.ts';
import type { Choice } from './types.ts';

export interface Found {
  readonly preference: Preference;
  readonly sharing: Sharing;
  readonly cost: Cost;
}

export type Evaluate = (preference: Preference) => Found;

export function evaluator(scene: Scene, choices: readonly Choice[]): Evaluate {
  return (preference) => {
    const sharing = share(scene, choices, preference);
    return { preference, sharing, cost: costOf(scene, sharing) };
  };
}
