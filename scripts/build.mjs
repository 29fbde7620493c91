// Builds dist/: the bundled program and library, targets, types, licences, and the program as V8 compiles it.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePlanner, bundleProgram, writeLibrary } from './bundle.mjs';
import { licences } from './licences.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const bundled = [await bundleProgram(root, dist), await bundlePlanner(root, dist)];
writeLibrary(dist);
copyTargets();
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences(root, bundled));
declareTypes();
compileAhead();

/** One JSON per chip, read on demand, and an index from each alias to its id. */
function copyTargets() {
  const from = join(root, 'src/target/data');
  const to = join(dist, 'targets');
  mkdirSync(to, { recursive: true });
  const index = {};
  for (const file of readdirSync(from).sort()) {
    cpSync(join(from, file), join(to, file));
    const { id, aliases = [] } = JSON.parse(readFileSync(join(from, file), 'utf8'));
    for (const alias of aliases) index[alias] = id;
  }
  writeFileSync(join(to, 'index.json'), `${JSON.stringify(index)}\n`);
}

function declareTypes() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { cwd: root, stdio: 'inherit' });
}

/** In a process of its own: V8 takes no code up that was compiled under other settings than its own. */
function compileAhead() {
  const { NODE_OPTIONS: _, ...env } = process.env;
  execFileSync(process.execPath, [join(root, 'scripts/compile-ahead.mjs')], { env, stdio: 'inherit' });
}
