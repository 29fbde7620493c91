/** The bundle prints through templates compiled ahead; it prints the same as the sources do. */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { type RenderOptions, renderFiles } from '../../src/emit/render.ts';
import { emptyFolder } from '../support/generated.ts';
import { targetOf } from '../support/plans.ts';
import { EVERY_TYPE, EVERYDAY, NOTHING } from '../support/sample-plans.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('prints the same text', async () => {
  const script = pathToFileURL(join(root, 'scripts/precompile-templates.mjs')).href;
  const { precompiledTemplates } = await import(script);
  const outfile = join(emptyFolder(), 'render.mjs');
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['src/emit/render.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [precompiledTemplates(root)],
    metafile: true,
    banner: { js: "import{createRequire as c}from'node:module';const require=c(import.meta.url);" },
  });
  const modules = Object.keys(result.metafile.inputs);
  expect(modules.some((m) => m.includes('handlebars/dist/cjs/handlebars/runtime'))).toBe(true);
  expect(modules.filter((m) => m.includes('handlebars/compiler'))).toEqual([]);

  const bundled = await import(pathToFileURL(outfile).href);
  const ways: readonly RenderOptions[] = [
    {},
    { arena: 'pointer' },
    { table: 'xmacro' },
    { headerOnly: true },
  ];
  for (const plan of [EVERYDAY, EVERY_TYPE, NOTHING]) {
    for (const options of ways) {
      expect(bundled.renderFiles(plan, targetOf(plan), options)).toEqual(
        renderFiles(plan, targetOf(plan), options),
      );
    }
  }
});
