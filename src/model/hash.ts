/** The hash that identifies a model file. */
import { createHash } from 'node:crypto';
import { WHOLE_HASH_BYTES } from './limits.ts';
import { readRange } from './source.ts';

const BLOCK_BYTES = 1024 * 1024;
const SAMPLE_STEP_BYTES = 16 * 1024 * 1024;

/**
 * SHA-256 of the open file in hex, as `sha256sum` prints it, for files up to 256 MiB. A larger file would cost
 * seconds to hash and is nearly all weights, which no plan depends on: of it the size and the first MiB of every
 * 16 MiB and the last MiB are hashed, and the result starts with `sampled-`.
 */
export function hashFile(file: number, size: number): string {
  const hash = createHash('sha256');
  if (size <= WHOLE_HASH_BYTES) {
    for (let at = 0; at < size; at += BLOCK_BYTES)
      hash.update(readRange(file, at, Math.min(BLOCK_BYTES, size - at)));
    return hash.digest('hex');
  }
  hash.update(String(size));
  for (let at = 0; at < size; at += SAMPLE_STEP_BYTES) hash.update(readRange(file, at, BLOCK_BYTES));
  hash.update(readRange(file, size - BLOCK_BYTES, BLOCK_BYTES));
  return `sampled-${hash.digest('hex')}`;
}
