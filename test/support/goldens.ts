/** The committed C of the examples. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

export interface Golden {
  readonly name: string;
  readonly dir: string;
}

/** Every folder of examples/ that holds generated C. */
export function goldens(): readonly Golden[] {
  return readdirSync(EXAMPLES)
    .sort()
    .map((name) => ({ name, dir: join(EXAMPLES, name) }))
    .filter(({ dir }) => existsSync(join(dir, 'tensor_memory_pool.c')));
}
