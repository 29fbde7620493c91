/** Random networks, planned in random ways, give the numbers of onnxruntime, with every kernel watched by the check build. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import type { PlanRequest } from '../../src/plan/request.ts';
import { createChance } from '../fuzz/chance.ts';
import { emptyFolder } from '../support/generated.ts';
import {
  checked,
  type Difference,
  differences,
  emitRunner,
  inferOnHost,
  runOracle,
  wrong,
} from '../support/inference.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing } from '../support/tools.ts';
import { controlledNetwork, randomNetwork } from './networks.ts';
import { quantised } from './quantised.ts';
import { inTwoRegions } from './ways.ts';

const RUNS = 3;
const SEED = Number(process.env.MEMPLAN_SEED ?? 1) * 10_000;
const COUNT = Number(process.env.MEMPLAN_COUNT ?? 25);

/** How the network of a seed is planned, and whether in two regions. */
function randomWay(seed: number): { readonly request: Partial<PlanRequest>; readonly apart: boolean } {
  const g = createChance(seed, 17);
  const io = g.one(4) ? 'external' : 'arena';
  return {
    request: {
      ...{ inPlace: !g.one(4), inPlaceInputs: !g.one(4), views: !g.one(4), elide: !g.one(4), io },
      ...{ asyncIo: g.one(6), preserveInputs: g.one(6) },
      schedule: g.pick('model', 'min-peak'),
      fuse: g.pick('none', 'default'),
      strategy: g.pick('auto', 'auto', 'size', 'skyline', 'two-ended'),
      weights: g.pick('flash', 'stage', 'stage', 'ram', 'hybrid'),
      ...{ align: g.pick(undefined, 4, 16, 64), guard: g.pick(0, 0, 1, 24), sizeRound: g.pick(1, 1, 32) },
    },
    apart: g.one(4),
  };
}

/**
 * Integers: onnxruntime computes with floats between them, so that now and then one is rounded the other way, and what
 * follows from it too. A tensor in the wrong place is wrong all over.
 */
const mostlyWrong = (found: readonly Difference[]) =>
  found.filter(({ count, total }) => count > 0.15 * total + 4);

const FORMS = [
  ['float32', randomNetwork, wrong],
  ['with control flow', controlledNetwork, wrong],
  ['quantised', (seed: number) => quantised(randomNetwork(seed), seed), mostlyWrong],
] as const;

const oracle = hasOracle();

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    describe.each(FORMS)('%s', (_, bytesOf, problems) => {
      let ran = 0;
      it.each(Array.from({ length: COUNT }, (_, i) => SEED + i))(
        'seed %i',
        { timeout: 600_000 },
        async (seed) => {
          const dir = emptyFolder();
          const path = join(dir, 'net.onnx');
          writeFileSync(path, bytesOf(seed));
          const { request, apart } = randomWay(seed);
          const emitted = tryEmit(dir, path, apart ? inTwoRegions(dir, [path], request) : request);
          if (emitted === undefined) return;
          const expected = runOracle(emitted, path, RUNS);
          const { status, output } = await inferOnHost(checked(emitted), RUNS);
          expect(status, `${output}${JSON.stringify(request)}`).toBe(0);
          expect(problems(differences(emitted, expected)), JSON.stringify(request)).toEqual([]);
          ran++;
        },
      );

      it('most can be run', () => {
        expect(ran).toBeGreaterThan(COUNT * 0.6);
      });
    });
  },
);

/** Undefined where the network has an operator without a kernel, or the runner a form that it does not know. */
function tryEmit(dir: string, path: string, request: Partial<PlanRequest>) {
  try {
    return emitRunner(dir, { ...request, models: [path] });
  } catch (error) {
    const codes = error instanceof MemplanError ? error.diagnostics.map(({ code }) => code) : [];
    if (codes.length === 0 || codes.some((code) => !REFUSED.has(code))) throw error;
    if (process.env.MEMPLAN_COUNT !== undefined) console.log((error as Error).message);
    return undefined;
  }
}

const REFUSED: ReadonlySet<string> = new Set(['E_UNSUPPORTED_KERNEL', 'E_RULE']);
