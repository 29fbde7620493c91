/** The last look: every tensor that needs memory must have a size that can be known and counted. */
import { type Diagnostic, diagnostic } from '../errors.ts';
import type { DimRanges } from '../graph/dim-range.ts';
import { type Dim, formatShape, isKnown, product, sameDim, symbol, symbolsOf } from '../graph/dims.ts';
import { ELEMENT_BITS } from '../graph/element-type.ts';
import type { Fact, Node } from '../graph/types.ts';
import type { Reason, State } from './state.ts';

/** A tensor that needs memory, and the node that writes it, if any. */
interface Needed {
  readonly tensor: number;
  readonly node: Node | undefined;
}

/**
 * All faults of size and type. One tensor stands for all whose size hangs on the same unknown dimension. What hangs on
 * symbols with a range is bounded.
 */
export function checkSizes(state: State, ranges: DimRanges): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  const byReason = new Map<string, { readonly reason: Reason; readonly first: Needed; count: number }>();
  const shapeless: Needed[] = [];
  for (const needed of neededTensors(state)) {
    const fact = state.facts[needed.tensor];
    const wrong = fact && wrongType(state, needed, fact);
    if (wrong !== undefined) faults.push(wrong);
    else if (fact?.shape === undefined) shapeless.push(needed);
    else if (fact.shape.every(isKnown)) faults.push(...tooLarge(state, needed, fact));
    else {
      for (const [text, reason] of reasonsOf(state, fact, ranges)) {
        const found = byReason.get(text);
        if (found === undefined) byReason.set(text, { reason, first: needed, count: 1 });
        else found.count++;
      }
    }
  }
  for (const { reason, first, count } of byReason.values())
    faults.push(unresolved(state, reason, first, count));
  if (byReason.size === 0)
    faults.push(...rootsOf(state, shapeless).map((needed) => withoutShape(state, needed)));
  return faults;
}

function neededTensors(state: State): readonly Needed[] {
  const { graph } = state;
  const needed: Needed[] = graph.inputs
    .filter((tensor) => !state.constant.has(tensor))
    .map((tensor) => ({ tensor, node: undefined }));
  collect(state, graph.nodes, needed);
  return needed;
}

function collect(state: State, nodes: readonly Node[], into: Needed[]): void {
  for (const node of nodes) {
    if (state.folded.has(node)) continue;
    for (const tensor of node.outputs) if (tensor !== undefined) into.push({ tensor, node });
    for (const body of node.bodies) {
      for (const tensor of body.inputs) into.push({ tensor, node });
      collect(state, body.nodes, into);
    }
  }
}

function wrongType(state: State, { tensor, node }: Needed, fact: Fact): Diagnostic | undefined {
  const what = fact.container === undefined ? fact.type : `${fact.container} of ${fact.type}`;
  if (fact.container === undefined && fact.type !== 'string') return undefined;
  const { name } = state.graph.tensors[tensor]!;
  const origin = node === undefined ? 'a graph input' : `from ${node.op} ${node.label}`;
  return diagnostic('E_TYPE', `Tensor ${name} (${origin}) is a ${what}, which has no static size.`, {
    tensor: name,
    ...(node && { node: node.label }),
    hint: 'Cut the part of the model that handles it off, and feed numbers to the rest.',
  });
}

function tooLarge(state: State, { tensor }: Needed, fact: Fact): readonly Diagnostic[] {
  const elements = product(fact.shape!) as number;
  const bytes = (elements * ELEMENT_BITS[fact.type]) / 8;
  if (bytes <= Number.MAX_SAFE_INTEGER && elements <= Number.MAX_SAFE_INTEGER) return [];
  const { name } = state.graph.tensors[tensor]!;
  const text = `Tensor ${name} (${fact.type}${formatShape(fact.shape)}) is larger than 2^53 bytes, which cannot be counted exactly.`;
  return [diagnostic('E_TOO_LARGE', text, { tensor: name })];
}

/** By text: two dimensions may be unknown for one reason. */
function reasonsOf(state: State, fact: Fact, ranges: DimRanges): ReadonlyMap<string, Reason> {
  const reasons = new Map<string, Reason>();
  for (const dim of fact.shape!) {
    for (const name of symbolsOf(dim)) {
      const reason = ranges.has(name) ? undefined : state.reasons.get(name);
      if (reason !== undefined) reasons.set(`${reason.node.label} ${reason.why}`, reason);
    }
  }
  return reasons;
}

function unresolved(state: State, { node, why }: Reason, first: Needed, count: number): Diagnostic {
  const { name } = state.graph.tensors[first.tensor]!;
  const fact = state.facts[first.tensor]!;
  const more = count > 1 ? ` The sizes of ${count - 1} more tensors depend on it.` : '';
  return diagnostic(
    'E_UNRESOLVED',
    `${node.label} (${node.op}): ${why}, so the size of ${name} (${fact.type}${formatShape(fact.shape)}) cannot be known ` +
      `before the model runs.${more}`,
    { node: node.label, tensor: name, hint: boundHint(state, node, first) },
  );
}

function withoutShape(state: State, { tensor, node }: Needed): Diagnostic {
  const { name } = state.graph.tensors[tensor]!;
  const origin = node === undefined ? 'A graph input' : `${node.label} (${node.op})`;
  const why = state.unranked.get(tensor);
  return diagnostic(
    'E_UNRESOLVED',
    `${origin}: ${why === undefined ? '' : `${why}, so `}not even the rank of ${name} can be known before the model runs.`,
    {
      tensor: name,
      ...(node && { node: node.label, hint: opShapeHint(state, node) }),
    },
  );
}

/** Tensors without a shape whose node reads none of the others. */
function rootsOf(state: State, shapeless: readonly Needed[]): readonly Needed[] {
  const isOpen = (tensor: number | undefined) =>
    tensor !== undefined && state.facts[tensor]?.shape === undefined;
  const roots = shapeless.filter(({ node }) => node === undefined || !node.inputs.some(isOpen));
  return roots.length > 0 ? roots : shapeless.slice(0, 1);
}

/** What to do about a size that depends on one unknown number, or on several. */
function boundHint(state: State, node: Node, { tensor }: Needed): string {
  const { shape = [] } = state.facts[tensor]!;
  const open = shape.filter((dim) => !isKnown(dim));
  const isOne = open.length === 1 && symbolsOf(open[0]!).size === 1;
  const most = isOne ? `--max-size ${state.graph.tensors[tensor]!.name}=N elements, or ` : '';
  return `${most}${opShapeHint(state, node)}; or memory at run time: --emit pool`;
}

/** Where the user knows an upper bound, the flag that says so. */
function opShapeHint(state: State, node: Node): string {
  const outputs = node.outputs.map((tensor) => {
    const fact = tensor === undefined ? undefined : state.facts[tensor];
    return [fact?.type ?? 'float32', ...(fact?.shape ?? []).map((dim) => mostOf(state, dim) ?? 'N')].join(
      ',',
    );
  });
  const open = outputs.some((text) => text.includes(',N'));
  return `--op-shape ${node.label}:${outputs.join('/')} ${open ? 'with' : 'states'} the largest sizes${open ? ' you allow' : ''}`;
}

/** The largest size that a dimension can have, where that is known. */
function mostOf(state: State, dim: Dim): number | undefined {
  if (isKnown(dim)) return dim;
  const [name] = symbolsOf(dim);
  return name !== undefined && sameDim(dim, symbol(name)) ? state.reasons.get(name)?.most : undefined;
}
