/** Finds a good order fast: keeps the most promising sets of steps of each size. */
import type { Prepared } from './prepare.ts';
import { createSettle } from './settle.ts';
import { createStates } from './states.ts';
import { createWalk, type Direction } from './walk.ts';

export interface Beam {
  /** An order with a peak below the ceiling, if the beam comes to one. */
  readonly order: readonly number[] | undefined;
  readonly moves: number;
}

/** The better is the one with the smaller peak so far, then with fewer bytes needed at the moment. */
interface Candidate {
  readonly state: number;
  readonly peak: number;
  readonly live: number;
}

export interface BeamLimits {
  /** Sets kept of each size. */
  readonly width: number;
  /** Only orders with a smaller peak are wanted, in bytes. */
  readonly ceiling: number;
  readonly moves: number;
}

export function beamOrder(prepared: Prepared, direction: Direction, limits: BeamLimits): Beam {
  const { width, ceiling, moves } = limits;
  const walk = createWalk(prepared, direction);
  const settle = createSettle(walk);
  const words = walk.taken.length;
  const states = createStates(words);
  const levels: Candidate[][] = Array.from({ length: prepared.count + 1 }, () => []);
  const arrive = (parent: number, peak: number, path: number[]): void => {
    settle(peak, path, moves);
    const state = states.add(walk.taken, parent, path);
    if (states.isNew()) levels[walk.size()]!.push({ state, peak, live: walk.live() });
  };
  arrive(-1, 0, []);
  for (const level of levels) {
    level.sort((a, b) => a.peak - b.peak || a.live - b.live || a.state - b.state);
    for (const { state, peak } of level.splice(0).slice(0, width)) {
      walk.goTo(states.bits(), state * words);
      if (walk.size() === prepared.count) {
        const path = states.path(state);
        return { order: direction === 'forward' ? path : path.reverse(), moves: walk.moves() };
      }
      for (let step = walk.nextReady(0); step >= 0; step = walk.nextReady(step + 1)) {
        const needed = Math.max(peak, walk.during(step));
        if (needed >= ceiling) continue;
        if (walk.moves() > moves) return { order: undefined, moves: walk.moves() };
        walk.take(step);
        arrive(state, needed, [step]);
        walk.goTo(states.bits(), state * words);
      }
    }
  }
  return { order: undefined, moves: walk.moves() };
}
