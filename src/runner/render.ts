/** Prints the files of a runner. */

import { print } from '../emit/print.ts';
import type { WholeFile } from '../emit/write.ts';
import type { Assumptions } from '../plan/types.ts';
import { type CmsisNnRelease, kernelHeaders, kernelText } from './sources.ts';
import { type Runner, type RunnerInput, type RunnerOptions, runnersOf } from './view.ts';

/**
 * The runner of each model, its weights, and the kernels that they call. The plan must have passed the checker. Throws
 * E_UNSUPPORTED_KERNEL and E_WEIGHTS with all that is missing, and E_RULE.
 */
export function renderRunner(input: RunnerInput, options: RunnerOptions): readonly WholeFile[] {
  const { models, assumptions } = input.plan;
  const runners = runnersOf(input, options);
  const families = new Set(runners.flatMap((one) => [...one.families]));
  const releases = models.map((one) => releaseOf({ ...assumptions, ...one.assumptions }));
  const kernels = kernelText(
    families,
    releases.find((release) => release !== undefined),
  );
  const sources = runners.map(({ view }) => view.source).join(', ');
  const { view } = runners[0]!;
  return [
    ...eachOnce(runners.flatMap(ownFiles)),
    { name: view.kernelsSource, text: print('runner_kernels.c', { ...view, source: sources, kernels }) },
    ...kernelHeaders(families),
  ];
}

function ownFiles({ view, blob }: Runner): readonly WholeFile[] {
  const own = [
    { name: view.header, text: print('runner.h', view) },
    { name: view.source, text: print('runner.c', view) },
  ];
  if (view.weights === null) return own;
  return [
    ...own,
    { name: view.weightsHeader, text: print('runner_weights.h', view) },
    { name: view.weightsSource, text: print('runner_weights.c', view) },
    ...(blob === undefined ? [] : [{ name: view.weights.file, text: blob }]),
  ];
}

/** Buckets have the files of their weights in common. */
function eachOnce(files: readonly WholeFile[]): readonly WholeFile[] {
  return [...new Map(files.map((file) => [file.name, file])).values()];
}

function releaseOf({ kernels, kernelsVersion, kernelsBuild }: Assumptions): CmsisNnRelease | undefined {
  return kernels !== 'cmsis-nn' || kernelsVersion === null || kernelsBuild === null
    ? undefined
    : { version: kernelsVersion, build: kernelsBuild };
}
