/** The kernels of the package, put together as runners get them. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeFiles } from '../../src/emit/write.ts';
import { kernelHeaders, kernelText } from '../../src/runner/sources.ts';
import { emptyFolder } from './generated.ts';

const RUNTIME = fileURLToPath(new URL('../../runtime/', import.meta.url));
const CMSIS = 'memplan_cmsis_nn.c';
/** Without what calls CMSIS-NN, whose header is not here. */
const OTHERS = ['memplan_check.c', CMSIS];
const FAMILIES = readdirSync(RUNTIME).filter((name) => name.endsWith('.c') && !OTHERS.includes(name));

export const CMSIS_BUILDS: readonly string[] = ['scalar', 'dsp', 'mve'];

/** What a compiler must be told to take the stand-in for CMSIS-NN's header. */
export function standingIn(build: string): readonly string[] {
  const folder = fileURLToPath(new URL('../runner/cmsis-nn/', import.meta.url));
  return ['-isystem', folder, `-DSTAND_IN_BUILD=${CMSIS_BUILDS.indexOf(build) + 1}`];
}

/** A folder with all kernels in `kernels.c`, as a runner gets those it needs, with their headers. */
export function allKernels(): string {
  const dir = emptyFolder();
  const families = new Set(FAMILIES);
  writeFiles(dir, [...kernelHeaders(families), { name: 'kernels.c', text: kernelText(families, undefined) }]);
  return dir;
}

/** A folder with what calls CMSIS-NN, in a file for each build: `dsp.c`. */
export function callingCmsis(version = '7'): string {
  const dir = emptyFolder();
  const families = new Set([CMSIS]);
  const files = CMSIS_BUILDS.map((build) => {
    return { name: `${build}.c`, text: kernelText(families, { version, build }) };
  });
  writeFiles(dir, [...kernelHeaders(families), ...files]);
  return dir;
}
