/** Which commands share an option. */
import type { CommandName } from '../option-types.ts';

/** What plans a model. */
export const JOB: readonly CommandName[] = ['plan', 'explain'];
/** What infers the shapes of a model. */
export const SHAPED: readonly CommandName[] = ['plan', 'explain', 'shapes'];
/** What packs buffers. */
export const SOLVED: readonly CommandName[] = ['plan', 'explain', 'solve'];
/** What reads a configuration. */
export const CONFIGURED: readonly CommandName[] = ['plan', 'explain', 'shapes'];
export const MAIN: readonly CommandName[] = ['plan'];
export const ALL: readonly CommandName[] = [
  'plan',
  'solve',
  'verify',
  'check-elf',
  'diff',
  'explain',
  'shapes',
  'targets',
  'ops',
  'init',
  'completions',
];
