// Bundles the program and the library.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundledPage } from './bundle-page.mjs';
import { precompiledTemplates } from './precompile-templates.mjs';
import { slimPackages } from './slim-packages.mjs';

/** What is bundled into the program: the command line, and the library, which costs nothing until it is asked for. */
const PROGRAM = `
export { run } from './src/main.ts';
export const library = () => require('./src/index.ts');
`;

/**
 * The whole program as one script, `<dist>/program.cjs`, whose value is a function of the variables that Node gives to a
 * CommonJS module: that is what can be kept compiled (bin/memplan.js). As a module it exports that function. Resolves to
 * esbuild's metafile.
 */
export function bundleProgram(root, dist) {
  const parameters = 'module,require,__filename';
  return bundle(root, {
    stdin: { contents: PROGRAM, resolveDir: root },
    outfile: join(dist, 'program.cjs'),
    format: 'cjs',
    minifyIdentifiers: true,
    // Not shipped: with it the traces of --debug can be read.
    sourcemap: 'external',
    define: { 'import.meta.url': 'programUrl' },
    banner: {
      js:
        `(typeof module==='object'?module:{}).exports=(function(${parameters}){` +
        "const programUrl=require('node:url').pathToFileURL(__filename).href;",
    },
    footer: { js: '})' },
  });
}

/** Writes the door to the library, `<dist>/index.js`: an ES module with each of its names, out of the program beside it. */
export function writeLibrary(dist) {
  const file = join(dist, 'program.cjs');
  const require = createRequire(file);
  const program = { exports: {} };
  require(file)(program, require, file);
  const names = Object.keys(program.exports.library()).sort();
  writeFileSync(
    join(dist, 'index.js'),
    `import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import start from './program.cjs';
const program = { exports: {} };
start(program, createRequire(import.meta.url), fileURLToPath(new URL('program.cjs', import.meta.url)));
export const { ${names.join(', ')} } = program.exports.library();
`,
  );
}

/** The planner alone as one ES module that asks nothing of Node, `<dist>/planner.js`. */
export function bundlePlanner(root, dist) {
  return bundle(root, {
    entryPoints: ['src/planner/index.ts'],
    outfile: join(dist, 'planner.js'),
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
}

async function bundle(root, options) {
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    plugins: [precompiledTemplates(root), bundledPage(root), slimPackages()],
    ...options,
  });
  return metafile;
}
