// Compiles the templates while the bundle is built: a run then loads the Handlebars runtime alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';

/** An esbuild plugin that takes the place of src/emit/templates.ts; `root` is the folder of package.json. */
export function precompiledTemplates(root) {
  const folder = join(root, 'templates');
  return {
    name: 'precompiled-templates',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]emit[\\/]templates\.ts$/ }, () => ({
        contents: [
          `import Handlebars from 'handlebars/runtime.js';`,
          `import { each } from './src/emit/rows.ts';`,
          `const partials = ${specs(join(folder, 'partials'))};`,
          `const templates = ${specs(folder)};`,
          'function prepare(environment) {',
          `  environment.registerHelper('each', each);`,
          '  for (const name in partials) environment.registerPartial(name, environment.template(partials[name]));',
          '  return environment;',
          '}',
          'const environment = prepare(Handlebars.create());',
          'export const template = (name) => environment.template(templates[name]);',
          'export function templatesIn(other) {',
          '  prepare(other);',
          '  return new Map(Object.keys(templates).map((name) => [name, other.template(templates[name])]));',
          '}',
        ].join('\n'),
        loader: 'js',
        resolveDir: root,
        watchFiles: [folder, join(folder, 'partials')],
      }));
    },
  };
}

function specs(folder) {
  const entries = readdirSync(folder)
    .filter((file) => file.endsWith('.hbs'))
    .sort()
    .map((file) => {
      const source = readFileSync(join(folder, file), 'utf8');
      const spec = Handlebars.precompile(source, { noEscape: true, strict: true, knownHelpersOnly: true });
      return `${JSON.stringify(file.replace(/\.hbs$/, ''))}: ${withoutPlaces(spec)}`;
    });
  return `{${entries.join(',\n')}}`;
}

/** Leaves out the line and column that an error in a template would name: they are half of what is loaded. */
function withoutPlaces(spec) {
  const point = String.raw`\{"line":\d+,"column":\d+\}`;
  return spec.replace(new RegExp(`, ?(?:"loc":)?\\{"start":${point},"end":${point}\\} ?`, 'g'), '');
}
