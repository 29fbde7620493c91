/** Finds the kernel library that a user asks for, or that suits the model and the chip. Libraries are listed here. */
import { fail } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { Cpu, KernelBuild } from '../target/types.ts';
import { CMSIS_NN_VERSIONS, type CmsisNnVersion, cmsisNnOf } from './cmsis-nn/build.ts';
import { cmsisNnRows } from './cmsis-nn/rows.ts';
import { COMMON_FUSIONS, type Fusions } from './fusions.ts';
import { im2col } from './im2col.ts';
import { libraryOf } from './library.ts';
import { noLibrary } from './none.ts';
import { isQuantised } from './quantised.ts';
import { reference } from './reference.ts';
import { tflmRows } from './tflm/rows.ts';
import type { KernelLibrary, Layout } from './types.ts';
import { xnnpack } from './xnnpack.ts';

export interface LibraryChoice {
  readonly kernels: string | undefined;
  readonly kernelsVersion: string | undefined;
  readonly kernelsBuild: KernelBuild | undefined;
  readonly layout: Layout | undefined;
}

export const LIBRARY_NAMES = ['none', 'reference', 'cmsis-nn', 'tflm', 'xnnpack', 'im2col'] as const;

/** Integer kernels limit their sums, and apply no other activation. */
const CLAMPING: Fusions = { ...COMMON_FUSIONS, activations: ['Relu', 'Clip'] };

/**
 * The library by name, version, build and layout, with defaults from the core; without a name CMSIS-NN for a
 * quantised model on a Cortex-M, else none: kernels for integers size no float model.
 * Throws E_USAGE for a version or build that there is not, E_RULE for a layout that the library does not have.
 */
export function kernelLibrary(choice: LibraryChoice, cpu: Cpu, graph: TypedGraph): KernelLibrary {
  const name = choice.kernels ?? (cpu.cmsisNnBuild !== null && isQuantised(graph) ? 'cmsis-nn' : 'none');
  switch (name) {
    case 'none':
      return noLibrary(plain(name, choice));
    case 'reference':
      return reference(plain(name, choice));
    case 'cmsis-nn':
      return cmsisNn(choice, cpu);
    case 'tflm':
      return tflm(choice, cpu);
    case 'xnnpack':
      refuseVersion(name, choice);
      return inChannelsLast(name, choice, xnnpack(pointerBytes(cpu)));
    case 'im2col':
      return im2col(choice.layout ?? 'nchw', tileOf(choice));
    default:
      return fail('E_USAGE', `--kernels: there is no library "${name}".`, { hint: LIBRARY_NAMES.join(', ') });
  }
}

function cmsisNn(choice: LibraryChoice, cpu: Cpu): KernelLibrary {
  const version = oneOf<CmsisNnVersion>('cmsis-nn', choice.kernelsVersion ?? '7', CMSIS_NN_VERSIONS);
  const build = buildOf('cmsis-nn', choice, cpu);
  const rows = cmsisNnRows(cmsisNnOf(version, build));
  const library = libraryOf({
    ...{ name: 'cmsis-nn', version, build, layout: 'nhwc', rows },
    ...{ scratchAlignment: 4, fusions: CLAMPING, turns: true },
  });
  return inChannelsLast('cmsis-nn', choice, library);
}

/** The optimised kernels where CMSIS-NN runs on the core. */
function tflm(choice: LibraryChoice, cpu: Cpu): KernelLibrary {
  const standard = (choice.kernelsBuild ?? cpu.cmsisNnBuild) === null ? 'reference' : 'cmsis-nn';
  const version = oneOf('tflm', choice.kernelsVersion ?? standard, ['reference', 'cmsis-nn']);
  const build = version === 'reference' ? undefined : buildOf('tflm', choice, cpu);
  const library = libraryOf({
    ...{ name: 'tflm', version, layout: 'nhwc', fusions: CLAMPING },
    ...(build === undefined ? {} : { build }),
    rows: tflmRows(build && cmsisNnOf('7', build)),
    // MicroArenaBufferAlignment
    ...{ tensorAlignment: 16, scratchAlignment: 16 },
  });
  return inChannelsLast('tflm', choice, library);
}

function buildOf(name: string, { kernelsBuild }: LibraryChoice, { core, cmsisNnBuild }: Cpu): KernelBuild {
  const build = kernelsBuild ?? cmsisNnBuild;
  if (build !== null) return build;
  return fail('E_USAGE', `--kernels ${name}: CMSIS-NN is not made for ${core}, so its build is not known.`, {
    hint: 'Choose a Cortex-M target, or say --kernels-build scalar, dsp or mve.',
  });
}

function oneOf<T extends string>(name: string, version: string, known: readonly T[]): T {
  const found = known.find((one) => one === version);
  return (
    found ??
    fail('E_USAGE', `--kernels-version: ${name} has no version "${version}" here.`, {
      hint: `Known: ${known.join(', ')}.`,
    })
  );
}

function inChannelsLast(name: string, { layout }: LibraryChoice, library: KernelLibrary): KernelLibrary {
  if (layout !== 'nchw') return library;
  return fail('E_RULE', `--layout nchw: the kernels of ${name} keep the channels last.`, {
    hint: 'Leave --layout out.',
  });
}

function plain(name: string, choice: LibraryChoice): Layout {
  refuseVersion(name, choice);
  return choice.layout ?? 'nchw';
}

function refuseVersion(name: string, { kernelsVersion }: LibraryChoice): void {
  if (kernelsVersion !== undefined)
    fail('E_USAGE', `--kernels-version: ${name} has no versions.`, { hint: 'Leave it out.' });
}

/** `--kernels-version tile=64`: output pixels that are gathered at once. */
function tileOf({ kernelsVersion = 'whole' }: LibraryChoice): number | undefined {
  if (kernelsVersion === 'whole') return undefined;
  const tile = Number(/^tile=([1-9]\d{0,8})$/.exec(kernelsVersion)?.[1]);
  if (tile > 0) return tile;
  return fail('E_USAGE', `--kernels-version: im2col has no version "${kernelsVersion}".`, {
    hint: 'Say whole, or tile=64 for 64 output pixels at a time.',
  });
}

function pointerBytes({ core }: Cpu): number {
  return /^cortex-a|64/.test(core) ? 8 : 4;
}
