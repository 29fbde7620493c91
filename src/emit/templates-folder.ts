/** Templates in a folder: `NAME.hbs`, which print files called NAME, and those they call in `partials/`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../errors.ts';

export interface TemplateFile {
  /** Without `.hbs`. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

export interface TemplateFolder {
  readonly templates: readonly TemplateFile[];
  readonly partials: readonly TemplateFile[];
}

/** Throws E_FILE for a folder that cannot be read, or has no template. */
export function readTemplates(dir: string): TemplateFolder {
  const found = { templates: filesOf(dir, true), partials: filesOf(join(dir, 'partials'), false) };
  if (found.templates.length + found.partials.length > 0) return found;
  return fail('E_FILE', `${dir}: there is no template (*.hbs) in it, nor in its folder partials.`);
}

/** The names of all its templates, from the folder on; none where there is no folder. */
export function templateNames(dir: string): readonly string[] {
  const inside = filesOf(dir, false).map(({ name }) => `${name}.hbs`);
  const partials = filesOf(join(dir, 'partials'), false).map(({ name }) => `partials/${name}.hbs`);
  return [...inside, ...partials];
}

function filesOf(dir: string, needed: boolean): readonly TemplateFile[] {
  let names: readonly string[];
  try {
    names = readdirSync(dir);
  } catch {
    return needed ? fail('E_FILE', `${dir}: there is no such folder`) : [];
  }
  return names
    .filter((name) => name.endsWith('.hbs'))
    .sort()
    .map((name) => {
      const path = join(dir, name);
      return { name: name.slice(0, -'.hbs'.length), path, text: readFileSync(path, 'utf8') };
    });
}
