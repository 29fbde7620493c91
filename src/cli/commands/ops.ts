/** memplan ops [name]: the operators with a shape rule, or one of them. */
import { fail } from '../../errors.ts';
import { allRows } from '../../ops/registry.ts';
import { jsonText } from '../../report/json.ts';
import { opFacts, opList, sortedOps } from '../../report/ops.ts';
import type { Context } from '../context.ts';
import type { Invocation } from '../program.ts';

export function command({ operands }: Invocation, { out, outPaint, json }: Context): number {
  const ops = sortedOps(allRows().map(opFacts));
  const [name] = operands;
  const found = name === undefined ? ops : ops.filter(({ op, domain }) => matches(name, op, domain));
  if (found.length === 0) {
    fail('E_USAGE', `there is no rule for an operator "${name}"`, {
      hint: 'memplan ops lists what is known',
    });
  }
  out(json ? jsonText({ schema: 1, operators: found }) : opList(found, outPaint));
  return 0;
}

/** `Conv` in any domain, or `com.microsoft:FusedConv`; upper and lower case are the same. */
function matches(name: string, op: string, domain: string): boolean {
  const wanted = name.toLowerCase();
  return wanted === op.toLowerCase() || wanted === `${domain}:${op}`.toLowerCase();
}
