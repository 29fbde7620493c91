/** Planned graph to the view of its runner. */

import { commentText, wrap } from '../emit/comment.ts';
import { cPrefix } from '../emit/identifiers.ts';
import { ELEMENT_C, unsigned } from '../emit/literals.ts';
import { stepAbout } from '../emit/prose.ts';
import { arenaName } from '../emit/symbols.ts';
import { hashView } from '../emit/view.ts';
import { fail } from '../errors.ts';
import { elementWidth } from '../graph/element-type.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { KernelLibrary } from '../kernels/types.ts';
import type { Buffers, Schedule } from '../lifetime/types.ts';
import type { Plan } from '../plan/types.ts';
import { type Addresses, addressesOf, namesOf } from './addresses.ts';
import { callLines, tablePool } from './calls.ts';
import { checkViews } from './checks.ts';
import { type Copy, copiesOf, copiesOfOthers, withCopied } from './copies.ts';
import { type Places, placesOf } from './places.ts';
import { type Stage, stagesOf } from './stages.ts';
import { stepRows } from './step-rows.ts';
import { type LoweredStep, lowerSteps } from './steps.ts';
import { type Store, storesOf, type Wanted } from './store.ts';
import type { Call, Prepared } from './types.ts';
import type { RunnerView } from './view-types.ts';
import { readWeights } from './weights.ts';
import { weightsBlob, weightsView } from './weights-view.ts';

/** A plan with what each of its models was made from. */
export interface RunnerInput {
  readonly plan: Plan;
  readonly laid: readonly {
    readonly graph: TypedGraph;
    readonly schedule: Schedule;
    readonly buffers: Buffers;
    /** Whose kernels the steps call. */
    readonly kernels: KernelLibrary;
  }[];
}

export interface RunnerOptions {
  /** File name without extension of the plan's header. */
  readonly name: string;
  readonly arena: 'static' | 'extern' | 'pointer';
  /** Where the weights stand: in C as numbers, or in a file of bytes that the assembler includes. */
  readonly weights: 'auto' | 'c' | 'bin';
}

export interface Runner {
  readonly view: RunnerView;
  /** Files of runtime/ that define the kernels. */
  readonly families: ReadonlySet<string>;
  /** The file of weights, where there is one. */
  readonly blob: Uint8Array | undefined;
}

/** A model whose steps are calls of kernels. */
interface Lowered {
  readonly places: Places;
  readonly steps: readonly LoweredStep[];
  readonly copies: readonly Copy[];
  readonly wanted: Wanted;
}

/**
 * The runner of each model, those of buckets with the same weights. Throws E_UNSUPPORTED_KERNEL, E_WEIGHTS, and E_RULE
 * where the plan is for other kernels or not aligned for these.
 */
export function runnersOf(input: RunnerInput, options: RunnerOptions): readonly Runner[] {
  const { plan } = input;
  const lowered = plan.models.map((_, model) => lowerModel(input, model));
  const stores = storesOf(
    plan,
    lowered.map(({ wanted }) => wanted),
    options,
  );
  const first = { copies: lowered[0]!.copies, members: stores[0]!.members[0]! };
  return lowered.map((one, model) => {
    const store = stores[model]!;
    const others = plan.buckets === undefined || model === 0 ? [] : copiesOfOthers(first, store.members[0]!);
    return runnerOf(input, model, one, store, others, options);
  });
}

function lowerModel({ plan, laid }: RunnerInput, model: number): Lowered {
  checkPlan(plan, model);
  const { graph, schedule, buffers, kernels } = laid[model]!;
  const places = placesOf(graph, plan, buffers, model);
  const steps = lowerSteps({ graph, schedule, places, kernels });
  const constants = constantsOf(steps, places);
  const copies = copiesOf(plan, model, graph, constants);
  return { places, steps, copies, wanted: readWeights(graph, withCopied(constants, copies)) };
}

