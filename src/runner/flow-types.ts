/** What control flow becomes in a runner: steps between braces, and copies around them. */
import type { Call } from './types.ts';

/** What a control-flow node becomes. */
export interface Flow {
  /** Before all blocks. */
  readonly before: readonly Call[];
  readonly blocks: readonly Block[];
  /** Behind all blocks. */
  readonly behind: readonly Call[];
  /** One past the last step of all blocks. */
  readonly end: number;
}

/** The steps [first, end), which run where the head says so. */
export interface Block {
  /** None: always, once. */
  readonly head?: Head;
  readonly first: number;
  readonly end: number;
  /** Before its steps, and behind them. */
  readonly begin: readonly Call[];
  readonly results: readonly Call[];
}

export type Head =
  | { readonly kind: 'if'; readonly condition: number }
  /** Of the `if` before it. */
  | { readonly kind: 'else' }
  | Turns;

export interface Turns {
  readonly kind: 'turns';
  /** Of the C variable that counts them. */
  readonly counter: string;
  /** A number, or the tensor that holds it; undefined: no bound. */
  readonly most: number | { readonly tensor: number } | undefined;
  /** The tensor that holds whether there is another turn; undefined: there is. */
  readonly condition: number | undefined;
  /** The tensor that the body finds the number of its turn in. */
  readonly number: number | undefined;
}
