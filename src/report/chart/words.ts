/** Sentences about a buffer: what it is, when it is live, where it lies and why. */

import { percent } from '../../percent.ts';
import type { Plan, PlanTensor } from '../../plan/types.ts';
import { bytesText, counted, grouped, printable, stepsText, typeText } from '../text.ts';
import { LOOKS } from './families.ts';
import type { Box, Scene } from './scene.ts';

/** `fits, proved optimal`: the two things one wants to know first. */
export function verdictText(plan: Plan): string {
  return `${plan.fits ? 'fits' : 'does not fit'}, ${optimalText(plan)}`;
}

/** Without `Plan.sharing` and with it. */
export const PROVED = 'proved optimal for this order and sharing';
export const PROVED_AS_CHOSEN = 'proved optimal for this order and the sharing chosen';

/** How good the packing is, relative to the order and the sharing that the plan assumes. */
export function optimalText({ totals, sharing }: Plan): string {
  const { optimal, arenaBytes, lowerBoundBytes } = totals;
  if (optimal) return sharing === undefined ? PROVED : PROVED_AS_CHOSEN;
  return `at most ${percent(arenaBytes - lowerBoundBytes, lowerBoundBytes)} above the optimum`;
}

/** `in place of conv1/out`; empty where the tensor has its own bytes. */
export function howText({ how, aliasOf }: PlanTensor): string {
  const source = aliasOf === null ? '' : ` ${printable(aliasOf)}`;
  if (how === 'in-place') return `in place of${source}`;
  if (how === 'view') return `view of${source}`;
  return how === 'elided' ? `part of${source}, no copy` : how === 'external' ? 'owned by the caller' : '';
}

/** Why a buffer lies where it does. `nameOf` names the buffer of an id. */
export function whyText({ buffer, restsOn }: Box, nameOf: (id: number) => string): string {
  if (buffer.bytes === 0) return 'it has no bytes';
  if (buffer.offset === 0) return `at the bottom of ${printable(buffer.region)}`;
  if (restsOn.length === 0) return 'not on top of another buffer: the search left it there';
  return `on top of ${restsOn.map((id) => printable(nameOf(id))).join(', ')}, live at the same time`;
}

/** A box in a few lines: a tooltip without any script. */
export function boxLinesOf({ boxes }: Scene): (box: Box) => readonly string[] {
  const labels = new Map(LOOKS.map(({ look, label }) => [look, label]));
  const nameOf = (id: number) => boxes.get(id)!.name;
  return (box) => boxLines(box, labels.get(box.look)!, nameOf);
}

function boxLines(box: Box, label: string, nameOf: (id: number) => string): readonly string[] {
  const { buffer, name, tensors } = box;
  const main = tensors.find((tensor) => tensor.name === name);
  const others = tensors.length > 1 ? `, shared by ${counted(tensors.length, 'tensor')}` : '';
  return [
    printable(name),
    `${main === undefined ? '' : `${typeText(main)}, `}${bytesText(buffer.bytes)}${others}`,
    `${label}, ${stepsText(buffer)}`,
    `${printable(buffer.region)} + ${grouped(buffer.offset)}: ${whyText(box, nameOf)}`,
  ];
}
