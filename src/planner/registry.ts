/** Every named strategy, one row each. To add one: a file under strategies/ and a row here. */
import { area } from './strategies/area.ts';
import { breadth } from './strategies/breadth.ts';
import { duration } from './strategies/duration.ts';
import { exact } from './strategies/exact.ts';
import { size } from './strategies/size.ts';
import { start } from './strategies/start.ts';
import { urgency } from './strategies/urgency.ts';
import type { Strategy } from './types.ts';

/** In the order in which they are tried and listed. */
export const strategies: readonly Strategy[] = [size, duration, area, urgency, breadth, start, exact];

/** The strategy of that name, or undefined. */
export function findStrategy(name: string): Strategy | undefined {
  return strategies.find((strategy) => strategy.name === name);
}
