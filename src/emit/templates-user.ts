/**
 * Templates of the user (--templates DIR) in place of the package's, or beside them. They are compiled at run time, so
 * that this is the one place which needs the whole of Handlebars.
 */
import Handlebars from 'handlebars';
import { fail, MemplanError } from '../errors.ts';
import { each, type Later, withLoops } from './rows.ts';
import { type Compiled, templatesIn } from './templates.ts';
import { readTemplates, type TemplateFile } from './templates-folder.ts';
import { VIEW_VERSION } from './view-types.ts';

export interface UserTemplates {
  /** Files that only the user's templates print, by name. */
  readonly others: readonly string[];
  /** The text that a template makes of a view, the package's where the user has none of that name. Throws E_TEMPLATE. */
  readonly print: (name: string, view: object) => string;
}

/** What the package has templates for. */
const OURS = ['tensor_memory_pool.h', 'tensor_memory_pool.c', 'tensor_memory_pool.ld'];

/** Throws E_FILE, and E_TEMPLATE for a template that is none, or is written for another version of the view. */
export function userTemplates(dir: string): UserTemplates {
  const environment = Handlebars.create();
  environment.registerHelper('each', each);
  const known = new Map<string, Compiled>(templatesIn(environment));
  const { templates, partials } = readTemplates(dir);
  for (const file of partials) {
    environment.registerPartial(file.name, compiled(environment, file) as Handlebars.Template);
  }
  for (const file of templates) known.set(file.name, compiled(environment, file));
  const paths = new Map(templates.map(({ name, path }) => [name, path]));
  return {
    others: templates.map(({ name }) => name).filter((name) => !OURS.includes(name)),
    print: (name, view) => {
      const later: Later = [];
      try {
        const text = known.get(name)!(view, { data: { later } });
        return [...withLoops(text, later)].join('');
      } catch (error) {
        return refuse(paths.get(name) ?? dir, error);
      }
    },
  };
}

function compiled(environment: typeof Handlebars, { path, text }: TemplateFile): Compiled {
  const wanted = /\{\{!-* *memplan view (\d+)/.exec(text)?.[1];
  if (wanted !== undefined && Number(wanted) !== VIEW_VERSION) {
    fail(
      'E_TEMPLATE',
      `${path} is written for version ${wanted} of the view; this memplan has ${VIEW_VERSION}.`,
      {
        hint: 'docs/templates.md says what has changed',
      },
    );
  }
  try {
    // Faults come now, and not when it is first used.
    environment.parse(text);
    return environment.compile(text, { noEscape: true, strict: true });
  } catch (error) {
    return refuse(path, error);
  }
}

function refuse(path: string, error: unknown): never {
  if (error instanceof MemplanError) throw error;
  const text = error instanceof Error ? error.message : String(error);
  return fail('E_TEMPLATE', `${path}: ${text.replace(/\s*\n\s*/g, ' ')}`, {
    hint: 'docs/templates.md lists what a template may print',
  });
}