function runnerOf(
  { plan, laid }: RunnerInput,
  model: number,
  { places, steps, copies }: Lowered,
  store: Store,
  others: readonly Copy[],
  options: RunnerOptions,
): Runner {
  const { graph, schedule } = laid[model]!;
  const { P, p, Shared, shared } = namesOf(plan, model);
  const own = plan.steps.filter((step) => step.model === model);
  const { weights, file } = store;
  const members = store.members[0]!;
  const structure = `${store.names.p}_weights`;
  const names = fileNames(options.name, plan, model);
  const addresses = addressesOf({
    ...{ graph, plan, model, places, weights: members, store: structure },
    copies: [...others, ...copies],
    names: namesOf(plan, model),
  });
  const tables = tablePool();
  const digits = String(plan.steps.length).length;
  const stages = stagesOf(plan, copies, addresses);
  const staged = own.map(({ step }, i) => {
    const { before, behind } = stages.get(step) ?? NO_STAGE;
    return { ...steps[i]!, calls: [...before, ...steps[i]!.calls, ...behind] };
  });
  const printed = (calls: readonly Call[], addressOf: Addresses['of'], planned: readonly number[]) => {
    const scratch = (bytes: number) => addresses.scratch(planned, bytes);
    const printing = { tables, addressOf, preparedOf: addresses.weight, scratch };
    return calls.flatMap((call) => callLines(call, printing));
  };
  const stepViews = stepRows(staged, {
    about: (i) => stepAbout(own[i]!, digits),
    number: (i) => unsigned(own[i]!.step),
    lines: (i, calls) => printed(calls, addresses.of, schedule.steps[i]!.scratch),
    handedOver: (calls) => printed(calls, addresses.lasting, []),
    addressOf: (tensor) => addresses.of(tensor, 0),
  });
  const calls = staged.flatMap(callsOf);
  const lines = [...tables.lines(), ...stepViews.flatMap((step) => step.lines)];
  const scratchBytes = addresses.sharedBytes();
  const blob = file === '' ? undefined : weightsBlob(weights, plan.planHash);
  const view: RunnerView = {
    ...names,
    guard: `${P}_${cPrefix(names.header)}_H`,
    weightsHeader: store.header,
    weightsSource: store.source,
    weightsGuard: `${store.names.P}_${cPrefix(store.header)}_H`,
    ...{ W: store.names.P, w: store.names.p },
    ...{ P, p, Shared, shared },
    brings: stages.size > 0,
    copied:
      stages.size > 0 ? [] : copies.map(({ key, source }) => ({ source, from: addresses.inFlash(key) })),
    loader: others.length === 0 ? null : loaderOf(plan, options.name),
    shares: plan.buckets !== undefined && model === 0 && copies.length > 0,
    modelFile: commentText(plan.models[model]!.file),
    target: `${commentText(plan.target.id)} (${commentText(plan.target.core)})`,
    hash: hashView(plan.planHash),
    build: buildLines(names, store),
    ports: portViews(plan, model, graph, places),
    pointers: options.arena === 'pointer' ? plan.regions.map(({ c }) => arenaName(shared, c)) : [],
    scratchElements: scratchBytes === 0 ? '' : unsigned(scratchBytes / Float32Array.BYTES_PER_ELEMENT),
    scratchBytes: unsigned(scratchBytes),
    regions: addresses.regions(),
    answers: calls.some(({ answers }) => answers === true),
    needsMath: lines.some((line) => /\b(INFINITY|NAN)\b/.test(line)),
    tables: tables.lines(),
    steps: stepViews,
    watched: stepViews.some(({ step }) => step !== ''),
    weights: weights.all.length === 0 ? null : weightsView(weights, file, blob),
    checks: checkViews(plan, model, copies),
  };
  return {
    view,
    families: new Set(calls.map(({ family }) => family)),
    blob,
  };
}

function callsOf({ calls, flow }: LoweredStep): readonly Call[] {
  if (flow === undefined) return calls;
  return [
    ...calls,
    ...flow.before,
    ...flow.blocks.flatMap(({ begin, results }) => [...begin, ...results]),
    ...flow.behind,
  ];
}

const NO_STAGE: Stage = { before: [], behind: [] };

/** The first bucket makes the copies that all read. */
function loaderOf(plan: Plan, name: string): RunnerView['loader'] {
  return { p: namesOf(plan, 0).p, header: fileNames(name, plan, 0).header };
}

/** Of several models each has files of its own, but for the kernels. */
function fileNames(name: string, { models }: Plan, model: number) {
  const own = models.length === 1 ? name : `${name}_${models[model]!.cPrefix.toLowerCase()}`;
  return {
    poolHeader: `${name}.h`,
    header: `${own}_runner.h`,
    source: `${own}_runner.c`,
    kernelsSource: `${name}_kernels.c`,
  };
}

