/** What every form of a difference says: its figures, its peaks, its largest changes. */

import { percent } from '../percent.ts';
import type { Change, DiffDocument, PeakPlace, TensorChange } from './diff.ts';
import { grouped, printable } from './text.ts';

/** Tensors that are shown unless all are asked for. */
const MOST_TENSORS = 20;

export interface DiffFigure {
  readonly label: string;
  /** `-` or `not counted` where there is none. */
  readonly old: string;
  readonly new: string;
  /** In bytes. */
  readonly change: number;
  /** `47.8 %` of the old figure; '' where nothing changed or there was none. */
  readonly share: string;
}

export function diffFigures(diff: DiffDocument): readonly DiffFigure[] {
  const regions = diff.regions.length > 1 ? diff.regions : [];
  return [
    figure('arena', diff.arena),
    ...regions.map((region) => figure(printable(region.name), region)),
    figure('lower bound', diff.lowerBound),
    figure('without reuse', diff.noReuse),
    figure('weights', diff.weights),
    figure('kernel scratch', diff.scratch, 'not counted'),
  ];
}

function figure(label: string, { old, new: now, change }: Change, absent = '-'): DiffFigure {
  const bytes = (value: number | null) => (value === null ? absent : grouped(value));
  const share = change === 0 || !old ? '' : percent(Math.abs(change), old);
  return { label, old: bytes(old), new: bytes(now), change, share };
}

/** `+1,024`, `-64`, `0`. */
export function signed(bytes: number): string {
  return bytes > 0 ? `+${grouped(bytes)}` : bytes < 0 ? `-${grouped(-bytes)}` : '0';
}

/** Models and target of both plans, once where they are the same. */
export function diffTitles({ models, targets }: DiffDocument): readonly (readonly [string, string])[] {
  const titles = [
    [models.old.map(printable).join(' + '), targets.old],
    [models.new.map(printable).join(' + '), targets.new],
  ] as const;
  return String(titles[0]) === String(titles[1]) ? [titles[1]] : titles;
}

/** `step 3 (conv) with 1,024`. `name` prints the node's. */
export function peakPlaceText({ step, node, bytes }: PeakPlace, name = printable): string {
  return `step ${step}${node === null ? '' : ` (${name(node)})`} with ${grouped(bytes)}`;
}

/** The largest changes in either direction, still by growth. */
export function largestChanges(tensors: readonly TensorChange[]): readonly TensorChange[] {
  const ranked = [...tensors].sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const chosen = new Set(ranked.slice(0, MOST_TENSORS));
  return tensors.filter((tensor) => chosen.has(tensor));
}

/** Shape, and how it comes by its bytes: `[1,8] -> [1,16], own -> view`. */
export function changeText({ oldShape, newShape, oldHow, newHow }: TensorChange): string {
  const how = oldHow === null || newHow === null || oldHow === newHow ? '' : `, ${oldHow} -> ${newHow}`;
  return `${shapesText(oldShape, newShape)}${how}`;
}

function shapesText(oldShape: TensorChange['oldShape'], newShape: TensorChange['newShape']): string {
  if (oldShape === null) return `new [${newShape!.join(',')}]`;
  if (newShape === null) return `gone [${oldShape.join(',')}]`;
  const [old, now] = [`[${oldShape.join(',')}]`, `[${newShape.join(',')}]`];
  return old === now ? now : `${old} -> ${now}`;
}
