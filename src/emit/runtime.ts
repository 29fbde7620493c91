/** The C sources of the package, which generated code brings along. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../errors.ts';

/** The text of a file of `runtime/`. */
export function runtimeText(name: string): string {
  return readFileSync(join(runtimeFolder(), name), 'utf8');
}

/** Without its #include lines, to stand in one file with others. */
export function withoutIncludes(text: string): string {
  return text.replace(/^#include .*\n\n?/gm, '');
}

/** The folder beside package.json, whether this runs from the sources or from a bundle. */
function runtimeFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, 'runtime');
    if (existsSync(join(folder, 'memplan_kernels.h'))) return folder;
    if (at === dirname(at)) return fail('E_INTERNAL', 'The C sources of the package are missing.');
  }
}
