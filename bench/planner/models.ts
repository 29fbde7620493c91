/** The real models of the corpus and of examples/, and the small cases with known optima, planned as a user would. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemplanError } from '../../src/errors.ts';
import { readModel } from '../../src/model/read.ts';
import { planModel } from '../../src/pipeline.ts';
import { type PlanRequest, planRequest } from '../../src/plan/request.ts';
import type { Plan } from '../../src/plan/types.ts';
import { inferShapes } from '../../src/shape/infer.ts';
import { type Bindings, NO_BINDINGS } from '../../src/shape/types.ts';
import { recordedBindings } from '../../test/support/truth.ts';
import { timed } from './measure.ts';

export interface ModelRow {
  readonly name: string;
  readonly steps: number;
  readonly buffers: number;
  readonly bytes: number;
  readonly bound: number;
  readonly optimal: boolean;
  /** CPU milliseconds of all but reading and shapes: order, sharing, packing, checking; the least of some runs. */
  readonly planning: number;
}

/** The first run of a process also compiles the program, and other processes disturb each of them. */
const RUNS = 5;

const open: Bindings = { ...NO_BINDINGS, all: 1 };

/** Models that can be planned, with default settings. */
export function modelRows(root: string, shared: string): readonly ModelRow[] {
  return files(root, shared).flatMap(({ path, name }) => {
    try {
      const { graph } = readModel(path);
      const bindings = recordedBindings(shared, name, graph) ?? open;
      const before = Array.from({ length: RUNS }, () =>
        timed(() => inferShapes(readModel(path).graph, bindings)),
      );
      const runs = Array.from({ length: RUNS }, () =>
        timed(() => planModel(planRequest({ models: [path], target: 'stm32h743zi', bindings })).plan),
      );
      const ms = Math.min(...runs.map((run) => run.ms));
      const [{ result }] = runs as [(typeof runs)[number]];
      const { totals, steps, buffers } = result;
      return [
        {
          ...{ name, steps: steps.length, buffers: buffers.length },
          ...{ bytes: totals.arenaBytes, bound: totals.lowerBoundBytes, optimal: totals.optimal },
          planning: Math.max(0, ms - Math.min(...before.map((run) => run.ms))),
        },
      ];
    } catch (error) {
      if (error instanceof MemplanError && error.code !== 'E_INTERNAL') return [];
      throw error;
    }
  });
}

function files(root: string, shared: string): readonly { path: string; name: string }[] {
  const examples = readdirSync(join(root, 'examples'), { withFileTypes: true });
  const folders = examples
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, 'examples', name));
  return [join(shared, 'data/models'), ...folders].flatMap((folder) => {
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    return names
      .filter(({ name }) => name.endsWith('.onnx'))
      .map(({ name }) => ({ path: join(folder, name), name: name.slice(0, -'.onnx'.length) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  });
}

/** What each policy of the cases means in options. */
const POLICIES: Readonly<Record<string, Partial<PlanRequest>>> = {
  reuse: { inPlace: false, views: false },
  preserve: { inPlace: false, views: false, preserveInputs: true },
  inplace: {},
  inplaceKeepIn: { inPlaceInputs: false },
  inplacePreserve: { preserveInputs: true },
};

interface Case {
  readonly name: string;
  readonly valid: boolean;
  readonly plans: readonly {
    readonly bind: Readonly<Record<string, number | readonly number[]>> | null;
    /** Arena bytes by policy and alignment. */
    readonly peaks: Readonly<Record<string, Readonly<Record<string, number>>>>;
  }[];
}

export interface CaseRow {
  readonly policy: string;
  /** Combinations of model, sizes and alignment. */
  readonly count: number;
  /** Of those, as small as the known optimum, and proved so. */
  readonly proved: number;
}

/** By policy, without the cases that are refused: views and writes in place are chosen together with the packing there. */
export function caseRows(shared: string): readonly CaseRow[] {
  const folder = join(shared, 'data/cases');
  const cases = JSON.parse(readFileSync(join(folder, 'INDEX.json'), 'utf8')) as readonly Case[];
  return Object.entries(POLICIES).map(([policy, options]): CaseRow => {
    const runs = cases
      .filter(({ valid }) => valid)
      .flatMap(({ name, plans }) =>
        plans.flatMap(({ bind, peaks }) =>
          Object.entries(peaks[policy] ?? {}).map(([align, bytes]) => {
            const given = Object.entries(bind ?? {});
            const bindings: Bindings = {
              ...NO_BINDINGS,
              dims: new Map(given.filter((entry): entry is [string, number] => typeof entry[1] === 'number')),
              inputShapes: new Map(
                given.filter((entry): entry is [string, readonly number[]] => typeof entry[1] !== 'number'),
              ),
            };
            const aligned = { align: Number(align), sizeRound: Number(align), kernels: 'none' };
            const plan = planned({
              models: [join(folder, `${name}.onnx`)],
              target: 'cortex-m7',
              bindings,
              elide: false,
              ...aligned,
              ...options,
            });
            return plan && plan.totals.arenaBytes === bytes && plan.totals.optimal;
          }),
        ),
      );
    const known = runs.filter((isBest) => isBest !== undefined);
    return { policy, count: known.length, proved: known.filter(Boolean).length };
  });
}

function planned(request: Parameters<typeof planRequest>[0]): Plan | undefined {
  try {
    return planModel(planRequest(request)).plan;
  } catch (error) {
    if (error instanceof MemplanError) return undefined;
    throw error;
  }
}
