// `npm run examples`: bundles the builders in models/, which are TypeScript, and runs them.
import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const examples = dirname(fileURLToPath(import.meta.url));
const cache = join(examples, '..', '.cache');
const bundle = join(cache, 'examples.mjs');
mkdirSync(cache, { recursive: true });
await build({
  entryPoints: [join(examples, 'models/build.ts')],
  outfile: bundle,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  logLevel: 'warning',
});
const { buildExamples } = await import(pathToFileURL(bundle).href);
try {
  buildExamples(process.argv.slice(2), relative('.', examples));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
