/** The states of a request in the graph: which tensors, and whether they can be states at all. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { formatShape } from '../graph/dims.ts';
import type { TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { State } from '../lifetime/states.ts';
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
