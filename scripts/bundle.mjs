// Bundles the program and the library.
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundledPage } from './bundle-page.mjs';
import { precompiledTemplates } from './precompile-templates.mjs';
import { slimPackages } from './slim-packages.mjs';

/**
 * The whole program as one script, `<dist>/program.cjs`, whose value is a function of the variables that Node gives to a
 * CommonJS module: that is what can be kept compiled (bin/memplan.js). Resolves to esbuild's metafile.
 */
export function bundleProgram(root, dist) {
  return bundle(root, {
    entryPoints: ['src/main.ts'],
    outfile: join(dist, 'program.cjs'),
    format: 'cjs',
    minifyIdentifiers: true,
    // Not shipped: with it the traces of --debug can be read.
    sourcemap: 'external',
    define: { 'import.meta.url': 'programUrl' },
    banner: {
      js: "(function(module,require,__filename){const programUrl=require('node:url').pathToFileURL(__filename).href;",
    },
    footer: { js: '})' },
  });
}

/** The library as one ES module, `<dist>/index.js`. Resolves to esbuild's metafile. */
export function bundleLibrary(root, dist) {
  return bundle(root, {
    entryPoints: ['src/index.ts'],
    outfile: join(dist, 'index.js'),
    format: 'esm',
    // CommonJS packages inside an ES module ask for require.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
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
