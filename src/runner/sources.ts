/** The kernel sources of the package, and the one file that a firmware needs of them. */
import { runtimeText, withoutIncludes } from '../emit/runtime.ts';

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
  return HEADERS.map((name) => ({ name, text: runtimeText(name) }));
}

/** Families of kernels, and what check builds call, one after the other in one text. */
export function kernelText(families: ReadonlySet<string>): string {
  const texts = [...[...families].sort(), CHECK].map(
    (name) => `/* ---- ${name} ---- */\n${withoutIncludes(runtimeText(name))}`,
  );
  return `#include "memplan_check.h"\n#include "memplan_support.h"\n\n${texts.join('\n')}`;
}
