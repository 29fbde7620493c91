/** A way to share that was tried, and what it costs. */
import { type Cost, costOf, type PlaceUse, placeUses } from './cost.ts';
import type { Scene } from './scene.ts';
import { type Preference, type Sharing, share } from './sharing.ts';
import type { Choice } from './types.ts';

export interface Found {
  readonly preference: Preference;
  readonly sharing: Sharing;
  readonly places: readonly PlaceUse[];
  readonly cost: Cost;
}

export type Evaluate = (preference: Preference) => Found;

export function evaluator(scene: Scene, choices: readonly Choice[]): Evaluate {
  return (preference) => {
    const sharing = share(scene, choices, preference);
    const places = placeUses(scene, sharing);
    return { preference, sharing, places, cost: costOf(places, scene.schedule.steps.length) };
  };
}
