/** Where models stand on the one axis of steps. */
import type { LaidModel, Part } from './types.ts';

export interface Axis {
  /** The first step of each model. */
  readonly starts: readonly number[];
  readonly steps: number;
  /** The steps [first, end) of a model, and of the part that it belongs to. */
  readonly model: (index: number) => Stretch;
  readonly part: (model: number) => Stretch;
}

export interface Stretch {
  readonly first: number;
  readonly end: number;
}

export function axisOf(models: readonly LaidModel[], parts: readonly Part[]): Axis {
  const starts: number[] = [];
  let steps = 0;
  for (const { schedule } of models) {
    starts.push(steps);
    steps += schedule.steps.length;
  }
  const model = (index: number): Stretch => {
    return { first: starts[index]!, end: starts[index]! + models[index]!.schedule.steps.length };
  };
  const partOf = new Map(parts.flatMap((part) => part.models.map((one) => [one, part] as const)));
  return {
    starts,
    steps,
    model,
    part: (index) => {
      const own = partOf.get(index)!.models;
      return { first: model(own[0]!).first, end: model(own.at(-1)!).end };
    },
  };
}
