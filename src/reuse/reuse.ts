/** Is reuse worth it, and what would lower the peak: one plan looked at, and each single change planned again. */
import { type Diagnostic, MemplanError } from '../errors.ts';
import type { PlanRequest } from '../plan/request.ts';
import type { Plan } from '../plan/types.ts';
import type { Target } from '../target/types.ts';
import { type Ceiling, ceilingOf, type Lives, livesOf } from './ceiling.ts';
import { type Change, type ChangeKind, changesOf } from './changes.ts';

/** What a plan takes, as far as plans of one model can be compared. */
export interface Taken {
  readonly arenaBytes: number;
  readonly lowerBoundBytes: number;
  readonly optimal: boolean;
  readonly peakBytes: number;
  /** False: scratch of some kernel is not counted. */
  readonly complete: boolean;
  readonly fits: boolean;
  readonly regions: readonly {
    readonly name: string;
    readonly used: number;
    readonly capacity: number | null;
  }[];
}

export interface ReuseChange {
  readonly kind: ChangeKind;
  readonly option: string;
  readonly how: 'add' | 'leave-out';
  /** null: it cannot be planned. */
  readonly plan: Taken | null;
  /** Arena bytes more (or, negative, less) than now; null likewise. */
  readonly arenaChange: number | null;
  readonly peakChange: number | null;
  /** Why it cannot be planned. */
  readonly error: Diagnostic | null;
}

export interface ReuseReport {
  readonly schema: 1;
  readonly models: readonly string[];
  readonly target: string;
  readonly plan: Taken;
  readonly lives: Lives;
  readonly ceiling: Ceiling;
  /** The smallest arena first; of equal ones in a fixed order; last what cannot be planned. */
  readonly changes: readonly ReuseChange[];
}

/** Plans a request; what cannot be planned is thrown as MemplanError. `option`: the change that it is planned for. */
export type PlanAgain = (
  request: PlanRequest,
  option: string | undefined,
) => { readonly plan: Plan; readonly target: Target };

/** Throws what is wrong with the request itself, and faults of memplan (E_INTERNAL). */
export function reuseReport(request: PlanRequest, planAgain: PlanAgain): ReuseReport {
  const { plan, target } = planAgain(request, undefined);
  const changes = changesOf(request, plan, target).map((change) => outcome(change, plan, planAgain));
  return {
    schema: 1,
    models: plan.models.map(({ file }) => file),
    target: plan.target.id,
    plan: taken(plan),
    lives: livesOf(plan),
    ceiling: ceilingOf(plan),
    changes: [...changes].sort((a, b) => rank(a) - rank(b)),
  };
}

function rank({ plan }: ReuseChange): number {
  return plan?.arenaBytes ?? Number.POSITIVE_INFINITY;
}

function outcome({ request, ...change }: Change, now: Plan, planAgain: PlanAgain): ReuseChange {
  try {
    const { plan } = planAgain(request, change.option);
    const found = taken(plan);
    return {
      ...change,
      plan: found,
      arenaChange: found.arenaBytes - now.totals.arenaBytes,
      peakChange: found.peakBytes - now.peak.bytes,
      error: null,
    };
  } catch (error) {
    if (!(error instanceof MemplanError) || error.code === 'E_INTERNAL') throw error;
    return { ...change, plan: null, arenaChange: null, peakChange: null, error: error.diagnostics[0]! };
  }
}

function taken({ totals, peak, fits, regions }: Plan): Taken {
  const { arenaBytes, lowerBoundBytes, optimal, complete } = totals;
  return {
    ...{ arenaBytes, lowerBoundBytes, optimal, peakBytes: peak.bytes, complete, fits },
    regions: regions.map(({ name, used, capacity }) => ({ name, used, capacity })),
  };
}
