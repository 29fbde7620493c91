/** Plan and target to view model: every string a template prints is made here or in the files it calls. */
import { fail } from '../errors.ts';
import { numberOfType } from '../graph/data-types.ts';
import { ELEMENT_BITS, type ElementType } from '../graph/element-type.ts';
import { modelFiles, qualified } from '../plan/qualified.ts';
import { isStaged } from '../plan/stages.ts';
import type { Plan, PlanTensor } from '../plan/types.ts';
import type { Target } from '../target/types.ts';
import { offsetAlignment } from './alignment.ts';
import { checkMacros } from './clashes.ts';
import { commentText, wrap } from './comment.ts';
import { cPrefix } from './identifiers.ts';
import { unsigned, unsignedType } from './literals.ts';
import { factLines, ruleLines, stepAbout } from './prose.ts';
import { rowsOf } from './rows.ts';
import { hashHex, hashSuffix, sharedPrefix } from './symbols.ts';
import { buildTable, HOW, howName, NO_REGION } from './table.ts';
import { bucketsView } from './view-buckets.ts';
import { cachedTensors, cacheView } from './view-cache.ts';
import { copiedConstants, copyMacro } from './view-copies.ts';
import { regionViews } from './view-regions.ts';
import { ringViews } from './view-rings.ts';
import { stagesView } from './view-stages.ts';
import { modelView, placeView, tensorView } from './view-tensors.ts';
import { type HashView, type RegionView, VIEW_VERSION, type View } from './view-types.ts';

export interface ViewOptions {
  /** File name without extension. */
  readonly name: string;
  readonly arena: 'static' | 'extern' | 'pointer';
  readonly table: 'none' | 'const' | 'xmacro';
  readonly headerOnly: boolean;
  /** Gives pools what the plan leaves of each region. */
  readonly pools: boolean;
  /** Linker sections by region; '' puts the arena among ordinary data. */
  readonly sections: ReadonlyMap<string, string>;
}

/** Characters in a line of the order of steps. */
const ORDER_WIDTH = 96;

/** Throws E_USAGE when two models have one prefix, or two macros one name. */
export function viewOf(plan: Plan, target: Target, options: ViewOptions): View {
  const P = prefixOf(plan, options.name);
  checkMacros(plan);
  const p = P.toLowerCase();
  const buffers = new Map(plan.buffers.map((b) => [b.id, b]));
  const alignmentOf = (t: PlanTensor) =>
    offsetAlignment(t, t.buffer === null ? undefined : buffers.get(t.buffer));
  const tensorMacro = (t: PlanTensor) => `${plan.models[t.model]!.cPrefix}_T_${t.c}`;
  const suffix = options.arena === 'extern' ? '' : `_${hashSuffix(plan.planHash)}`;
  const regions = regionViews(plan, target, P, options.sections, alignmentOf, suffix);
  const regionOf = new Map(plan.regions.map((r, i) => [r.name, regions[i]!]));
  const table = buildTable(plan, { p, P, tensorMacro, regionOf });
  const context = { plan, regionOf, tensorMacro, alignmentOf };
  const stepDigits = String(plan.steps.length).length;
  return {
    version: VIEW_VERSION,
    schema: plan.schema,
    header: `${options.name}.h`,
    source: `${options.name}.c`,
    linker: `${options.name}.ld`,
    aliases: regions.some(({ section }) => section !== ''),
    guard: `${P}_${cPrefix(`${options.name}.h`)}_H`,
    P,
    p,
    models: plan.models.map((m, i) => modelView(m, i, context)),
    modelFiles: modelFiles(plan).map(commentText).join(' and '),
    target: `${commentText(plan.target.id)} (${commentText(plan.target.core)})`,
    hash: hashView(plan.planHash),
    facts: factLines(plan),
    rules: ruleLines(plan),
    linkNames: [...linkNames(p, regions, options, plan), ...stateNames(plan)],
    arena: {
      static: options.arena === 'static',
      extern: options.arena === 'extern',
      pointer: options.arena === 'pointer',
    },
    headerOnly: options.headerOnly,
    pools: options.pools,
    regions,
    onlyRegion: regions.length === 1 ? regions[0]! : null,
    checkable: regions.some((r) => r.checkable),
    needsInit: regions.some((r) => r.init !== ''),
    cache: cacheView(plan, P, regions),
    stages: stagesView(plan, regionOf),
    rings: ringViews(plan, regionOf, tensorMacro),
    buckets: bucketsView(plan, P, regionOf, tensorMacro),
    movesBytes:
      (plan.states ?? []).some(({ places }) => places === undefined) ||
      plan.constants.some(({ place }) => place === 'ram'),
    table: {
      none: options.table === 'none',
      const: options.table === 'const',
      xmacro: options.table === 'xmacro',
      ...table,
    },
    order: orderView(plan),
    tensors: rowsOf(plan.tensors, (t) => tensorView(t, context)),
    tensorCount: unsigned(plan.tensors.length),
    anyTensors: plan.tensors.length > 0,
    anyPlaced: plan.tensors.some((t) => t.region !== null),
    places: rowsOf(plan.tensors, (t) => placeView(t, context)),
    steps: rowsOf(qualified(plan).steps, (s) => stepAbout(s, stepDigits)),
    stepCount: unsigned(plan.steps.length),
    elementTypes: elementTypes(P),
    hows: HOW.map((how, i) => ({ name: `${P}_HOW_${howName(how)}`, code: unsigned(i) })),
    noRegion: unsigned(NO_REGION),
    reservedNames: hasReservedNames(plan, tensorMacro),
  };
}

