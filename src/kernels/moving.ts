/** Operators that at most copy their input: any library runs them without working memory. */
import type { KernelRow } from './types.ts';

export const MOVING_ROWS: readonly KernelRow[] = [
  'Identity',
  'Dropout',
  'Reshape',
  'Flatten',
  'Squeeze',
  'Unsqueeze',
  'BitCast',
].map((op) => ({ op }));
