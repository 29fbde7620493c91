/** What would lower the peak: facts of the plan, each with the option or the change that it speaks for. */

import { elementWidth } from '../graph/element-type.ts';
import { isChain } from '../plan/chain.ts';
import { keptAsState, keptByName, keptInPlaces } from '../plan/kept.ts';
import { qualified } from '../plan/qualified.ts';
import type { Plan, PlanStep } from '../plan/types.ts';
import { explainTensor } from './explain.ts';
import { type LiveBuffer, liveAt } from './live.ts';
import { bytesText, counted, printable, shortened } from './text.ts';

export interface Advice {
  /** A sentence. Names in it are printable. */
  readonly text: string;
  /** What to type, or null where the model itself would have to change. */
  readonly option: string | null;
}

const NAME = 48;
const MOST_WAITING = 2;

/** Options first, then what the model would have to change. Places to look, no promises; empty where nothing is live. */
export function peakAdvice(given: Plan): readonly Advice[] {
  const plan = qualified(given);
  const live = liveAt(plan, plan.peak.step).filter(({ bytes }) => bytes > 0);
  if (live.length === 0) return [];
  const step = plan.steps[plan.peak.step];
  return [
    ...packing(plan),
    ...order(plan),
    ...held(plan, live),
    ...switchedOff(plan),
    ...ports(plan, live),
    ...floats(plan, live),
    ...(step === undefined ? [] : [...cannotShare(plan, step), ...waiting(plan, step, live)]),
    ...otherSteps(plan),
  ];
}

/** The arena may be larger than what is ever live. */
function packing({ totals, peak }: Plan): Advice[] {
  const above = totals.arenaBytes - totals.lowerBoundBytes;
  if (above > 0) {
    const text = `The arena is ${bytesText(above)} above its lower bound; a longer search may find less.`;
    return [{ text, option: '--effort N' }];
  }
  const padding = totals.arenaBytes - peak.bytes;
  if (padding <= 0) return [];
  return [{ text: `${bytesText(padding)} of the arena are never live at the peak.`, option: null }];
}

function order({ assumptions, steps }: Plan): Advice[] {
  if (assumptions.schedule !== 'model' || steps.length < 3 || isChain(steps)) return [];
  const text = 'The steps keep the order of the file; another order may have a smaller peak.';
  return [{ text, option: '--schedule min-peak' }];
}

/** Tensors that nobody reads any more and that an option keeps. */
function held(plan: Plan, live: readonly LiveBuffer[]): Advice[] {
  const { assumptions, models, peak, steps } = plan;
  const inputs = new Set(models.flatMap((model) => model.inputs));
  const isOver = (name: string) =>
    !steps.some(({ step, reads }) => step >= peak.step && reads.includes(name));
  const bytesOf = (wanted: ReadonlySet<string>) =>
    sum(
      live.filter(
        ({ tensors }) => tensors.length > 0 && tensors.every(({ name }) => wanted.has(name) && isOver(name)),
      ),
    );
  const rows = [
    { option: '--keep', bytes: bytesOf(new Set(keptByName(plan))) },
    { option: '--state', bytes: bytesOf(new Set(keptAsState(plan))) },
    { option: '--buffers', bytes: bytesOf(new Set(keptInPlaces(plan).map(({ tensor }) => tensor))) },
    { option: '--preserve-inputs', bytes: assumptions.preserveInputs ? bytesOf(inputs) : 0 },
    { option: '--async-io', bytes: assumptions.asyncIo ? bytesOf(inputs) : 0 },
  ];
  return rows
    .filter(({ bytes }) => bytes > 0)
    .map(({ option, bytes }) => ({
      text: `${bytesText(bytes)} at the peak have been read for the last time and only stay because of ${option}.`,
      option: null,
    }));
}

