/** The small models of the corpus whose sizes are known: every policy, every alignment, to the byte. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MemplanError } from '../src/errors.ts';
import { planModel } from '../src/pipeline.ts';
import type { PlanRequest } from '../src/plan/request.ts';
import type { Plan } from '../src/plan/types.ts';
import { type Bindings, NO_BINDINGS } from '../src/shape/types.ts';
import { CORPUS_MISSING, corpus } from './support/corpus.ts';
import { requestOf } from './support/planned.ts';

type Bind = Readonly<Record<string, number | readonly number[]>>;

interface Case {
  readonly name: string;
  readonly valid: boolean;
  readonly accept: string | null;
  readonly expected_error: { readonly when?: string; readonly must_mention: readonly string[] } | null;
  readonly plans: readonly {
    readonly bind: Bind | null;
    /** Arena bytes by policy and alignment. */
    readonly peaks: Readonly<Record<string, Readonly<Record<string, number>>>>;
  }[];
}

/** What each policy of the cases means in options. Alignment and size rounding are the same number there. */
const POLICIES: Readonly<Record<string, Partial<PlanRequest>>> = {
  reuse: { inPlace: false, views: false },
  preserve: { inPlace: false, views: false, preserveInputs: true },
  inplace: {},
  inplaceKeepIn: { inPlaceInputs: false },
  inplacePreserve: { preserveInputs: true },
};

const folder = corpus();
const cases: readonly Case[] =
  folder === undefined ? [] : JSON.parse(readFileSync(join(folder, 'data', 'cases', 'INDEX.json'), 'utf8'));

/** Options that make a case with a condition fail as it must; without a condition: the model alone. */
const CONDITIONS: Readonly<Record<string, Partial<PlanRequest>>> = {
  '--target stm32h743': { target: 'stm32h743' },
};

/** Cases that accept a plan or an error that names the place, where we give the error: its code. */
const REFUSED: Readonly<Record<string, string>> = { if_branches_differ: 'E_UNRESOLVED' };

const plans: Plan[] = [];

function planCase(name: string, request: Partial<PlanRequest>): Plan {
  const file = join(folder!, 'data', 'cases', `${name}.onnx`);
  const { plan } = planModel(requestOf({ models: [file], target: 'cortex-m7', elide: false, ...request }));
  plans.push(plan);
  return plan;
}

function bindings(bind: Bind | null): Bindings {
  const given = Object.entries(bind ?? {});
  return {
    ...NO_BINDINGS,
    dims: new Map(given.filter((entry): entry is [string, number] => typeof entry[1] === 'number')),
    inputShapes: new Map(
      given.filter((entry): entry is [string, readonly number[]] => typeof entry[1] !== 'number'),
    ),
  };
}

describe.skipIf(folder === undefined)(
  `cases of the corpus${folder === undefined ? ` (${CORPUS_MISSING})` : ''}`,
  () => {
    const sized = cases.filter(({ valid, name }) => valid && REFUSED[name] === undefined);
    it.each(sized)('$name: the bytes of every policy at every alignment', ({ name, plans }) => {
      expect(plans.length).toBeGreaterThan(0);
      for (const { bind, peaks } of plans) {
        for (const [policy, sizes] of Object.entries(peaks)) {
          const bytes = Object.keys(sizes).map((align) => {
            const request = { ...POLICIES[policy]!, align: Number(align), sizeRound: Number(align) };
            return [align, planCase(name, { ...request, bindings: bindings(bind) }).totals.arenaBytes];
          });
          expect({ policy, ...Object.fromEntries(bytes) }).toEqual({ policy, ...sizes });
        }
      }
    });

    const failing = cases.filter(({ expected_error, accept, name }) => {
      return expected_error !== null && (accept === null || REFUSED[name] !== undefined);
    });
    it.each(failing)('$name: an error that names the place', ({ name, expected_error }) => {
      const { when, must_mention: mentions } = expected_error!;
      let faults: MemplanError['diagnostics'] = [];
      try {
        const { diagnostics } = planCase(name, CONDITIONS[when ?? ''] ?? {});
        faults = diagnostics.filter(({ kind }) => kind === 'error');
      } catch (error) {
        if (!(error instanceof MemplanError)) throw error;
        faults = error.diagnostics;
        expect(error.exitCode).toBe(2);
        if (REFUSED[name] !== undefined) expect(error.code).toBe(REFUSED[name]);
      }
      const text = faults.map((fault) => `${fault.text} ${fault.hint ?? ''}`).join('\n');
      for (const mention of mentions) expect(text).toContain(mention);
      expect(text).not.toBe('');
    });

    it('two_regions_needed: fits on stm32h743, in two memories', () => {
      const { fits, regions, totals } = planCase('two_regions_needed', { target: 'stm32h743' });
      expect(fits).toBe(true);
      expect(regions.map(({ name, used }) => [name, used])).toEqual([
        ['AXISRAM', 491520],
        ['DTCM', 98304],
      ]);
      expect(totals.arenaBytes).toBe(589824);
    });

    it('value_info_too_small: the declared shape does not win silently', () => {
      const { diagnostics } = planCase('value_info_too_small', {});
      expect(diagnostics.find(({ code }) => code === 'W_DECLARED_SHAPE')?.text).toContain('h');
    });

    it('unknown_domain_op_with_value_info: trusted with a warning', () => {
      const { diagnostics } = planCase('unknown_domain_op_with_value_info', {});
      expect(diagnostics.map(({ code }) => code)).toContain('W_UNKNOWN_OP');
    });

    it('covers every case', () => {
      const covered = new Set([...sized, ...failing].map(({ name }) => name));
      const models = readdirSync(join(folder!, 'data', 'cases')).filter((file) => file.endsWith('.onnx'));
      expect(models.filter((file) => !covered.has(file.replace(/\.onnx$/, '')))).toEqual([]);
      expect(models.length).toBe(47);
    });

    const checker = folder === undefined ? '' : join(folder, 'tools', 'check_plan.py');
    const python = spawnSync('python3', ['--version']).status === 0;
    it.skipIf(!python)(
      `a second checker finds nothing either${python ? '' : ' (there is no python3)'}`,
      () => {
        const out = mkdtempSync(join(tmpdir(), 'memplan-'));
        afterAll(() => rmSync(out, { recursive: true }));
        const files = plans
          .filter(({ fits }) => fits)
          .map((plan, index) => {
            const file = join(out, `${index}.json`);
            writeFileSync(file, JSON.stringify(plan));
            return file;
          });
        expect(files.length).toBeGreaterThan(500);
        const { stdout, status } = spawnSync('python3', [checker, ...files], { encoding: 'utf8' });
        expect(stdout).toBe(`${files.length} plans, 0 broken promises\n`);
        expect(status).toBe(0);
      },
    );
  },
);
