/** The sentences of the generated comments. Whatever comes from the model passes through `commentText`. */

import { percent } from '../percent.ts';
import { isStaged } from '../plan/stages.ts';
import type {
  Assumptions,
  Plan,
  PlanBucket,
  PlanRegion,
  PlanStep,
  PlanTensor,
  TensorName,
} from '../plan/types.ts';
import { validSizes } from '../plan/valid-sizes.ts';
import { commentText, wrap } from './comment.ts';

const WIDTH = 96;

/** `batch=1, seq=64` */
export function sizesText({ sizes }: PlanBucket): string {
  return sizes.map(({ name, size }) => `${name}=${size}`).join(', ');
}

/** How full each region is, as bullet lines. */
export function factLines(plan: Plan): readonly string[] {
  const regions = plan.regions.map(
    (r) => `${r.name}: ${fill(r)}. ${proof(r)}. The peak is at step ${r.peak.step}.`,
  );
  const { weightBytes } = plan.totals;
  const { copyBytes = 0 } = plan.totals;
  const copied = copyBytes > 0 ? ` Copies of them take ${copyBytes} bytes of the arenas.` : '';
  const weights = weightBytes > 0 ? `Weights, outside the arenas: ${weightBytes} bytes.${copied}` : '';
  return bullets([...regions, weights]);
}

/** What the plan relies on, as bullet lines. */
export function ruleLines(plan: Plan): readonly string[] {
  const a = plan.assumptions;
  const some = (how: PlanTensor['how']) => plan.tensors.some((t) => t.how === how);
  return bullets([
    estimateRule(a),
    boundsRule(a),
    a.schedule === 'model'
      ? "Steps run one after another, in the order at the end of this file: the model's own."
      : "Steps run one after another, in the order at the end of this file, which may not be the model's own.",
    ...runRules(plan),
    ...kernelRules(plan),
    plan.steps.some((s) => s.fused.length > 1)
      ? 'A step "with" other nodes does their work in the same kernel call.'
      : '',
    'Live ranges are half-open: "live [1, 3)" means during steps 1 and 2. Tensors that share bytes are' +
      ' disjoint in time, but for a view and its source.',
    isStaged(plan)
      ? 'A step reads its weights from copies that are brought while the step before it runs.'
      : '',
    some('in-place') ? 'A kernel marked "in place" writes its output over that input.' : '',
    some('view') ? 'A step whose output is a view has nothing to do.' : '',
    some('elided')
      ? 'A Concat or Split does not copy parts that are marked "elided": they lie in place.'
      : '',
    plan.steps.some((s) => s.scratch !== undefined)
      ? 'A step "works in" the scratch of its kernel, whose bytes mean nothing before and after.'
      : '',
    slackRule(a),
    a.asyncIo ? 'Inputs may be filled and outputs drained during a run.' : '',
    'One byte holds values of different types in turn: build with -fno-strict-aliasing, or go through' +
      ' memcpy, wherever the compiler applies its aliasing rules.',
  ]);
}

/** The plan of a model that does not exist yet. */
function estimateRule({ assume, scaleInput, weightBits }: Assumptions): string {
  const changes = [
    ...(assume === undefined ? [] : [`its floats are counted as ${assume}, its biases as int32`]),
    ...(scaleInput === undefined ? [] : [`its images are scaled by ${scaleInput}`]),
    ...(weightBits === undefined ? [] : [`its quantised weights take ${weightBits} bits each in flash`]),
  ];
  return changes.length === 0
    ? ''
    : `ESTIMATE: this is no plan for the model as it is, for ${changes.join(', and ')}.`;
}

/** The sizes that the plan is good for. */
function boundsRule(assumptions: Assumptions): string {
  const bounds = validSizes(assumptions, commentText);
  return bounds.length === 0
    ? ''
    : `BOUNDS: valid for ${bounds.join(', ')}. Sizes and shapes marked "at most" are the largest; what runs must check its sizes.`;
}

