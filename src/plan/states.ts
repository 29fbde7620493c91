/** The states of a request in the graph: which tensors, and whether they can be states at all. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { formatShape } from '../graph/dims.ts';
import type { TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { State } from '../lifetime/types.ts';
import type { PlanRequest } from './request.ts';

/** Throws E_USAGE for tensors that there are not, and E_RULE for those that cannot be one state, all together. */
export function statesOf(graph: TypedGraph, states: PlanRequest['states']): readonly State[] {
  if (states.length === 0) return [];
  const indexes = new Map(graph.tensors.map(({ name }, index) => [name, index]));
  const faults: Diagnostic[] = [];
  const seen = new Set<string>();
  const found = states.flatMap(({ tensor, from }): State[] => {
    const missing = [tensor, from].filter((name) => name !== undefined && !indexes.has(name));
    for (const name of missing) {
      faults.push(
        diagnostic('E_USAGE', `--state ${name}: the model has no tensor of this name.`, {
          tensor: name!,
          hint: 'memplan shapes MODEL lists the tensors.',
        }),
      );
    }
    if (missing.length > 0) return [];
    const state = { tensor: indexes.get(tensor)!, from: from === undefined ? undefined : indexes.get(from)! };
    const why = seen.has(tensor) ? 'it is named twice' : whyNot(graph, state);
    seen.add(tensor);
    if (why === undefined) return [state];
    const text = `--state ${from === undefined ? '' : `${from}=`}${tensor}: ${why}.`;
    faults.push(diagnostic('E_RULE', text, { tensor }));
    return [];
  });
  const [first, ...others] = faults;
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return found;
}

/**
 * Inputs with several places: values that stay, with room for more of their kind behind them. `line`: whole lines of the
 * cache for each. Throws E_USAGE for inputs that there are not, E_RULE for those whose bytes are the caller's.
 */
export function placesOf(graph: TypedGraph, request: PlanRequest, line: number): readonly State[] {
  const constants = constantTensors(graph);
  const inputs = new Map(
    graph.inputs.filter((tensor) => !constants.has(tensor)).map((t) => [graph.tensors[t]!.name, t]),
  );
  const faults: Diagnostic[] = [];
  const states = [...request.buffers].flatMap(([name, places]): State[] => {
    const say = (code: 'E_USAGE' | 'E_RULE', text: string, hint: string) =>
      void faults.push(diagnostic(code, `--buffers ${name}: ${text}.`, { tensor: name, hint }));
    const tensor = inputs.get(name);
    if (tensor === undefined)
      say('E_USAGE', 'the model has no input of this name', `Its inputs: ${[...inputs.keys()].join(', ')}.`);
    if (request.models.length > 1 || request.buckets.length > 0)
      say('E_USAGE', 'inputs of several models or buckets have one place each', 'Plan them one by one.');
    if (request.io === 'external')
      say('E_RULE', 'the caller owns the bytes of inputs (--io external)', 'Leave out one of the two.');
    if (request.states.some((state) => state.tensor === name))
      say('E_RULE', 'a state keeps its place (--state)', 'Leave out one of the two.');
    return tensor === undefined ? [] : [{ tensor, from: undefined, places, line }];
  });
  const [first, ...others] = faults;
  if (first !== undefined) throw new MemplanError([first, ...others]);
  return states;
}

function whyNot(graph: TypedGraph, { tensor, from }: State): string | undefined {
  const constants = constantTensors(graph);
  const name = (index: number) => graph.tensors[index]!.name;
  for (const one of [tensor, from]) {
    if (one !== undefined && constants.has(one))
      return `${name(one)} is a constant, which keeps its value anyway`;
  }
  if (from === undefined) return undefined;
  if (!graph.inputs.includes(tensor))
    return `${name(tensor)} is no input, so the next run cannot begin with it`;
  const [a, b] = [graph.facts[from], graph.facts[tensor]];
  const text = (fact: typeof a) =>
    fact === undefined ? 'unknown' : `${fact.type}${formatShape(fact.shape)}`;
  return text(a) === text(b) ? undefined : `the one is ${text(a)}, the other ${text(b)}`;
}

/** What a run makes must last to its end, and what just stays must not be written over. */
export function valuesToKeep({ outputs }: TypedGraph, states: readonly State[]): readonly number[] {
  return states.map(({ tensor, from }) => from ?? tensor).filter((tensor) => !outputs.includes(tensor));
}
