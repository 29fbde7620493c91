/** Where the plan puts the tensors of a graph: in an arena, with the caller, or among the weights. */
import type { TypedGraph } from '../graph/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { Buffers } from '../lifetime/types.ts';
import type { Plan, PlanTensor } from '../plan/types.ts';
import type { Bytes } from './safe-order.ts';

export type Place =
  | { readonly kind: 'arena'; readonly tensor: PlanTensor; readonly offset: number }
  /** `offset` bytes into a graph input or output that the caller owns. */
  | { readonly kind: 'port'; readonly port: Port; readonly offset: number }
  | { readonly kind: 'constant' };

export interface Port {
  readonly direction: 'input' | 'output';
  readonly position: number;
}

/** Tensors by index in `Graph.tensors`. */
export interface Places {
  readonly of: (tensor: number) => Place | undefined;
  readonly planned: (tensor: number) => PlanTensor | undefined;
  /** Tensor `a` begins `offset` bytes into `b`. */
  readonly coincide: (a: number, b: number, offset: number) => boolean;
  /** The plan has it in its place in a joined tensor: itself, or what it is a view of or was written over. */
  readonly isPart: (tensor: number) => boolean;
  /** The bytes of a tensor in its memory; undefined for a constant. */
  readonly span: (tensor: number) => Bytes | undefined;
  /** Two tensors have a byte in common. */
  readonly overlap: (a: number, b: number) => boolean;
}

/** Of one of the models of a plan. */
export function placesOf(graph: TypedGraph, plan: Plan, { external }: Buffers, model: number): Places {
  const constants = constantTensors(graph);
  const own = plan.tensors.filter((tensor) => tensor.model === model);
  const named = new Map(own.map((tensor) => [tensor.name, tensor]));
  const planned = (tensor: number) => named.get(graph.tensors[tensor]!.name);
  const outside = new Map(external.map((member) => [member.tensor, member]));

  /** The first of each, should one stand there twice. */
  const positions = (tensors: readonly number[]) =>
    new Map(tensors.map((tensor, at) => [tensor, at] as const).toReversed());
  const inputs = positions(graph.inputs.filter((tensor) => !constants.has(tensor)));
  const outputs = positions(graph.outputs);

  function portOf(tensor: number): Port | undefined {
    for (const [direction, all] of [['input', inputs] as const, ['output', outputs] as const]) {
      const position = all.get(tensor);
      if (position !== undefined) return { direction, position };
    }
    return undefined;
  }

  function of(tensor: number): Place | undefined {
    if (constants.has(tensor)) return { kind: 'constant' };
    const found = planned(tensor);
    if (found?.offset != null) return { kind: 'arena', tensor: found, offset: found.offset };
    const member = outside.get(tensor);
    if (member === undefined) return undefined;
    let root = tensor;
    for (let at = member.aliasOf; at !== undefined; at = outside.get(at)?.aliasOf) root = at;
    const port = portOf(root);
    return port && { kind: 'port', port, offset: member.offset };
  }

  function span(tensor: number): Bytes | undefined {
    const place = of(tensor);
    if (place === undefined || place.kind === 'constant') return undefined;
    const memory =
      place.kind === 'arena'
        ? `arena ${place.tensor.region}`
        : `${place.port.direction} ${place.port.position}`;
    return { memory, from: place.offset, to: place.offset + planned(tensor)!.bytes };
  }

  return {
    of,
    planned,
    span,
    isPart(tensor) {
      let at = planned(tensor);
      while (at !== undefined && (at.how === 'view' || at.how === 'in-place'))
        at = named.get(at.aliasOf ?? '');
      return at?.how === 'elided';
    },
    coincide(a, b, offset) {
      const [x, y] = [span(a), span(b)];
      return x !== undefined && x.memory === y?.memory && x.from === y.from + offset;
    },
    overlap(a, b) {
      const [x, y] = [span(a), span(b)];
      return x !== undefined && x.memory === y?.memory && x.from < y.to && y.from < x.to;
    },
  };
}
