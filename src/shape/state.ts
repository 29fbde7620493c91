/** What inference knows while it walks the graph. The only mutable data of this folder. */
import type { Diagnostic } from '../errors.ts';
import { type Dim, type Symbolic, symbol } from '../graph/dims.ts';
import type { Body, Fact, Graph, Node } from '../graph/types.ts';
import { UNKNOWN } from '../graph/unknown-dims.ts';

export interface State {
  readonly graph: Graph;
  /** By tensor index. */
  readonly facts: (Fact | undefined)[];
  /** Tensors whose elements do not depend on the graph inputs. */
  readonly constant: Set<number>;
  readonly folded: Set<Node>;
  /** Bodies that never run. */
  readonly dead: Set<Body>;
  /** How many postponed values the value of a tensor waits for. */
  readonly depths: Map<number, number>;
  /** Why dimensions are unknown, by symbol. */
  readonly reasons: Map<string, Reason>;
  /** Why the rank of a tensor is unknown. */
  readonly unranked: Map<number, string>;
  /** What unknown dimensions turned out to be, by symbol. */
  readonly solved: Map<string, Dim>;
  /** The largest sizes of unknown dimensions, by symbol. */
  readonly bounds: Map<string, Bound>;
  /** What the file says of unknown dimensions is believed: nothing is planned. */
  readonly open: boolean;
  /** Which body is being inferred: what holds inside one need not hold outside, where it may not run. */
  readonly scope: { current: number; last: number };
  readonly faults: Diagnostic[];
  /** Warnings and notes by their text: a body that is inferred several times says them once. */
  readonly remarks: Map<string, Diagnostic>;
  readonly budget: Budget;
}

export interface Reason {
  readonly node: Node;
  readonly why: string;
  /** Its largest size, where that is known. */
  readonly most: number | undefined;
  readonly scope: number;
}

/** The most that a dimension can be: the user states it, the file declares it, or it is the larger of two. */
export interface Bound {
  readonly most: Dim;
  /** `follows`: whatever is said of the sizes that it is the larger of. */
  readonly source: 'stated' | 'declared' | 'larger' | 'follows';
}

/** What is left of counted work, so that a hostile file ends in bounded time. */
export interface Budget {
  /** Elements of folded values. */
  elements: number;
  /** Nodes of control-flow bodies, counted once per turn. */
  turns: number;
}

export function startState(graph: Graph, open: boolean): State {
  return {
    graph,
    facts: new Array<Fact | undefined>(graph.tensors.length).fill(undefined),
    constant: new Set(),
    folded: new Set(),
    dead: new Set(),
    depths: new Map(),
    reasons: new Map(),
    unranked: new Map(),
    solved: new Map(),
    bounds: new Map(),
    open,
    scope: { current: 0, last: 0 },
    faults: [],
    remarks: new Map(),
    budget: { elements: 2 ** 26, turns: 2 ** 20 },
  };
}

export function remark(state: State, diagnostic: Diagnostic): void {
  state.remarks.set(diagnostic.text, diagnostic);
}

/** A symbol for a dimension that `node` leaves unknown. */
export function unknownDim(state: State, why: string, node: Node, most?: number): Symbolic {
  const name = `${UNKNOWN}${state.reasons.size + 1}`;
  state.reasons.set(name, { node, why, most, scope: state.scope.current });
  return symbol(name);
}
