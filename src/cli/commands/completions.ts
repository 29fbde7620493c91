/** memplan completions <shell>: a script that completes commands, options and their values. */
import { fail } from '../../errors.ts';
import { listTargets, loadTarget } from '../../target/load.ts';
import { bashCompletions } from '../completions/bash.ts';
import { fishCompletions } from '../completions/fish.ts';
import { zshCompletions } from '../completions/zsh.ts';
import type { Context } from '../context.ts';
import type { Invocation } from '../program.ts';

/** Each is given the names of the targets. */
const SHELLS: Readonly<Record<string, (targets: readonly string[]) => string>> = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
};

export function command({ operands }: Invocation, { out }: Context): number {
  const [shell = ''] = operands;
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined) {
    return fail('E_USAGE', `there are no completions for "${shell}"`, {
      hint: `memplan completions ${Object.keys(SHELLS).join('|')}`,
    });
  }
  out(script(listTargets().flatMap((id) => [id, ...loadTarget(id).aliases])));
  return 0;
}