/** Names of tensors, and of weights that have a copy. */
function hasReservedNames(plan: Plan, tensorMacro: (tensor: PlanTensor) => string): boolean {
  const isReserved = (macro: string) => `${macro}_`.includes('__');
  return (
    plan.tensors.some((tensor) => isReserved(tensorMacro(tensor))) ||
    plan.models.some((_, i) => copiedConstants(plan, i).some((copy) => isReserved(copyMacro(plan, copy))))
  );
}

/** Of a single model its own; of several what the plan calls the things that they share. Throws E_USAGE for equal ones. */
function prefixOf(plan: Plan, name: string): string {
  const { models, run } = plan;
  const prefixes = [...models.map((m) => m.cPrefix), ...(run === undefined ? [] : [run.cPrefix])];
  const twice = prefixes.find((prefix, i) => prefixes.indexOf(prefix) !== i);
  if (twice !== undefined) {
    fail('E_USAGE', `Two models have the C prefix ${twice}.`, { hint: 'rename one of the model files' });
  }
  return sharedPrefix(plan) ?? cPrefix(name);
}

function linkNames(
  p: string,
  regions: readonly RegionView[],
  options: ViewOptions,
  { cache = [], buckets, states = [], models, steps }: Plan,
): readonly string[] {
  const arrays = options.arena === 'extern' ? [] : regions.map((r) => r.array);
  const setters = options.arena === 'pointer' ? regions.map((r) => `${r.array}_set`) : [];
  const checks = regions.some((r) => r.checkable) ? [`${p}_misplaced`] : [];
  const table =
    options.table === 'const' ? ['dims', 'quants', 'table', 'tensor'].map((n) => `${p}_${n}`) : [];
  const bump = ['init', 'take', 'reset'].map((n) => `${p}_bump_${n}`);
  const maintenance = cachedTensors({ cache }).length === 0 ? [] : [`${p}_cache`, `${p}_cache_maintain`];
  const staging = isStaged({ steps }) ? [`${p}_stages`, `${p}_stage`] : [];
  const rings = states.flatMap(({ model, tensor, places }) => {
    if (places === undefined) return [];
    const helper = `${p}_input_${models[model]!.inputs.indexOf(tensor)}`;
    return ['at', 'next', 'swap'].map((n) => `${helper}_${n}`);
  });
  const sizes =
    buckets === undefined
      ? []
      : ['buckets', 'bucket_for', 'bucket_input', 'bucket_output'].map((n) => `${p}_${n}`);
  return [
    ...arrays,
    ...setters,
    ...bump,
    ...checks,
    ...maintenance,
    ...staging,
    ...rings,
    ...sizes,
    ...table,
  ];
}

function stateNames({ models, constants, steps, states = [] }: Plan): readonly string[] {
  return models.flatMap(({ cPrefix }, model) => {
    const own = states.filter((state) => state.model === model && state.places === undefined);
    const p = cPrefix.toLowerCase();
    const carries = own.some(({ how }) => how === 'copied');
    const loads = !isStaged({ steps }) && constants.some((one) => one.model === model && one.place === 'ram');
    return [
      ...(loads ? [`${p}_load_weights`] : []),
      ...(own.length > 0 ? [`${p}_reset`] : []),
      ...(carries ? [`${p}_carry`] : []),
    ];
  });
}

/** Steps of models in the file's order count on from 0 too where another model's are reordered. */
function orderView({ steps }: Plan): View['order'] {
  if (steps.every(({ index }) => index === undefined)) return null;
  const firsts = new Map<number, number>();
  for (const { model, step } of steps) if (!firsts.has(model)) firsts.set(model, step);
  const places = steps.map(({ index, step, model }) => index ?? step - firsts.get(model)!);
  const type = unsignedType(places.reduce((a, b) => Math.max(a, b), 0));
  return { type, lines: wrap(places.map(unsigned).join(', '), ORDER_WIDTH) };
}

export function hashView(planHash: string): HashView {
  const hex = hashHex(planHash);
  return { full: commentText(planHash), literal: `0x${hex.slice(0, 16)}u`, suffix: hashSuffix(planHash) };
}

function elementTypes(P: string): View['elementTypes'] {
  return (Object.keys(ELEMENT_BITS) as ElementType[])
    .sort((a, b) => numberOfType(a) - numberOfType(b))
    .map((type) => ({ name: `${P}_TYPE_${type.toUpperCase()}`, code: unsigned(numberOfType(type)) }));
}
