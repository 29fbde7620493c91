/** The gates of one run, each with what went wrong there: what CI reports list. */
import type { Code, Diagnostic } from '../errors.ts';
import type { Plan } from '../plan/types.ts';

/** What a run of one model came to. */
export interface RunResult {
  /** The model as it was given. */
  readonly file: string;
  /** As it was given too: the name of a suite is to stay the same whether it can be planned or not. */
  readonly target: string;
  /** undefined: it could not be planned. */
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Budgets, as they were given. */
  readonly budgets: readonly string[];
  readonly baseline: string | undefined;
  /** The plan in it. */
  readonly before?: Plan | undefined;
  /** The files were compared, not written. */
  readonly check: boolean;
}

export interface Gate {
  readonly name: string;
  readonly faults: readonly Diagnostic[];
  /** It could not even be tried. */
  readonly broken: boolean;
}

const GATE_CODES: readonly Code[] = ['E_OVER_CAPACITY', 'E_OVER_BUDGET', 'E_GROWTH', 'E_STALE'];

/** The first gate is planning itself; when it fails the others were not tried. */
export function gatesOf({ plan, target, diagnostics, budgets, baseline, check }: RunResult): readonly Gate[] {
  const errors = diagnostics.filter(({ kind }) => kind === 'error');
  const gate = (name: string, code: Code): Gate => ({
    name,
    faults: errors.filter((fault) => fault.code === code),
    broken: false,
  });
  const planning = errors.filter(({ code }) => plan === undefined || !GATE_CODES.includes(code));
  const gates: Gate[] = [{ name: 'can be planned', faults: planning, broken: true }];
  if (plan === undefined) return gates;
  return [
    ...gates,
    gate(`fits the memory of ${target}`, 'E_OVER_CAPACITY'),
    ...(budgets.length > 0
      ? [gate(`stays within the budget of ${budgets.join(', ')}`, 'E_OVER_BUDGET')]
      : []),
    ...(baseline === undefined ? [] : [gate(`has not outgrown ${baseline}`, 'E_GROWTH')]),
    ...(check ? [gate('generated files are current', 'E_STALE')] : []),
  ];
}
