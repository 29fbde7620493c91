/** Gathers what the script of the page needs to know about a plan. */
import type { Plan, PlanTensor } from '../../plan/types.ts';
import { LOOKS } from '../chart/families.ts';
import { type Box, drawnIds, type Scene } from '../chart/scene.ts';
import { howText, whyText } from '../chart/words.ts';
import { staysBecause } from '../explain.ts';
import type { PageBox, PageData, PageTensor } from '../page/data.ts';
import { printable, typeText } from '../text.ts';
import { usageOf } from '../usage.ts';

/** Readers beyond these are not listed one by one. */
const MOST_READERS = 20;

export function pageData(plan: Plan, scene: Scene): PageData {
  const usage = usageOf(plan);
  const nameOf = (id: number) => scene.boxes.get(id)!.name;
  const drawn = drawnIds(scene);
  const tensorOf = (tensor: PlanTensor): PageTensor => {
    const { writer, readers } = usage(tensor);
    return {
      name: printable(tensor.name),
      type: typeText(tensor),
      offset: tensor.offset!,
      bytes: tensor.bytes,
      first: tensor.first,
      end: tensor.end,
      how: howText(tensor),
      stays: staysBecause(plan, tensor) ?? '',
      writer: writer?.step ?? null,
      readers: readers.slice(0, MOST_READERS).map(({ step }) => step),
    };
  };
  const boxOf = (box: Box, region: number): PageBox => {
    const { id, first, end, offset, bytes, alignment } = box.buffer;
    return {
      ...{ id, region, look: box.look, first, end, offset, bytes, alignment },
      name: printable(box.name),
      why: whyText(box, nameOf),
      restsOn: box.restsOn.filter((id) => drawn.has(id)),
      tensors: box.tensors.map(tensorOf),
    };
  };
  return {
    steps: plan.steps.map(({ node, op }) => ({ node: printable(node), op: printable(op) })),
    peak: plan.peak.step,
    regions: scene.regions.map(({ region, span, live }) => {
      return { name: printable(region.name), origin: region.origin, span, live };
    }),
    turns: scene.turns.map(({ first, end, prefix }) => ({ first, end, prefix: printable(prefix) })),
    boxes: scene.regions.flatMap(({ boxes }, region) => boxes.map((box) => boxOf(box, region))),
    looks: Object.fromEntries(LOOKS.map(({ look, label }) => [look, label])),
  };
}
