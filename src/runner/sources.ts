/** The kernel sources of the package, and the one file that a firmware needs of them. */
import { runtimeText, withoutIncludes } from '../emit/runtime.ts';

/** Headers that go with every runner. */
const HEADERS = ['memplan_kernels.h', 'memplan_elements.h', 'memplan_support.h', 'memplan_check.h'];
/** Goes with runners that call CMSIS-NN. */
const CMSIS_HEADER = 'memplan_cmsis_nn.h';
const CMSIS = 'memplan_cmsis_nn.c';
/** Goes with runners that bring weights for their steps. */
const BRING_HEADER = 'memplan_bring.h';
const BRING = 'memplan_bring.c';
/** Linked in by check builds alone. */
const CHECK = 'memplan_check.c';

export interface KernelFile {
  readonly name: string;
  readonly text: string;
}

/** Which CMSIS-NN a plan is for: its version, and the build as memplan_cmsis_nn.c numbers it. */
export interface CmsisNnRelease {
  readonly version: string;
  readonly build: string;
}

/** The headers of the kernels. */
export function kernelHeaders(families: ReadonlySet<string>): readonly KernelFile[] {
  const names = [
    ...HEADERS,
    ...(families.has(CMSIS) ? [CMSIS_HEADER] : []),
    ...(families.has(BRING) ? [BRING_HEADER] : []),
  ];
  return names.map((name) => ({ name, text: runtimeText(name) }));
}

/** Families of kernels, and what check builds call, one after the other in one text. */
export function kernelText(families: ReadonlySet<string>, release: CmsisNnRelease | undefined): string {
  const texts = [...[...families].sort(), CHECK].map(
    (name) => `/* ---- ${name} ---- */\n${withoutIncludes(runtimeText(name))}`,
  );
  const cmsis = families.has(CMSIS) && release !== undefined ? cmsisIncludes(release) : '';
  const headers = [...(families.has(BRING) ? [BRING_HEADER] : []), 'memplan_check.h', 'memplan_support.h'];
  const includes = headers.map((name) => `#include "${name}"\n`).join('');
  return `${cmsis}${includes}\n${texts.join('\n')}`;
}

function cmsisIncludes({ version, build }: CmsisNnRelease): string {
  const number = ['scalar', 'dsp', 'mve'].indexOf(build) + 1;
  return [
    `#define MEMPLAN_CMSIS_NN ${Number.parseInt(version, 10)}`,
    `#define MEMPLAN_CMSIS_NN_BUILD ${number} /* ${build} */`,
    '',
    `#include "${CMSIS_HEADER}"`,
    '#include "arm_nnfunctions.h" /* of the CMSIS-NN that the firmware links */',
    '',
  ].join('\n');
}
