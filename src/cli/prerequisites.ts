/** The files that the result of a job depends on: what a depfile lists and what --watch watches. */
import { dirname, isAbsolute, join } from 'node:path';
import type { Job } from './job.ts';
import { isTargetFile } from './request.ts';

/**
 * Models, the files with weights that they name, a target file, the configuration, the baseline; as one would type
 * them. `externalFiles` are relative to the folder of the model.
 */
export function prerequisites(
  { given, config, baseline }: Job,
  externalFiles: readonly string[],
): readonly string[] {
  const folder = dirname(given.models[0]!);
  return [
    ...given.models,
    ...externalFiles.map((file) => (isAbsolute(file) ? file : join(folder, file))),
    ...(isTargetFile(given.target) ? [given.target] : []),
    ...(config === undefined ? [] : [config]),
    ...(baseline === undefined ? [] : [baseline]),
  ];
}
