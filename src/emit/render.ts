/** Prints the C of a plan: the header with the numbers, and the source with the arenas and the offset table. */

import { fail } from '../errors.ts';
import type { Plan } from '../plan/types.ts';
import type { Target } from '../target/types.ts';
import { printInParts } from './print.ts';
import type { UserTemplates } from './templates-user.ts';
import { type ViewOptions, viewOf } from './view.ts';

/** What to print; every field has a default. */
export type RenderOptions = Partial<ViewOptions> & {
  /** Templates of the user. */
  readonly templates?: UserTemplates | undefined;
};

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

/**
 * The fragment of a linker script, `<name>.ld`. Throws E_USAGE where arenas have their memory at run time alone, and
 * there is nothing to place.
 */
export function renderLinker(plan: Plan, target: Target, options: RenderOptions = {}): FileInParts {
  if (options.arena === 'pointer') {
    fail(
      'E_USAGE',
      '--arena pointer leaves the linker nothing to place, so --emit ld has no place beside it',
    );
  }
  const view = viewOf(plan, target, withDefaults(options));
  return { name: view.linker, text: textOf('tensor_memory_pool.ld', view, options) };
}

/** The same files, for those whose text is not needed as a whole. */
export function renderInParts(
  plan: Plan,
  target: Target,
  options: RenderOptions = {},
): readonly FileInParts[] {
  const view = viewOf(plan, target, withDefaults(options));
  const header = { name: view.header, text: textOf('tensor_memory_pool.h', view, options) };
  if (view.headerOnly) return [header];
  return [header, { name: view.source, text: textOf('tensor_memory_pool.c', view, options) }];
}

/** The files that only templates of the user print. */
export function renderOthers(plan: Plan, target: Target, options: RenderOptions): readonly FileInParts[] {
  const { templates } = options;
  if (templates === undefined || templates.others.length === 0) return [];
  const view = viewOf(plan, target, withDefaults(options));
  return templates.others.map((name) => ({ name, text: [templates.print(name, view)] }));
}

function textOf(name: string, view: object, { templates }: RenderOptions): Iterable<string> {
  return templates === undefined ? printInParts(name, view) : [templates.print(name, view)];
}

function withDefaults(options: RenderOptions): ViewOptions {
  return {
    name: options.name ?? 'tensor_memory_pool',
    arena: options.arena ?? 'static',
    table: options.table ?? 'const',
    headerOnly: options.headerOnly ?? false,
    pools: options.pools ?? false,
    sections: options.sections ?? new Map(),
  };
}
