/** Why a part of a Concat, Split or Slice is copied although it might have stayed where it is. */
import type { Plan, PlanStep, PlanTensor } from '../plan/types.ts';

/**
 * `part` is copied into or out of `whole` by a step of the kind `sort`: Concat and Split elide copies, Slice shows.
 * The first rule that forbids to leave it in place; where none does, the choice was made for the sake of the peak.
 */
export function whyCopied(
  { assumptions, models }: Plan,
  { op, reads, path }: PlanStep,
  whole: PlanTensor,
  part: PlanTensor,
): string {
  const { layout, elide, views, asyncIo } = assumptions;
  if (op === 'Slice' ? !views : !elide)
    return op === 'Slice' ? '--no-views forbids it' : '--no-elide forbids it';
  for (const { how, name } of [whole, part]) {
    if (how === 'external') return `the caller owns the memory of ${name}`;
  }
  const isPort = ({ name }: PlanTensor) =>
    models.some(({ inputs, outputs }) => inputs.includes(name) || outputs.includes(name));
  if (asyncIo && (isPort(whole) || isPort(part)))
    return 'it may be filled or drained during a run (--async-io)';
  if (!isStretch(layout, whole, part)) {
    return `its elements lie apart in ${layout === 'nhwc' ? 'NHWC' : 'the layout'}, with others between them`;
  }
  if (whole.type !== part.type || `${whole.quant?.scale}` !== `${part.quant?.scale}`)
    return 'the two are quantised differently';
  if (`${whole.quant?.zeroPoint}` !== `${part.quant?.zeroPoint}`) return 'the two are quantised differently';
  if (op === 'Concat' && reads.filter((name) => name === part.name).length > 1) return 'it is joined twice';
  const inBody = path === '' ? '' : ', or a control-flow body hands it on';
  return `its place is not aligned or is taken, or a copy gives a smaller peak${inBody}`;
}

/** Behind the first of its axes in memory that have several elements, all are as long as those of the whole. */
function isStretch(layout: 'nchw' | 'nhwc', whole: PlanTensor, part: PlanTensor): boolean {
  const axes = part.shape.map((_, axis) => axis);
  const memory = layout === 'nhwc' && axes.length > 2 ? [0, ...axes.slice(2), 1] : axes;
  const first = memory.findIndex((axis) => part.shape[axis]! > 1);
  return first < 0 || memory.slice(first + 1).every((axis) => part.shape[axis] === whole.shape[axis]);
}