function slackRule({ slack, io }: Assumptions): string {
  if (slack === undefined) return '';
  const callers = io === 'external' ? '; keep as many behind inputs and outputs' : '';
  return `Behind every buffer ${slack} bytes are unused: kernels may read past its end${callers}.`;
}

/** The file of a model; of a bucket its sizes too. */
export function modelTitle({ models, buckets }: Pick<Plan, 'models' | 'buckets'>, index: number): string {
  const { file } = models[index]!;
  return buckets === undefined ? file : `${file} for ${sizesText(buckets[index]!)}`;
}

/** When several models may run, and whose bytes outlive their run. */
function runRules(plan: Plan): readonly string[] {
  const { models, run } = plan;
  if (run === undefined) return [];
  if (plan.buckets !== undefined) return [bucketRule(plan.buckets)];
  const names = (indexes: readonly number[]) => indexes.map((i) => commentText(models[i]!.file)).join(', ');
  const called = (name: TensorName) =>
    `${commentText(name.tensor)} of ${commentText(models[name.model]!.file)}`;
  const together = run.parts.map((part) =>
    part.models.length === 1
      ? ''
      : part.order === 'any'
        ? `Never two of these at once, in any order: ${names(part.models)}. Read the outputs of one before another runs.`
        : `One after another, in this order: ${names(part.models)}. Read outputs before the next one runs.`,
  );
  const apart =
    run.parts.length > 1
      ? `These may run at the same time, and share no byte: ${run.parts.map(({ models: own }) => names(own)).join('; ')}.`
      : '';
  return [
    ...together,
    apart,
    ...run.holds.map((name) => `${called(name)} keeps its bytes while others run.`),
    ...run.links.map(
      ({ from, to }) => `${called(to)} lies in the bytes of ${called(from)}: nothing to copy.`,
    ),
  ];
}

function bucketRule(buckets: readonly PlanBucket[]): string {
  const all = buckets.map((bucket) => commentText(sizesText(bucket))).join('; ');
  return (
    `BUCKETS: each run is one of exactly these sizes: ${all}. Pad an input of other sizes to the next bucket. Read the` +
    ' outputs before the next run, of whichever bucket.'
  );
}

/** One for all models, or one for each where they differ. */
function kernelRules({ models, assumptions, totals }: Plan): readonly string[] {
  if (models.every((model) => model.assumptions === undefined))
    return [kernelRule(assumptions, totals.complete)];
  return models.map(
    ({ file, assumptions: own }) =>
      `${commentText(file)}: ${kernelRule({ ...assumptions, ...own }, totals.complete)}`,
  );
}

function kernelRule(a: Assumptions, complete: boolean): string {
  const order =
    a.layout === 'nhwc'
      ? 'Tensors of three and more dimensions have their axis 1, the channels, last in memory (NHWC)'
      : 'Tensors are laid out as in the model';
  const scratch = complete
    ? 'scratch memory is counted'
    : 'scratch memory of kernels is not counted, so the sizes are lower bounds';
  if (a.kernels === 'none') return `${order}; no kernel library is assumed, and ${scratch}.`;
  const version = a.kernelsVersion === null ? '' : ` ${a.kernelsVersion}`;
  const build = a.kernelsBuild === null ? '' : `, ${a.kernelsBuild} build`;
  return `${order}; kernels: ${commentText(`${a.kernels}${version}${build}`)}; fusions: ${a.fuse}; ${scratch}.`;
}

function fill(r: PlanRegion): string {
  if (r.capacity === null) return `${r.used} bytes; how much there is, is not known`;
  const reserved = r.reserved > 0 ? `, ${r.reserved} reserved` : '';
  const share = r.capacity > 0 ? ` (${percent(r.used, r.capacity)})` : '';
  return `${r.used} of ${r.capacity} bytes${share}${reserved}`;
}

