/** Prints the files of a runner. */

import { print } from '../emit/print.ts';
import type { WholeFile } from '../emit/write.ts';
import { fail } from '../errors.ts';
import type { Assumptions } from '../plan/types.ts';
import { type CmsisNnRelease, kernelHeaders, kernelText } from './sources.ts';
import { type RunnerInput, type RunnerOptions, runnerOf } from './view.ts';

/**
 * The runner, its weights and the kernels that it calls. The plan must have passed the checker. Throws
 * E_UNSUPPORTED_KERNEL and E_WEIGHTS with all that is missing, E_RULE, and E_NOT_BUILT for several models.
 */
export function renderRunner(input: RunnerInput, options: RunnerOptions): readonly WholeFile[] {
  if (input.plan.models.length !== 1) {
    fail('E_NOT_BUILT', 'A runner for several models is not built yet.', { hint: 'Emit them one by one.' });
  }
  const { view, families, blob } = runnerOf(input, options);
  const weights =
    view.weights === null
      ? []
      : [
          { name: view.weightsHeader, text: print('runner_weights.h', view) },
          { name: view.weightsSource, text: print('runner_weights.c', view) },
          ...(blob === undefined ? [] : [{ name: view.weights.file, text: blob }]),
        ];
  const kernels = kernelText(families, releaseOf(input.plan.assumptions));
  return [
    { name: view.header, text: print('runner.h', view) },
    { name: view.source, text: print('runner.c', view) },
    ...weights,
    { name: view.kernelsSource, text: print('runner_kernels.c', { ...view, kernels }) },
    ...kernelHeaders(families),
  ];
}

function releaseOf({ kernels, kernelsVersion, kernelsBuild }: Assumptions): CmsisNnRelease | undefined {
  return kernels !== 'cmsis-nn' || kernelsVersion === null || kernelsBuild === null
    ? undefined
    : { version: kernelsVersion, build: kernelsBuild };
}
