/** Runs a kernel that keeps to the order of the model on copies, where tensors have their channels last in memory. */
import { elementWidth } from '../graph/element-type.ts';
import { stridesInMemory } from '../graph/memory-order.ts';
import type { Node } from '../graph/types.ts';
import { callOf } from '../kernels/call.ts';
import { isStrided, turnedOperands } from '../kernels/turned.ts';
import type { Contract } from '../kernels/types.ts';
import { constantTensors } from '../lifetime/constants.ts';
import type { Step } from '../lifetime/types.ts';
import { moved } from './lower/move.ts';
import { refuse, type Setting } from './node.ts';
import type { StepScene } from './scene.ts';
import type { Call, Operand, RunnerNode } from './types.ts';

export interface Turning {
  /** How the kernel itself is called. */
  readonly setting: (setting: Setting) => Setting;
  /** Copies of the operands, made before, and of the result, made behind it. */
  readonly before: (n: RunnerNode) => readonly Call[];
  readonly behind: (n: RunnerNode) => readonly Call[];
}

const NONE: Turning = { setting: (setting) => setting, before: () => [], behind: () => [] };

/** `part` does the work of `step`, or some of it. Refuses the node where the plan has no room for the copies. */
export function planTurned(
  { graph, places, kernels }: StepScene,
  step: Step,
  part: Node,
  contract: Contract | undefined,
): Turning {
  // A step between DequantizeLinear and QuantizeLinear is spelt as another operator, which walks as its own does.
  const isSpelt = contract !== undefined && isStrided(step);
  if (kernels.layout === 'nchw' || isSpelt || isStrided({ node: part })) return NONE;
  const turned = turnedOperands(callOf({ graph, constants: constantTensors(graph) }, step.node));
  const parts = (contract?.scratch ?? []).filter(({ bytes }) => bytes > 0);
  const copies = new Map<number, number>();
  for (const { side, position } of turned) {
    const operand = (side === 'input' ? step.node.inputs : step.node.outputs)[position]!;
    const at = parts.findIndex(({ part: name }) => name === `turned.${side}.${position}`);
    const copy = parts.length === step.scratch.length ? step.scratch[at] : undefined;
    const offset = copy === undefined ? undefined : places.planned(copy)?.offset;
    const width = elementWidth(graph.facts[operand]!.type);
    if (copy === undefined || offset == null || offset % width !== 0)
      return refuse('with channels last, and the plan has no room for copies with channels first');
    copies.set(operand, copy);
  }
  const own = step.scratch.filter((tensor) => ![...copies.values()].includes(tensor));
  const turn = (n: RunnerNode, operand: Operand | undefined, back: boolean): readonly Call[] => {
    const copy = operand && copies.get(operand.tensor);
    if (operand === undefined || copy === undefined) return [];
    const aside = { ...operand, tensor: copy };
    const dense = stridesInMemory(operand.shape, 'nchw');
    const strides = [n.strides(operand), dense];
    return back
      ? moved(n, aside, operand, { shape: operand.shape, strides: strides.toReversed() })
      : moved(n, operand, aside, { shape: operand.shape, strides });
  };
  return {
    setting: (setting) => ({
      ...setting,
      order: 'nchw',
      instead: copies,
      scratch: (setting.scratch ?? []).filter(({ tensor }) => own.includes(tensor)),
    }),
    before: (n) => {
      const operands = Array.from({ length: n.inputCount }, (_, i) => n.optional(i));
      const distinct = operands.filter((x, i) => operands.findIndex((y) => y?.tensor === x?.tensor) === i);
      return distinct.flatMap((operand) => turn(n, operand, false));
    },
    behind: (n) =>
      Array.from({ length: n.outputCount }, (_, i) => n.optionalOutput(i)).flatMap((operand) =>
        turn(n, operand, true),
      ),
  };
}
