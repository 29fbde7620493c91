/** Lowers control-flow nodes. */
import { spanAt } from '../lifetime/schedule.ts';
import { choice } from './branches.ts';
import type { Flow } from './flow-types.ts';
import { loop, scan } from './loops.ts';
import { refuse } from './node.ts';
import type { StepScene } from './scene.ts';

/** The blocks of a step whose node has bodies. Throws E_UNSUPPORTED_KERNEL. */
export function flowOf(scene: StepScene, step: number): Flow {
  const { node } = scene.schedule.steps[step]!;
  const span = spanAt(scene.schedule, step)!;
  switch (node.domain === '' ? node.op : '') {
    case 'If':
      return choice(scene, node, span);
    case 'Loop':
      return loop(scene, node, span);
    case 'Scan':
      return scan(scene, node, span);
    default:
      return refuse(': of control flow the runner knows If, Loop and Scan');
  }
}
