/** What every strategy offers: the interface of the files under strategies/. */
import type { Prepared } from './prepare.ts';
import type { SolveOptions } from './types.ts';

/** A way to plan, one file each under strategies/. */
export interface Strategy {
  readonly name: string;
  /** One sentence for help and docs. */
  readonly about: string;
  /** Time in the number of buffers n, in words or O-notation. */
  readonly cost: string;
  /** Where it comes from: paper, system. */
  readonly source: string;
  /** Roughly how many elementary steps it takes here; `auto` leaves out what is beyond its means. */
  readonly work: (problem: Prepared) => number;
  /** Offsets by buffer index, or why the strategy does not apply (pins, branches, size ...). */
  readonly place: (
    problem: Prepared,
    options: SolveOptions,
    /** The best plan so far, for strategies that improve one. */
    incumbent?: ArrayLike<number>,
  ) => Placement | Refusal;
}

export interface Refusal {
  /** A clause for a message: what stands in the way. */
  readonly refused: string;
}

export interface Placement {
  readonly offsets: ArrayLike<number>;
  /** Set by exact strategies that have proved a bound above the trivial one. */
  readonly provedBound?: number | undefined;
  readonly nodes?: number | undefined;
}
