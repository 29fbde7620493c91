// package.json as it is shipped: without what only this repository needs, so that nobody who installs the tarball is
// asked about scripts. npm calls `strip` before it packs and `restore` afterwards.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const manifest = join(root, 'package.json');
const kept = join(root, '.cache/package.json');
const UNSHIPPED = ['scripts', 'devDependencies', 'overrides'];

/** Also when an earlier packing was cut short. */
function restore() {
  if (!existsSync(kept)) return;
  copyFileSync(kept, manifest);
  rmSync(kept);
}

function strip() {
  restore();
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(manifest, kept);
  const shipped = Object.entries(JSON.parse(readFileSync(manifest, 'utf8')));
  const text = JSON.stringify(
    Object.fromEntries(shipped.filter(([key]) => !UNSHIPPED.includes(key))),
    null,
    2,
  );
  writeFileSync(manifest, `${text}\n`);
}

if (process.argv[2] === 'strip') strip();
else restore();
