/** Every named strategy, one row each. To add one: a file under strategies/ and a row here. */
import { area } from './strategies/area.ts';
import { breadth } from './strategies/breadth.ts';
import { colouring } from './strategies/colouring.ts';
import { duration } from './strategies/duration.ts';
import { exact, shortExact } from './strategies/exact.ts';
import { hillClimb } from './strategies/hill-climb.ts';
import { pingPong } from './strategies/ping-pong.ts';
import { coalescingPool, pool } from './strategies/pool.ts';
import { rocks } from './strategies/rocks.ts';
import { size } from './strategies/size.ts';
import { skyline } from './strategies/skyline.ts';
import { start } from './strategies/start.ts';
import { sweepFit } from './strategies/sweep-fit.ts';
import { twoEnded } from './strategies/two-ended.ts';
import { urgency } from './strategies/urgency.ts';
import { weight } from './strategies/weight.ts';
import { windows } from './strategies/windows.ts';
import type { Strategy } from './strategy.ts';

/** What `auto` tries, in this order, until one meets the bound. */
export const portfolio: readonly Strategy[] = [
  size,
  urgency,
  shortExact,
  weight,
  rocks,
  duration,
  area,
  breadth,
  sweepFit,
  twoEnded,
  exact,
  windows,
  hillClimb,
  start,
  skyline,
];

/** All of them: the portfolio, and those that are there to compare with. */
export const strategies: readonly Strategy[] = [
  ...portfolio.filter((strategy) => strategy !== shortExact),
  ...[colouring, pool, coalescingPool, pingPong],
];

/** The strategy of that name, or undefined. */
export function findStrategy(name: string): Strategy | undefined {
  return strategies.find((strategy) => strategy.name === name);
}
