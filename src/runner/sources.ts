/** The kernel sources of the package, and the one file that a firmware needs of them. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../errors.ts';

/** Headers that go with every runner. */
const HEADERS = ['memplan_kernels.h', 'memplan_elements.h', 'memplan_support.h', 'memplan_check.h'];
/** Linked in by check builds alone. */
const CHECK = 'memplan_check.c';

export interface KernelFile {
  readonly name: string;
  readonly text: string;
}

/** The headers of the kernels. */
export function kernelHeaders(): readonly KernelFile[] {
  return HEADERS.map((name) => ({ name, text: read(name) }));
}

/** Families of kernels, and what check builds call, one after the other in one text. */
export function kernelText(families: ReadonlySet<string>): string {
  const texts = [...[...families].sort(), CHECK].map(
    (name) => `/* ---- ${name} ---- */\n${withoutIncludes(read(name))}`,
  );
  return `#include "memplan_check.h"\n#include "memplan_support.h"\n\n${texts.join('\n')}`;
}

function withoutIncludes(text: string): string {
  return text.replace(/^#include .*\n\n?/gm, '');
}

function read(name: string): string {
  return readFileSync(join(runtimeFolder(), name), 'utf8');
}

/** The folder beside package.json, whether this runs from the sources or from a bundle. */
function runtimeFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, 'runtime');
    if (existsSync(join(folder, HEADERS[0]!))) return folder;
    if (at === dirname(at)) return fail('E_INTERNAL', 'The kernels of the package are missing.');
  }
}
