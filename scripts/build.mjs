// Builds dist/: the bundled program and library, templates, targets, types and the licences of what is bundled.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleLibrary, bundleProgram } from './bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const bundled = [await bundleProgram(root, dist), await bundleLibrary(root, dist)];
copyTargets();
writeLicences(bundled.flatMap(({ inputs }) => Object.keys(inputs)));
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

/** The licence texts of every package that ended up in the bundle. */
function writeLicences(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
  }
  const texts = [...packages].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
    return `${name} ${version} (${license})${text}`;
  });
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), `${texts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`);
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
