/** What is still to be looked at: cheapest first, and of equal cost the latest first, which goes deep. */

export interface Agenda {
  readonly push: (cost: number, state: number) => void;
  /** Takes the next state; undefined when nothing is left. */
  readonly pop: () => { readonly cost: number; readonly state: number } | undefined;
}

export function createAgenda(): Agenda {
  /** Distinct costs, descending: the cheapest is the last. */
  const costs: number[] = [];
  const stacks = new Map<number, number[]>();

  const push = (cost: number, state: number): void => {
    const stack = stacks.get(cost);
    if (stack !== undefined) {
      stack.push(state);
      return;
    }
    stacks.set(cost, [state]);
    let at = costs.length;
    costs.push(cost);
    for (; at > 0 && costs[at - 1]! < cost; at--) costs[at] = costs[at - 1]!;
    costs[at] = cost;
  };

  const pop = (): { cost: number; state: number } | undefined => {
    const cost = costs.at(-1);
    if (cost === undefined) return undefined;
    const stack = stacks.get(cost)!;
    const state = stack.pop()!;
    if (stack.length === 0) {
      stacks.delete(cost);
      costs.pop();
    }
    return { cost, state };
  };

  return { push, pop };
}