function proof(r: PlanRegion): string {
  if (r.optimal) return 'No plan for these live ranges and aliases is smaller';
  return `The lower bound is ${r.lowerBound}`;
}

/** The comment on an arena. */
export function regionAbout(r: PlanRegion): string {
  const at = r.origin === null ? '' : ` at 0x${r.origin.toString(16).toUpperCase().padStart(8, '0')}`;
  const size = r.capacity === null ? 'size not known' : `${r.capacity} bytes`;
  return `${r.name}: ${size}${at}`;
}

/** Type, shape, role, live range and alias of a tensor. */
export function tensorAbout(t: PlanTensor, { states = [] }: Pick<Plan, 'states'>): string {
  const shape = `${t.type}[${t.shape.join(',')}]${mostOf(t)}`;
  const places = states.find(({ model, tensor }) => model === t.model && tensor === t.name)?.places;
  const plain = t.role === 'activation' ? '' : `, ${t.role}`;
  const role = places === undefined ? plain : `, input with ${places} places`;
  return `${commentText(t.name)}: ${shape}${role}, live [${t.first}, ${t.end})${alias(t)}`;
}

/** What a run may have less of. */
function mostOf({ sizes }: PlanTensor): string {
  return sizes === undefined ? '' : ` at most, in a run [${sizes.map(commentText).join(',')}]`;
}

function alias(t: PlanTensor): string {
  if (t.how === 'external') return ', owned by the caller';
  if (t.aliasOf === null || t.how === 'own') return '';
  const words = { view: 'a view of', 'in-place': 'in place over', elided: 'elided, a part of' };
  return `, ${words[t.how]} ${commentText(t.aliasOf)}`;
}

/** What becomes of the bytes of a graph input or output around a run. */
export function portNote(direction: 'input' | 'output', t: PlanTensor, plan: Plan): string {
  if (t.region === null) return 'The caller owns its bytes.';
  const { run } = plan;
  const names = ({ model, tensor }: TensorName) => model === t.model && tensor === t.name;
  const held = run?.holds.some(names) === true;
  if (direction === 'output') {
    if (run === undefined || plan.buckets !== undefined) return 'Read it before the next run.';
    return held ? 'It keeps its bytes while other models run.' : 'Read it before the next run of any model.';
  }
  const state = plan.states?.find(({ model, tensor }) => model === t.model && tensor === t.name);
  if (state?.places !== undefined)
    return 'It is the place that a run reads; a DMA may fill the next one meanwhile.';
  if (state !== undefined) return 'It keeps its value from run to run: nothing to fill.';
  const link = run?.links.find(({ to }) => names(to));
  if (link !== undefined) {
    const from = plan.models[link.from.model]!;
    return `Nothing to fill: it is ${commentText(link.from.tensor)} of ${commentText(from.file)}.`;
  }
  const end = plan.steps.findLast(({ model }) => model === t.model)?.step ?? 0;
  if (t.end > end) return 'It keeps its bytes to the end of the run.';
  return `Fill it before every run: its bytes are used anew from step ${t.end}.`;
}

/** One line of the order of steps. */
export function stepAbout(s: PlanStep, width: number): string {
  const names = (list: readonly string[]) => list.map(commentText).join(', ') || '-';
  const path = s.path === '' ? '' : ` in ${commentText(s.path)}`;
  const others = s.fused.filter((label) => label !== s.node);
  const fused = others.length > 0 ? ` with ${names(others)}` : '';
  const node = `${commentText(s.node)} (${commentText(s.op)})${path}${fused}`;
  const working = s.scratch === undefined ? '' : `; works in ${names(s.scratch)}`;
  return `${String(s.step).padStart(width)}  ${node}: ${names(s.reads)} -> ${names(s.writes)}${working}`;
}

function bullets(sentences: readonly string[]): readonly string[] {
  return sentences
    .filter((s) => s !== '')
    .flatMap((s) => wrap(s, WIDTH).map((line, i) => `${i === 0 ? '-' : ' '} ${line}`));
}
