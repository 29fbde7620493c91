/** Finds the shared corpus of models, cases and buffer lists that lies beside the repository, where there is one. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the corpus, or undefined; a test that needs it then skips itself with `CORPUS_MISSING`. */
export function corpus(): string | undefined {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const folder = process.env.MEMPLAN_SHARED ?? join(root, '..', 'shared');
  return existsSync(join(folder, 'data', 'models')) ? folder : undefined;
}

/** The reason to print when the corpus is missing. */
export const CORPUS_MISSING = 'the shared corpus is not there: set MEMPLAN_SHARED to its folder';