/** Kernels are those of the project, in its layout, and read whole elements, which cores may refuse at odd addresses. */
function checkPlan({ assumptions, models, tensors, regions }: Plan, model: number): void {
  const { kernels, layout, assume, scaleInput, weightBits, ranges, maxSizes, bounds } = {
    ...assumptions,
    ...models[model]!.assumptions,
  };
  const isOwn = ['none', 'reference'].includes(kernels) && layout === 'nchw';
  if (!isOwn && kernels !== 'cmsis-nn') {
    const hint = '--kernels reference, or --kernels cmsis-nn';
    fail(
      'E_RULE',
      `The runner calls memplan's own kernels in nchw, or CMSIS-NN; the plan is for ${kernels} in ${layout}.`,
      { hint },
    );
  }
  if (assume !== undefined || scaleInput !== undefined || weightBits !== undefined) {
    const hint = 'leave out --assume, --scale-input and --weight-bits';
    fail('E_RULE', 'The plan is an estimate for a model that does not exist: it cannot run.', { hint });
  }
  if (ranges !== undefined || maxSizes !== undefined || bounds !== undefined) {
    const hint = 'one size for each dimension: --dim NAME=N';
    fail('E_RULE', 'The runner calls kernels for one size of each tensor; the plan is for ranges of sizes.', {
      hint,
    });
  }
  const alignments = new Map(regions.map(({ name, alignment }) => [name, alignment]));
  const odd = tensors.filter(({ type, region, offset }) => {
    const places = offset === null ? [] : [offset, alignments.get(region!)!];
    return places.some((bytes) => bytes % elementWidth(type) !== 0);
  });
  if (odd.length === 0) return;
  const named = odd.slice(0, 3).map(({ name }) => name);
  const least = odd.reduce((most, { type }) => Math.max(most, elementWidth(type)), 1);
  fail('E_RULE', `Kernels need tensors aligned to their elements, and these are not: ${named.join(', ')}.`, {
    hint: `--align ${least}, or no --align`,
  });
}

/** Tensors and prepared constants that the steps name, each once. */
function constantsOf(steps: readonly LoweredStep[], places: Places): readonly (number | Prepared)[] {
  const found = new Map<number | string, number | Prepared>();
  for (const argument of steps.flatMap(callsOf).flatMap((call) => call.arguments)) {
    if (argument.kind === 'prepared') found.set(argument.constant.name, argument.constant);
    else if (argument.kind === 'tensor' && places.of(argument.tensor)?.kind === 'constant')
      found.set(argument.tensor, argument.tensor);
  }
  return [...found.values()];
}

/** The pointers that the caller fills in, each under the position of its tensor. */
function portViews(plan: Plan, model: number, graph: TypedGraph, places: Places): RunnerView['ports'] {
  const indexes = new Map(graph.tensors.map(({ name }, index) => [name, index]));
  const views = (direction: 'input' | 'output', tensors: readonly string[]) =>
    tensors.flatMap((tensor, position) => {
      const place = places.of(indexes.get(tensor)!);
      if (place?.kind !== 'port' || place.port.direction !== direction || place.port.position !== position)
        return [];
      const { type, shape } = places.planned(indexes.get(tensor)!)!;
      const name = `${direction}_${position}`;
      const element = direction === 'input' ? `const ${ELEMENT_C[type]}` : ELEMENT_C[type];
      return [
        {
          name,
          declaration: `${element} *${name};`,
          local: `${element} *const ${name} = ports->${name};`,
          about: `${commentText(tensor)}: ${type}[${shape.join(',')}]`,
        },
      ];
    });
  const { inputs, outputs } = plan.models[model]!;
  return [...views('input', inputs), ...views('output', outputs)];
}

function buildLines(
  names: ReturnType<typeof fileNames>,
  { weights, source, file }: Store,
): readonly string[] {
  const sources = [names.source, ...(weights.all.length > 0 ? [source] : []), names.kernelsSource];
  const include = file === '' ? '' : ` The assembler must find ${file} (-I and its folder).`;
  return wrap(
    `Compile ${sources.join(', ')} and the source of ${names.poolHeader} with -ffunction-sections` +
      ` -fno-strict-aliasing -ffp-contract=off, and link with --gc-sections and the C library's mathematics.${include}`,
    100,
  );
}
