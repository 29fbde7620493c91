/** How long work looks from outside while it goes on. Nobody need look, and no result depends on who does. */
import { type Diagnostic, diagnostic } from './errors.ts';

export interface Work {
  /** In words: `inferring shapes`. */
  readonly doing: string;
  /** The smallest arena so far, in bytes, and what no arena can be below; where a search knows them. */
  readonly bytes?: number;
  readonly lowerBound?: number;
  /** Parts done, and all of them; where they can be counted. */
  readonly done?: number;
  readonly all?: number;
}

/** Called now and then; true asks a search to end with the best it has. All other work goes on. */
export type Observe = (work: Work) => boolean;

/** What the stages see of an observer. */
export interface Lookout {
  readonly tell: (work: Work) => void;
  /** For searches: true when they should end. */
  readonly ends: (work: Work) => boolean;
  /** What a plan must say when a search was ended. */
  readonly diagnostics: () => readonly Diagnostic[];
}

export function createLookout(observe: Observe = () => false): Lookout {
  let ended = false;
  return {
    tell: observe,
    ends: (work) => {
      ended ||= observe(work);
      return ended;
    },
    diagnostics: () => (ended ? [interruptedWarning()] : []),
  };
}

export function interruptedWarning(): Diagnostic {
  const text =
    'The search was interrupted: this is the best plan it had by then. It is checked like any other, but a whole ' +
    'search may find a smaller one, and gives the same one each time.';
  return diagnostic('W_INTERRUPTED', text, { hint: 'Let it finish, or bound it with --effort N.' });
}

/** Turns of a loop between two words about it. */
const EVERY = 1024;

/** To be called once a turn of a loop of `all` turns. */
export function counting({ tell }: Pick<Lookout, 'tell'>, doing: string, all: number): () => void {
  let done = 0;
  return () => {
    if (++done % EVERY === 0) tell({ doing, done, all });
  };
}
