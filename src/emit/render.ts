/** Prints the C of a plan: the header with the numbers, and the source with the arenas and the offset table. */
import type { Plan } from '../plan/types.ts';
import type { Target } from '../target/types.ts';
import { printInParts } from './print.ts';
import { type ViewOptions, viewOf } from './view.ts';

/** What to print; every field has a default. */
export type RenderOptions = Partial<ViewOptions>;

export interface RenderedFile {
  /** File name, without a folder. */
  readonly name: string;
  readonly text: string;
}

/** A file that is printed anew whenever somebody walks through its parts. */
export interface FileInParts {
  readonly name: string;
  readonly text: Iterable<string>;
}

/**
 * The files in the order in which they are reported: `<name>.h`, and without `headerOnly` `<name>.c`.
 * The plan must have passed the checker. Throws E_USAGE when two models have one prefix.
 */
export function renderFiles(plan: Plan, target: Target, options?: RenderOptions): readonly RenderedFile[] {
  return renderInParts(plan, target, options).map(({ name, text }) => ({ name, text: [...text].join('') }));
}

/** The same files, for those whose text is not needed as a whole. */
export function renderInParts(
  plan: Plan,
  target: Target,
  options: RenderOptions = {},
): readonly FileInParts[] {
  const view = viewOf(plan, target, {
    name: options.name ?? 'tensor_memory_pool',
    arena: options.arena ?? 'static',
    table: options.table ?? 'const',
    headerOnly: options.headerOnly ?? false,
    pools: options.pools ?? false,
    sections: options.sections ?? new Map(),
  });
  const header = { name: view.header, text: printInParts('tensor_memory_pool.h', view) };
  if (view.headerOnly) return [header];
  return [header, { name: view.source, text: printInParts('tensor_memory_pool.c', view) }];
}