/** Kinds of sharing that an option forbids. */
function switchedOff({ assumptions }: Plan): Advice[] {
  const { inPlace, inPlaceInputs, views } = assumptions;
  const off = (text: string, option: string): Advice => ({
    text: `${text}, because of ${option}.`,
    option: null,
  });
  return [
    ...(inPlace ? [] : [off('No operator writes over its input', '--no-in-place')]),
    ...(inPlace && !inPlaceInputs
      ? [off('No operator writes over a graph input', '--no-in-place-inputs')]
      : []),
    ...(views ? [] : [off('Reshape and its like copy', '--no-views')]),
  ];
}

/** Inputs and outputs that the caller could own. */
function ports({ assumptions }: Plan, live: readonly LiveBuffer[]): Advice[] {
  const bytes = sum(
    live.filter(({ tensors }) => tensors.some(({ role }) => role === 'input' || role === 'output')),
  );
  if (assumptions.io === 'external' || bytes === 0) return [];
  const text = `${bytesText(bytes)} at the peak hold graph inputs or outputs; the caller could own them.`;
  return [{ text, option: '--io external' }];
}

function floats({ assumptions }: Plan, live: readonly LiveBuffer[]): Advice[] {
  const wide = live.filter(({ tensors: [main] }) => main?.type === 'float32');
  if (wide.length === 0 || assumptions.assume !== undefined) return [];
  const bytes = sum(wide);
  const small = bytesText(Math.ceil(bytes / elementWidth('float32')));
  const text = `${bytesText(bytes)} at the peak are float32; quantised to int8 they would be ${small}.`;
  return [{ text, option: '--assume int8' }];
}

/** Operands of the peak step whose bytes its output could have taken over, were they not read again. */
function cannotShare(plan: Plan, { writes }: PlanStep): Advice[] {
  return writes.flatMap((name) =>
    explainTensor(plan, name)
      .sharesNot.filter(({ why }) => why.startsWith('it is read again'))
      .map(({ name: operand, why }) => ({
        text: `${label(name)} cannot take over the bytes of ${label(operand)}: ${printable(why)}.`,
        option: null,
      })),
  );
}

/** Live at the peak, but neither read nor written by its step. */
function waiting(
  { steps }: Plan,
  { step: peak, reads, writes, scratch = [] }: PlanStep,
  live: readonly LiveBuffer[],
): Advice[] {
  const used = new Set([...reads, ...writes, ...scratch]);
  return live
    .filter(({ tensors }) => tensors.length > 0 && tensors.every(({ name }) => !used.has(name)))
    .slice(0, MOST_WAITING)
    .flatMap(({ tensors, bytes }) => {
      const next = steps.find(
        ({ step, reads: read }) => step > peak && tensors.some(({ name }) => read.includes(name)),
      );
      if (next === undefined) return [];
      const text = `${label(tensors[0]!.name)} waits with ${bytesText(bytes)} for step ${next.step}, ${label(next.node)} (${next.op}).`;
      return [{ text, option: null }];
    });
}

/** How far the peak falls when its own step alone becomes cheaper. */
function otherSteps({ steps, peak }: Plan): Advice[] {
  const equal = steps.filter(({ liveBytes }) => liveBytes === peak.bytes).length;
  if (equal > 1) {
    const text = `${counted(equal, 'step')} reach the peak: each of them would have to become cheaper.`;
    return [{ text, option: null }];
  }
  const next = steps.reduce<PlanStep | undefined>(
    (most, step) => (step.step !== peak.step && step.liveBytes > (most?.liveBytes ?? 0) ? step : most),
    undefined,
  );
  if (next === undefined) return [];
  const text = `A cheaper step ${peak.step} alone cannot bring the peak below ${bytesText(next.liveBytes)}: step ${next.step} needs them.`;
  return [{ text, option: null }];
}

function label(name: string): string {
  return shortened(printable(name), NAME);
}

function sum(live: readonly LiveBuffer[]): number {
  return live.reduce((total, { bytes }) => total + bytes, 0);
}
