/** The package as it is installed, in a path with spaces: for tests that start it as a process of its own. */
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');

export interface Installed {
  readonly home: string;
  readonly bin: string;
}

/** The caller removes `home`. */
export async function install(): Promise<Installed> {
  const home = mkdtempSync(join(tmpdir(), 'memplan in a place '));
  const { bundleProgram } = await import(pathToFileURL(join(root, 'scripts/bundle.mjs')).href);
  await bundleProgram(root, join(home, 'dist'));
  for (const part of ['bin', 'runtime', 'package.json'])
    cpSync(join(root, part), join(home, part), { recursive: true });
  cpSync(join(root, 'src/target/data'), join(home, 'dist/targets'), { recursive: true });
  return { home, bin: join(home, 'bin/memplan.js') };
}
