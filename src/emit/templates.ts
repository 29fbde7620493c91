/**
 * The templates of the package, compiled. When the bundle is built another file takes this one's place
 * (scripts/precompile-templates.mjs): there they are compiled ahead, and only the Handlebars runtime is loaded.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import { fail } from '../errors.ts';
import { each } from './rows.ts';

export type Compiled = (view: object, options: { readonly data?: object }) => string;

let known: ReadonlyMap<string, Compiled> | undefined;

/** What prints a view through a file of templates/; `name` is its name without `.hbs`. */
export function template(name: string): Compiled {
  known ??= templatesIn(Handlebars.create());
  return known.get(name) ?? fail('E_INTERNAL', `There is no template ${name}.`);
}

/** Every template, in an environment that gets their partials and helpers. */
export function templatesIn(environment: typeof Handlebars): ReadonlyMap<string, Compiled> {
  const folder = templateFolder();
  environment.registerHelper('each', each);
  const compile = (file: string) =>
    environment.compile(readFileSync(file, 'utf8'), { noEscape: true, strict: true });
  for (const [name, file] of filesOf(join(folder, 'partials')))
    environment.registerPartial(name, compile(file));
  return new Map(filesOf(folder).map(([name, file]) => [name, compile(file)]));
}

function filesOf(folder: string): readonly (readonly [name: string, file: string])[] {
  const names = readdirSync(folder).filter((f) => f.endsWith('.hbs'));
  return names.sort().map((f) => [f.slice(0, -'.hbs'.length), join(folder, f)]);
}

/** The folder beside package.json, whether this runs from the sources or from a bundle. */
function templateFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, 'templates');
    if (existsSync(join(folder, 'tensor_memory_pool.h.hbs'))) return folder;
    if (at === dirname(at)) return fail('E_INTERNAL', 'The templates of the package are missing.');
  }
}
