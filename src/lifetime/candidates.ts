/** Lists which tensors might share bytes with which, judged by each pair alone. */
import { isKnown, sameDim } from '../graph/dims.ts';
import { ELEMENT_BITS, elementWidth } from '../graph/element-type.ts';
import type { Node } from '../graph/types.ts';
import type { Contract, KernelLibrary } from '../kernels/types.ts';
import { findRow } from '../ops/registry.ts';
import { settledContext } from '../ops/settled.ts';
import { permutationOf } from '../ops/transpose.ts';
import type { View } from '../ops/types.ts';
import { constantTensors } from './constants.ts';
import { joins, sameQuant } from './joins.ts';
import { staysInLayout, stretchStart } from './layout.ts';
import { alignmentOf, isLocked, type Scene } from './scene.ts';
import type { Sized } from './sizes.ts';
import type { Candidate, Choice, Step } from './types.ts';

/**
 * Choices in the order of the steps. Left out is what no other choice could make legal:
 * outputs whose place is fixed from outside, operands of another size, shape or element width, operands that are
 * read later, must survive, come twice, or come round again in a loop; parts that are no stretch of the whole.
 */
export function aliasChoices(scene: Scene, kernels: KernelLibrary): readonly Choice[] {
  const { graph, schedule, options, external, outputs } = scene;
  const kernelScene = { graph, constants: constantTensors(graph) };
  const fixed = new Set(options.asyncIo ? [...external, ...outputs] : external);
  const choices: Choice[] = [];
  for (const step of schedule.steps) {
    const found = [
      options.views ? views(scene, step, 'view') : NONE,
      options.elide ? views(scene, step, 'split') : NONE,
      options.inPlace ? inPlace(scene, step, kernels.contract(kernelScene, step.node)) : NONE,
    ];
    for (const [output, candidates] of byOutput(found, step.writes)) {
      if (candidates.length > 0 && !fixed.has(output)) choices.push({ output, candidates });
    }
    if (!options.elide) continue;
    for (const part of joins(scene, step)) choices.push({ output: part.output, candidates: [part] });
  }
  return choices;
}

const NONE: readonly never[] = [];

/** In the order of the outputs; asked once for each, because a Split may have a hundred thousand. */
function byOutput(
  found: readonly (readonly Candidate[])[],
  outputs: readonly number[],
): Iterable<readonly [output: number, readonly Candidate[]]> {
  if (found.every((list) => list.length === 0)) return NONE;
  const lists = new Map<number, Candidate[]>(outputs.map((output) => [output, []]));
  for (const list of found) for (const one of list) lists.get(one.output)?.push(one);
  return lists;
}

function views(scene: Scene, { step, node, reads }: Step, kind: 'view' | 'split'): readonly Candidate[] {
  const row = findRow(node.domain, node.op);
  const rule = kind === 'view' ? row?.views : row?.splits;
  if (rule === undefined) return NONE;
  const facts = node.outputs.map((output) => (output === undefined ? undefined : scene.graph.facts[output]));
  return rule(settledContext(scene.graph, node), facts).flatMap((view: View) => {
    const output = node.outputs[view.output];
    const source = node.inputs[view.input];
    if (output === undefined || source === undefined || !reads.includes(source)) return [];
    const { fact, bytes } = scene.sizes[output]!;
    const start = startOf(scene, node, { source, output, starts: view.starts });
    if (start === undefined || (kind === 'split' && !sameQuant(scene, source, output))) return [];
    const offset = (start * ELEMENT_BITS[fact.type]) / 8;
    const inside = offset + bytes <= scene.sizes[source]!.bytes;
    const lies = inside && offset % alignmentOf(fact, scene.options) === 0;
    return lies ? [{ kind, step, output, source, offset }] : [];
  });
}

interface Shown {
  readonly source: number;
  readonly output: number;
  readonly starts: readonly number[] | undefined;
}

/** Elements into the source at which the output begins, if it shows them in the order in which the layout keeps them. */
function startOf(
  { options, sizes, graph }: Scene,
  node: Node,
  { source, output, starts }: Shown,
): number | undefined {
  const { layout = 'nchw' } = options;
  const [whole, shown] = [sizes[source]!.shape, sizes[output]!.shape];
  if (starts !== undefined) return stretchStart(whole, shown, starts, layout);
  if (layout === 'nchw') return 0;
  // What holds for the largest sizes need not hold for smaller ones.
  if (!isFixed(sizes[source]!) || !isFixed(sizes[output]!)) return undefined;
  const permutation = node.op === 'Transpose' ? permutationOf(settledContext(graph, node)) : undefined;
  return staysInLayout(whole, shown, permutation) ? 0 : undefined;
}

/** The tensor has one size, not a range of them. */
function isFixed({ fact }: Sized): boolean {
  return fact.shape!.every(isKnown);
}

function inPlace(scene: Scene, step: Step, contract: Contract): readonly Candidate[] {
  const { inputs, outputs } = step.node;
  const output = outputs[0];
  const trusted = contract.proof !== 'unproved' || scene.options.trustUnproved === true;
  if (output === undefined || !trusted || contract.inPlace.length === 0) return NONE;
  const isNamedOnce = namedOnce(inputs);
  const found: Candidate[] = [];
  for (const position of contract.inPlace) {
    const source = inputs[position];
    const free =
      source !== undefined &&
      scene.lives.ranges[source] !== undefined &&
      isNamedOnce(source) &&
      sameBytes(scene, source, output) &&
      mayBeOverwritten(scene, source, step);
    if (free) found.push({ kind: 'in-place', step: step.step, output, source, offset: 0 });
  }
  return found;
}

/** So few are compared with each other; a Sum may have a hundred thousand operands. */
const FEW = 8;

/** Says which of the operands come once. */
function namedOnce(operands: readonly (number | undefined)[]): (operand: number) => boolean {
  if (operands.length <= FEW) return (one) => operands.indexOf(one) === operands.lastIndexOf(one);
  const seen = new Set<number | undefined>();
  const again = new Set<number | undefined>();
  for (const operand of operands) (seen.has(operand) ? again : seen).add(operand);
  return (one) => !again.has(one);
}

function sameBytes(scene: Scene, source: number, output: number): boolean {
  const a = scene.sizes[source]!;
  const b = scene.sizes[output]!;
  return (
    elementWidth(a.fact.type) === elementWidth(b.fact.type) &&
    a.bytes === b.bytes &&
    a.shape.length === b.shape.length &&
    a.fact.shape!.every((dim, axis) => sameDim(dim, b.fact.shape![axis]!))
  );
}

/** Nobody needs the tensor after this step: no later reader, no user outside, no next turn of a loop. */
function mayBeOverwritten(scene: Scene, tensor: number, { step, span }: Step): boolean {
  const { lives, schedule } = scene;
  if (isLocked(scene, tensor)) return false;
  if (lives.ranges[tensor]!.end > step + 1 || lives.survives.has(tensor)) return false;
  for (let at = span; at !== undefined; at = schedule.spans[at]!.parent) {
    const { repeats, step: start, bodies } = schedule.spans[at]!;
    if (repeats && lives.definedAt[tensor]! <= start) return false;
    if (bodies.some(({ body }) => body.outputs.includes(tensor))) return false;
  }
  return true;
}
