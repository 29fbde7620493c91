/** The files that the result of a job depends on: what a depfile lists and what --watch watches. */
import { dirname, isAbsolute, join } from 'node:path';
import type { Job } from './job.ts';
import { isTargetFile } from './request.ts';

/**
 * Models, the files with weights that they name, a target file, the configuration, the baseline; as one would type
 * them. `externalFiles` by model, relative to its folder.
 */
export function prerequisites(
  { given, config, baseline }: Job,
  externalFiles: readonly (readonly string[])[],
): readonly string[] {
  return [
    ...given.models,
    ...externalFiles.flatMap((files, model) =>
      files.map((file) => (isAbsolute(file) ? file : join(dirname(given.models[model]!), file))),
    ),
    ...(isTargetFile(given.target) ? [given.target] : []),
    ...(config === undefined ? [] : [config]),
    ...(baseline === undefined ? [] : [baseline]),
  ];
}
