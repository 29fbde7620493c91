// `npm run examples`: builds the example models with the builders in models/, and generates their C with memplan.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const examples = dirname(fileURLToPath(import.meta.url));
const cache = join(examples, '..', '.cache');
const memplan = join(examples, '..', 'bin/memplan.js');
const bundle = join(cache, 'examples.mjs');
mkdirSync(cache, { recursive: true });
// The builders are TypeScript, which Node 20 does not run.
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
  for (const command of buildExamples(process.argv.slice(2), relative('.', examples))) {
    console.log(`\nmemplan ${command.join(' ')}`);
    const { status } = spawnSync(process.execPath, [memplan, ...command], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`memplan ended with ${status}`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
