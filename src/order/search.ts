/** Finds an order of minimal peak, or shows that there is none below a ceiling. */
import { createAgenda } from './agenda.ts';
import type { Prepared } from './prepare.ts';
import { createSettle } from './settle.ts';
import { createStates } from './states.ts';
import { createWalk, type Direction, type Walk } from './walk.ts';

/** Room for the sets seen, in words of 32 bits. */
const MOST_WORDS = 2 ** 25;

export interface Search {
  /**
   * Goes on, up to so many moves in all, looking for an order with a peak below the ceiling, in bytes. The ceiling
   * may fall from call to call.
   */
  readonly advance: (moves: number, ceiling: number) => void;
  /** Nothing is left to look at: there is an order, or there is none below the ceiling. */
  readonly finished: () => boolean;
  /** An order with the smallest peak, or with the floor if that is larger; undefined: none is found. */
  readonly order: () => readonly number[] | undefined;
  /** Above the floor: no order has a smaller peak than this. */
  readonly lowerBound: () => number;
  /** Steps tried so far: the measure of effort. */
  readonly moves: () => number;
}

/**
 * Dynamic programming over the sets of steps that may have run (Ahn et al. 2020), from the beginning of the order or
 * from its end (Liberis and Lane 2019), explored by rising budget, from the floor on: a set is entered only if the
 * budget of the moment allows it, and when nothing is left the budget rises to the smallest need that was refused.
 * So the first complete order is a best one, and sets beyond its peak are never looked at. Steps that `settle` shows
 * to be safe are taken without branching.
 */
export function createSearch(prepared: Prepared, direction: Direction, floor: number): Search {
  const walk = createWalk(prepared, direction);
  const settle = createSettle(walk);
  const states = createStates(walk.taken.length);
  const agenda = createAgenda();
  const room = MOST_WORDS / walk.taken.length;
  /** By state: steps that need no more than this have been followed. */
  const followed: number[] = [];
  let order: readonly number[] | undefined;
  let lowerBound = floor;
  let finished = false;
  agenda.push(floor, states.add(walk.taken, -1, []));

  const advance = (moves: number, ceiling: number): void => {
    while (!finished && walk.moves() < moves && states.count() < room) {
      const item = agenda.pop();
      lowerBound = Math.min(item?.cost ?? ceiling, ceiling);
      finished = item === undefined || item.cost >= ceiling || expand(item.state, item.cost, moves);
    }
  };

  /** True when the order is complete. */
  const expand = (from: number, budget: number, moves: number): boolean => {
    walk.goTo(states.bits(), from * walk.taken.length);
    const path: number[] = [];
    settle(budget, path, moves);
    const state = path.length === 0 ? from : states.add(walk.taken, from, path);
    if (state !== from && !states.isNew()) return false;
    if (walk.size() === prepared.count) {
      const whole = states.path(state);
      order = direction === 'forward' ? whole : whole.reverse();
      return true;
    }
    const { steps, nextCost } = choices(walk, followed[state] ?? Number.NEGATIVE_INFINITY, budget);
    followed[state] = budget;
    if (nextCost < Number.POSITIVE_INFINITY) agenda.push(nextCost, state);
    for (const step of steps) {
      walk.take(step);
      const child = states.add(walk.taken, state, [step]);
      if (states.isNew()) agenda.push(budget, child);
      walk.drop(step);
    }
    return false;
  };

  return {
    advance,
    finished: () => finished,
    order: () => order,
    lowerBound: () => lowerBound,
    moves: walk.moves,
  };
}

/** Ready steps that the budget allows and the last one did not, the most promising last; and the next budget. */
function choices(walk: Walk, followed: number, budget: number): { steps: number[]; nextCost: number } {
  const steps: { step: number; change: number }[] = [];
  let nextCost = Number.POSITIVE_INFINITY;
  for (let step = walk.nextReady(0); step >= 0; step = walk.nextReady(step + 1)) {
    const bytes = walk.during(step);
    if (bytes > budget) nextCost = Math.min(nextCost, bytes);
    else if (bytes > followed) steps.push({ step, change: walk.change(step) });
  }
  steps.sort((a, b) => b.change - a.change || b.step - a.step);
  return { steps: steps.map(({ step }) => step), nextCost };
}
