/** Checks a solution in CSV, against its own columns or against the problem it answers. */
import { type Diagnostic, diagnostic, fail } from '../errors.ts';
import type { BufferList } from '../planner/csv.ts';
import { verifyPacking } from '../verify/verify.ts';

/**
 * Faults of a solution. With a problem, the problem says what the buffers are; the solution must hold all of them
 * and no others. Throws E_CSV when the solution gives no offset to a buffer.
 */
export function solutionFaults(
  solution: BufferList,
  problem: BufferList | undefined,
  capacity: number | undefined,
  name: string,
): readonly Diagnostic[] {
  const offsets = offsetsOf(solution, name);
  if (problem === undefined) {
    return verifyPacking(solution.problem, [...offsets.values()], capacity);
  }
  const wanted = problem.problem.buffers;
  const known = new Set(wanted.map(({ id }) => id));
  const strangers = [...offsets.keys()].filter((id) => !known.has(id));
  const missing = wanted.filter(({ id }) => !offsets.has(id));
  const faults = [
    ...strangers.map((id) => diagnostic('E_PLAN_FAULT', `Buffer ${id} is not in the problem.`)),
    ...missing.map(({ id }) => diagnostic('E_PLAN_FAULT', `Buffer ${id} of the problem has no place.`)),
  ];
  const placed = wanted.filter(({ id }) => offsets.has(id));
  const places = placed.map(({ id }) => offsets.get(id)!);
  return [...faults, ...verifyPacking({ buffers: placed }, places, capacity)];
}

/** Offset by id, in the order of the buffers. */
function offsetsOf({ problem }: BufferList, name: string): ReadonlyMap<string, number> {
  const without = problem.buffers.filter(({ offset }) => offset === undefined);
  if (without.length > 0) {
    const ids = without.slice(0, 5).map(({ id }) => id);
    const more = without.length > ids.length ? ` and ${without.length - ids.length} more` : '';
    fail('E_CSV', `${name}: no offset for ${ids.join(', ')}${more}`, {
      hint: 'a solution has an offset column with a value in every row',
    });
  }
  return new Map(problem.buffers.map(({ id, offset }) => [id, offset!]));
}
