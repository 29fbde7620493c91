/** --check: the files of a job beside what is on the disk. */
import { join } from 'node:path';
import { staleFiles } from '../emit/write.ts';
import type { Diagnostic } from '../errors.ts';
import type { FileStatus } from '../report/files.ts';
import { existingText } from './files.ts';
import type { Output } from './outputs.ts';

export interface Checked {
  readonly statuses: readonly FileStatus[];
  /** E_STALE, one for each file that is missing or different. */
  readonly faults: readonly Diagnostic[];
  /** Those of them that are text. */
  readonly stale: readonly StaleFile[];
}

export interface StaleFile {
  readonly path: string;
  /** undefined: there is no such file. */
  readonly found: string | undefined;
  readonly wanted: string;
}

/** Writes nothing. Throws E_WRITE for what cannot be compared. */
export function checkOutput({ job, files }: Output, at: (path: string) => string): Checked {
  const checked = files.map((file) => ({
    file,
    path: join(job.out, file.name),
    faults: staleFiles(at(job.out), [file]),
  }));
  return {
    statuses: checked.map(({ path, faults }) => ({
      name: path,
      status: faults.length > 0 ? 'stale' : 'current',
    })),
    faults: checked.flatMap(({ faults }) => faults),
    stale: checked.flatMap(({ file: { text }, path, faults }) =>
      faults.length > 0 && !(text instanceof Uint8Array)
        ? [
            {
              path,
              found: existingText(at(path)),
              wanted: typeof text === 'string' ? text : [...text].join(''),
            },
          ]
        : [],
    ),
  };
}
