// Bundles style and script of the HTML report while the program is built, so that a run needs no bundler.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** An esbuild plugin that takes the place of src/report/page-assets.ts; `root` is the folder of package.json. */
export function bundledPage(root) {
  return {
    name: 'bundled-page',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]report[\\/]page-assets\.ts$/ }, async () => {
        const assets = JSON.stringify(await pageAssets(root));
        return {
          contents: `const assets = ${assets};\nexport const pageAssets = () => assets;`,
          loader: 'js',
        };
      });
    },
  };
}

/** What that file itself makes of the sources: the same bytes. */
async function pageAssets(root) {
  const outfile = join(root, '.cache/page-assets.mjs');
  await build({
    entryPoints: [join(root, 'src/report/page-assets.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return (await import(pathToFileURL(outfile).href)).pageAssets();
}
