/**
 * The table of every option: the one source of the parser, the help, the configuration file, the completions and the
 * manual page. Each group is a file under table/.
 */
import type { OptionGroup } from './option-types.ts';
import { COMMAND } from './table/command.ts';
import { FILES } from './table/files.ts';
import { GATES } from './table/gates.ts';
import { KERNELS } from './table/kernels.ts';
import { MEMORY } from './table/memory.ts';
import { MODEL } from './table/model.ts';
import { OUTPUT } from './table/output.ts';
import { RUN } from './table/run.ts';
import { SEVERAL } from './table/several.ts';
import { SHARING } from './table/sharing.ts';

/** In the order of the help. */
export const OPTION_GROUPS: readonly OptionGroup[] = [
  MODEL,
  SEVERAL,
  FILES,
  SHARING,
  KERNELS,
  MEMORY,
  GATES,
  COMMAND,
  RUN,
  OUTPUT,
];
