/** Lists the weights that inference reads. */
import { fail } from '../errors.ts';
import { isKnown } from '../graph/dims.ts';
import { tensorBytes } from '../graph/element-type.ts';
import type { Fact, TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { Schedule } from '../lifetime/types.ts';
import type { PlanConstant } from './types.ts';

/**
 * Constants that a step reads, in the order of the steps, then results that are constant. Initializers that only
 * folded nodes read are not among them: what those nodes give is. Throws E_TYPE for
 * constants without a size, and E_TOO_LARGE.
 */
export function planConstants(graph: TypedGraph, schedule: Schedule, model: number): readonly PlanConstant[] {
  const constants = constantTensors(graph);
  const used = new Set<number>();
  const use = (tensors: readonly (number | undefined)[] = []): void => {
    for (const tensor of tensors) if (tensor !== undefined && constants.has(tensor)) used.add(tensor);
  };
  for (const { node } of schedule.steps) {
    use(node.inputs);
    use(node.group?.parameters);
    for (const { outputs } of node.bodies) use(outputs);
  }
  use(graph.outputs);
  return [...used].map((tensor) => constantOf(graph, tensor, model));
}

function constantOf(graph: TypedGraph, tensor: number, model: number): PlanConstant {
  const { name, constant } = graph.tensors[tensor]!;
  const fact: Pick<Fact, 'type' | 'shape'> | undefined = constant ?? graph.facts[tensor];
  const { type, shape } = fact ?? {};
  const known = shape?.every(isKnown) ? shape : undefined;
  const elements = known?.reduce((a, b) => a * b, 1);
  const bytes = type === undefined || elements === undefined ? undefined : tensorBytes(type, elements);
  if (type === undefined || known === undefined || bytes === undefined) {
    return fail('E_TYPE', `Constant ${name} has no static size.`, { tensor: name });
  }
  if (!Number.isSafeInteger(bytes)) {
    return fail(
      'E_TOO_LARGE',
      `Constant ${name} is larger than 2^53 bytes, which cannot be counted exactly.`,
      {
        tensor: name,
      },
    );
  }
  return { model, name, type, shape: known, bytes, place: 'flash' };
}
