/** Finds the parts of a Concat that may lie in its output from the start, so that nothing needs to be copied. */
import { isKnown } from '../graph/dims.ts';
import { ELEMENT_BITS } from '../graph/element-type.ts';
import type { Quant } from '../graph/types.ts';
import { findRow } from '../ops/registry.ts';
import { settledContext } from '../ops/settled.ts';
import { stretchStart } from './layout.ts';
import { alignmentOf, type Scene } from './scene.ts';
import type { Candidate, Step } from './types.ts';

/**
 * One candidate for each part that is a stretch of the whole in the layout, has its element type and quantisation, is
 * joined once, and belongs to the same body. What a caller owns, what is filled or drained during a run, and what a
 * loop receives or hands on stays where it is.
 */
export function joins(scene: Scene, step: Step): readonly Candidate[] {
  const { node, reads } = step;
  const rule = findRow(node.domain, node.op)?.joins;
  const whole = node.outputs[0];
  const axis = rule?.(settledContext(scene.graph, node));
  if (axis === undefined || whole === undefined || !mayShare(scene, whole)) return [];
  const { shape } = scene.sizes[whole]!;
  // Parts of a range of sizes have no constant place.
  const facts = [whole, ...node.inputs].map((t) => (t === undefined ? undefined : scene.graph.facts[t]));
  if (!facts.every((fact) => fact?.shape?.every(isKnown) === true)) return [];
  const read = new Set(reads);
  const seen = new Set<number>();
  const repeated = new Set<number>();
  for (const part of node.inputs) {
    if (part === undefined) continue;
    if (seen.has(part)) repeated.add(part);
    seen.add(part);
  }
  let reached = 0;
  return node.inputs.flatMap((part) => {
    if (part === undefined) return [];
    const start = reached;
    reached += scene.graph.facts[part]!.shape![axis] as number;
    if (!read.has(part) || repeated.has(part) || !mayJoin(scene, step, part)) return [];
    const { fact, bytes, shape: own } = scene.sizes[part]!;
    if (bytes === 0 || !sameQuant(scene, part, whole)) return [];
    const starts = shape.map((_, i) => (i === axis ? start : 0));
    const at = stretchStart(shape, own, starts, scene.options.layout ?? 'nchw');
    if (at === undefined) return [];
    const offset = (at * ELEMENT_BITS[fact.type]) / 8;
    if (offset % alignmentOf(fact, scene.options) !== 0) return [];
    return [{ kind: 'concat' as const, step: step.step, output: part, source: whole, offset }];
  });
}

/** The tensor may lie in the output of the step: its memory is ours, and it comes from a step of the same body. */
export function mayJoin(scene: Scene, { span }: Step, tensor: number): boolean {
  const writer = scene.lives.definedAt[tensor]!;
  const source = writer < 0 ? undefined : scene.schedule.steps[writer]!.span;
  return source === span && mayShare(scene, tensor);
}

/** The memory of the tensor is ours, only the steps touch it, and nobody looks at it after them by its name. */
function mayShare({ external, options, inputs, outputs, handed }: Scene, tensor: number): boolean {
  if (external.has(tensor) || options.keep.has(tensor) || handed.has(tensor)) return false;
  return !options.asyncIo || !(inputs.has(tensor) || outputs.has(tensor));
}

/** Equal elements stand for equal numbers: type, scale and zero point are the same. */
export function sameQuant({ sizes }: Scene, a: number, b: number): boolean {
  const [x, y] = [sizes[a]!.fact, sizes[b]!.fact];
  return x.type === y.type && (x.quant === y.quant || quantText(x.quant) === quantText(y.quant));
}

function quantText(quant: Quant | undefined): string {
  return quant === undefined ? '' : `${quant.scale.join()};${quant.zeroPoint.join()};${quant.axis}`;
}
