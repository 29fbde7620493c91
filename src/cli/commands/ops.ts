/** memplan ops [name]: the operators with a shape rule, or one of them. */
import { fail } from '../../errors.ts';
import { allRows } from '../../ops/registry.ts';
import { jsonText } from '../../report/json.ts';
import { opFacts, opList, sortedOps } from '../../report/ops.ts';
import { nearestNames } from '../../target/nearest.ts';
import type { Context } from '../context.ts';
import type { Invocation } from '../program.ts';

export function command({ operands }: Invocation, { out, outPaint, json }: Context): number {
  const ops = sortedOps(allRows().map(opFacts));
  const [name] = operands;
  const found = name === undefined ? ops : ops.filter(({ op, domain }) => matches(name, op, domain));
  if (found.length === 0) {
    const guess = nearestOp(
      name!,
      ops.map(({ op }) => op),
    );
    fail('E_USAGE', `there is no rule for an operator "${name}"`, {
      hint: guess === undefined ? 'memplan ops lists what is known' : `did you mean ${guess}?`,
    });
  }
  out(json ? jsonText({ schema: 1, operators: found }) : opList(found, outPaint));
  return 0;
}

/** The operators whose names are nearest to a word, in a list. */
function nearestOp(word: string, names: readonly string[]): string | undefined {
  const byLower = new Map(names.map((name) => [name.toLowerCase(), name]));
  const near = nearestNames(word, [...byLower.keys()]).map((name) => byLower.get(name)!);
  return near.length === 0 ? undefined : near.join(', ');
}

/** `Conv` in any domain, or `com.microsoft:FusedConv`; upper and lower case are the same. */
function matches(name: string, op: string, domain: string): boolean {
  const wanted = name.toLowerCase();
  return wanted === op.toLowerCase() || wanted === `${domain}:${op}`.toLowerCase();
}
