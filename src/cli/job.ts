/** The main job: what to plan, what to write, what to gate. */
import type { RenderOptions } from '../emit/render.ts';
import { diagnostic, fail } from '../errors.ts';
import type { PlanRequest } from '../plan/request.ts';
import { checkOptions } from './check-options.ts';
import { parseReport, type ReportRequest } from './ci-report-names.ts';
import type { Faults } from './faults.ts';
import { parseName, parseSection } from './names.ts';
import type { Invocation } from './program.ts';
import { type PlanOptions, readRequest } from './request.ts';
import { parseFactors, parsePercent, parseSet } from './values.ts';

export interface Job {
  readonly request: PlanRequest;
  /** Models and target as they were given. */
  readonly given: { readonly models: readonly string[]; readonly target: string };
  /** Folder of the files, as it was given. */
  readonly out: string;
  /** Their name without extension. */
  readonly base: string;
  readonly emit: readonly string[];
  /** How the C looks. */
  readonly render: RenderOptions;
  /** How a runner carries its weights. */
  readonly runnerWeights: 'auto' | 'c' | 'bin';
  /** The folder with templates of the user: as it was given, and where it is. */
  readonly templates: { readonly given: string; readonly dir: string } | undefined;
  readonly check: boolean;
  /** As they were given. */
  readonly depfile: string | undefined;
  readonly stamp: string | undefined;
  readonly baseline: string | undefined;
  /** Percent over the baseline. */
  readonly maxGrowth: number;
  /** Resolutions to compare; nothing is written then. Empty: the main job. */
  readonly scales: readonly number[];
  readonly map: boolean;
  /** What CI services are told. */
  readonly reports: readonly ReportRequest[];
  /** The configuration that was used, as one would type it. */
  readonly config: string | undefined;
}

interface JobOptions extends PlanOptions {
  readonly out?: string;
  readonly name?: string;
  readonly emit?: string;
  readonly arena?: NonNullable<RenderOptions['arena']>;
  readonly table?: NonNullable<RenderOptions['table']>;
  readonly headerOnly?: boolean;
  readonly runnerWeights?: Job['runnerWeights'];
  readonly templates?: string;
  readonly section?: readonly string[];
  readonly check?: boolean;
  readonly depfile?: string;
  readonly stamp?: string;
  readonly baseline?: string;
  readonly maxGrowth?: string;
  readonly scaleInput?: string;
  readonly map?: boolean;
  readonly report?: readonly string[];
  readonly watch?: boolean;
  readonly anytime?: boolean;
  readonly json?: boolean;
}

/**
 * Reads the options of one job; its command line and its configuration are one by now. Faults go to `found`; the job
 * is complete only when there are none.
 */
export function readJob(
  invocation: Invocation,
  at: (path: string) => string,
  found: Faults,
  config?: string,
): Job {
  checkOptions(invocation, found);
  const options: JobOptions = invocation.options;
  const name = found.attempt(() => parseName('--name', options.name ?? 'tensor_memory_pool'), '');
  const emit = found.attempt(() => parseSet('--emit', options.emit ?? 'h,c'), []);
  const job: Job = {
    request: readRequest(
      invocation.operands,
      emit.includes('runner') ? runnable(options) : options,
      at,
      found,
    ),
    given: { models: invocation.operands, target: options.target ?? '' },
    out: options.out ?? '.',
    base: name,
    emit,
    render: {
      name,
      arena: options.arena ?? 'static',
      table: options.table ?? 'const',
      headerOnly: options.headerOnly ?? false,
      pools: emit.includes('pool'),
      sections: parseSections(options.section ?? [], found),
    },
    runnerWeights: options.runnerWeights ?? 'auto',
    templates:
      options.templates === undefined ? undefined : { given: options.templates, dir: at(options.templates) },
    check: options.check ?? false,
    depfile: options.depfile,
    stamp: options.stamp,
    baseline: options.baseline,
    maxGrowth: found.attempt(() => parsePercent('--max-growth', options.maxGrowth ?? '0%'), 0),
    scales:
      options.scaleInput === undefined
        ? []
        : found.attempt(() => parseFactors('--scale-input', options.scaleInput!), []),
    map: options.map ?? false,
    reports: (options.report ?? []).flatMap((text) =>
      found.attempt(() => [parseReport('--report', text)], []),
    ),
    config,
  };
  checkTogether(options, found);
  return job;
}

/** A runner calls the project's own kernels, so a plan for it counts on them unless another library is asked for. */
function runnable(options: JobOptions): JobOptions {
  return { kernels: 'reference', ...options };
}

/** `REGION=NAME`; an empty name puts the arena among ordinary data. */
function parseSections(texts: readonly string[], found: Faults): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  for (const text of texts) {
    found.attempt(() => {
      const { name, value } = parseSection('--section', text);
      if (sections.has(name)) fail('E_USAGE', `--section: ${name} is given twice`);
      sections.set(name, value);
    }, undefined);
  }
  return sections;
}

function checkTogether(options: JobOptions, found: Faults): void {
  const { check, depfile, stamp, baseline, emit } = options;
  for (const [flag, given] of Object.entries({ check, depfile, stamp, baseline, emit })) {
    if (options.scaleInput === undefined || given === undefined) continue;
    const hint = 'export the model for the resolution you choose, and plan that';
    found.add(
      diagnostic('E_USAGE', `--scale-input writes no files: --${flag} has no place beside it`, { hint }),
    );
  }
  if (options.watch === true && options.json === true) {
    const hint = '--emit json keeps plan.json up to date';
    found.add(diagnostic('E_USAGE', '--watch has no end, so it has no place beside --json', { hint }));
  }
  if (options.watch === true && options.anytime === true) {
    const hint = 'bound the search with --effort N';
    found.add(diagnostic('E_USAGE', 'Ctrl-C ends --watch, so --anytime has no place beside it', { hint }));
  }
  if (options.maxGrowth !== undefined && options.baseline === undefined) {
    found.add(
      diagnostic('E_USAGE', '--max-growth says nothing without a plan to compare with', {
        hint: `--baseline plan.json --max-growth ${options.maxGrowth}`,
      }),
    );
  }
}
