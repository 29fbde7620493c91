/** The files that the result of a job depends on: what a depfile lists and what --watch watches. */
import { dirname, isAbsolute, join } from 'node:path';
import { templateNames } from '../emit/templates-folder.ts';
import type { Job } from './job.ts';
import { isTargetFile } from './request.ts';

/**
 * Models, the files with weights that they name, a target file, templates, the configuration, the baseline; as one would type
 * them. `externalFiles` by model, relative to its folder.
 */
export function prerequisites(
  { given, config, baseline, templates }: Job,
  externalFiles: readonly (readonly string[])[],
): readonly string[] {
  return [
    ...given.models,
    ...externalFiles.flatMap((files, model) =>
      files.map((file) => (isAbsolute(file) ? file : join(dirname(given.models[model]!), file))),
    ),
    ...(isTargetFile(given.target) ? [given.target] : []),
    ...(templates === undefined
      ? []
      : templateNames(templates.dir).map((name) => join(templates.given, name))),
    ...(config === undefined ? [] : [config]),
    ...(baseline === undefined ? [] : [baseline]),
  ];
}
