/** Inlining a local function: the scope of one call, and what ties its outputs to those of the call. */
import type { Node } from '../graph/types.ts';
import type { Bound, Draft, Surroundings } from './draft.ts';
import { factOf } from './facts.ts';
import type { LocalFunction } from './functions.ts';
import { MAX_CALL_DEPTH } from './limits.ts';
import { joined, labelOf, newScope, resolve } from './names.ts';

/** A node that calls a function. */
export interface CallSite {
  readonly label: string;
  readonly inputs: readonly (number | undefined)[];
  readonly outputs: readonly (number | undefined)[];
  readonly bound: ReadonlyMap<string, Bound>;
}

/** A call that is being inlined. */
export interface Call {
  readonly called: LocalFunction;
  readonly label: string;
  readonly surroundings: Surroundings;
  /** Outputs that the function hands through from an input or an earlier output. */
  readonly copies: readonly { readonly name: string; readonly to: number }[];
}

/**
 * Binds the names of a function's inputs and outputs to the tensors of the call; its own tensors are named after
 * the call. Undefined after a fault: a function that calls itself, or an input too many.
 */
export function openCall(
  called: LocalFunction,
  { label, inputs, outputs, bound }: CallSite,
  surroundings: Surroundings,
  draft: Draft,
): Call | undefined {
  const { title, proto } = called;
  const calls = [...surroundings.calls, called];
  if (surroundings.calls.includes(called)) {
    draft.faults.add(
      'E_CYCLE',
      `The function ${title} calls itself: ${calls.map((c) => c.title).join(' -> ')}.`,
      { node: label },
    );
    return undefined;
  }
  const formal = proto.input ?? [];
  if (inputs.length > formal.length || calls.length > MAX_CALL_DEPTH) {
    const text =
      inputs.length > formal.length
        ? `The node ${label} passes ${inputs.length} inputs to the function ${title}, which takes ${formal.length}.`
        : `The node ${label} calls functions more than ${MAX_CALL_DEPTH} deep.`;
    draft.faults.add('E_MODEL', text, { node: label });
    return undefined;
  }
  const scope = newScope(label, undefined, (name, tensor) =>
    factOf(called.valueInfo.get(name)?.type, tensor, draft.faults, (dim) => joined(label, dim)),
  );
  formal.forEach((name, i) => {
    scope.names.set(name, { tensor: inputs[i], maker: `the input ${i} of the function ${title}` });
  });
  const copies: { name: string; to: number }[] = [];
  (proto.output ?? []).forEach((name, i) => {
    const to = outputs[i];
    if (to === undefined) return;
    if (scope.names.has(name)) copies.push({ name, to });
    else scope.names.set(name, { tensor: to, maker: undefined });
  });
  const references = new Map<string, Bound>();
  for (const [name, value] of called.defaults) references.set(name, { proto: value, surroundings });
  for (const [name, value] of bound) references.set(name, value);
  return { called, label, surroundings: { scope, references, opsets: called.opsets, calls }, copies };
}

/** Checks that every output of the function is produced, and returns Identity nodes for those handed through. */
export function closeCall(call: Call, draft: Draft): Node[] {
  const { called, label, surroundings, copies } = call;
  const { scope } = surroundings;
  for (const name of called.proto.output ?? []) {
    if (scope.names.get(name)?.maker !== undefined) continue;
    const text = `The function ${called.title} does not produce its output ${name}.`;
    draft.faults.add('E_DANGLING', text, { node: label, tensor: name });
  }
  return copies.map(({ name, to }, i): Node => {
    const index = (called.proto.node?.length ?? 0) + i;
    const from = resolve(scope, name);
    if (typeof from !== 'number') {
      const text = `The function ${called.title} hands its input ${name} through, but the node ${label} omits it.`;
      draft.faults.add('E_DANGLING', text, { node: label, tensor: name });
    }
    const opset = surroundings.opsets.get('');
    return {
      name: '',
      label: labelOf(draft, scope, { name: `Identity of ${name}` }, index),
      index,
      op: 'Identity',
      domain: '',
      ...(opset === undefined || opset === draft.opsets.get('') ? {} : { opset }),
      attributes: new Map(),
      inputs: [typeof from === 'number' ? from : undefined],
      outputs: [to],
      bodies: [],
    };
  });
}
