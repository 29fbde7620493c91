/** Explanations for a terminal. */

import { percent } from '../percent.ts';
import type { PlanBuffer, PlanConstant, PlanTensor } from '../plan/types.ts';
import type { NodeExplanation, StepName, TensorExplanation } from './explain.ts';
import type { WeightCopy, WeightExplanation } from './explain-weight.ts';
import { memoryText } from './memory.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { bytesText, grouped, printable, shortened, stepsText, typeText, wrapped } from './text.ts';

const LABEL = 12;

export function tensorText(explanation: TensorExplanation, paint: Paint, columns: number): string {
  const { tensor, writtenBy, readBy, aliveBecause, shares, sharesNot, fullest, atPeak, beside, memory } =
    explanation;
  const facts: readonly Fact[] = [
    ['place', placeText(tensor)],
    ...(memory === null ? [] : [['because', memoryText(memory)] as const]),
    ['live', stepsText(tensor)],
    [
      tensor.role === 'scratch' ? 'used by' : 'written by',
      writtenBy === null ? 'the caller, before the first step' : stepName(writtenBy),
    ],
    ['read by', readBy.length === 0 ? 'nothing' : readBy.map(stepName).join('; ')],
    ['ends there', printable(aliveBecause)],
    ...(fullest === null ? [] : [fullestFact(fullest, atPeak)]),
    ...(tensor.offset === null ? [] : [['beside it', besideText(beside)] as const]),
    ...shares.map(({ name, how }): Fact => ['shares with', `${printable(name)} (${how})`]),
    ...sharesNot.map(({ name, why }): Fact => ['not with', `${printable(name)}: ${printable(why)}`]),
  ];
  return factsText(tensor, facts, paint, columns);
}

export function weightText(explanation: WeightExplanation, paint: Paint, columns: number): string {
  const { weight, readBy, why, copy } = explanation;
  const read: Fact = ['read by', readBy.length === 0 ? 'nothing' : readBy.map(stepName).join('; ')];
  const facts: readonly Fact[] =
    copy === null
      ? [['place', `${flashText(weight)}, not in the arena`], ['because', why], read]
      : [
          [
            'place',
            `copy in ${copy.buffer.region} + ${grouped(copy.buffer.offset)}, buffer ${copy.buffer.id}`,
          ],
          ['because', why],
          ['live', stepsText(copy.buffer)],
          ['comes', comesText(copy)],
          read,
          ...(copy.fullest === null ? [] : [fullestFact(copy.fullest, copy.atPeak)]),
          ['beside it', besideText(copy.beside)],
        ];
  return factsText({ ...weight, role: 'weight' }, facts, paint, columns);
}

function flashText({ flashBytes }: PlanConstant): string {
  return flashBytes === undefined ? 'flash' : `flash, ${bytesText(flashBytes)} packed (--weight-bits)`;
}

function comesText({ comes, comesAt }: WeightCopy): string {
  if (comesAt === null) return 'from flash, once, before the first run';
  const step = stepName(comesAt);
  return `from flash, in every run, ${comes === 'before' ? `right before ${step}` : `while ${step} runs`}`;
}

type Fact = readonly [label: string, text: string];

/** What is explained, and a line or more for each fact. */
function factsText(
  what: Pick<PlanTensor, 'name' | 'type' | 'shape' | 'bytes'> & { readonly role: string },
  facts: readonly Fact[],
  paint: Paint,
  columns: number,
): string {
  const head = `${paint.heading(printable(what.name))} ${typeText(what)}, ${bytesText(what.bytes)}, ${what.role}`;
  return `${[head, ...facts.flatMap(([label, text]) => factLines(label, text, columns))].join('\n')}\n`;
}

function factLines(label: string, text: string, columns: number): string[] {
  return wrapped(text, Math.max(20, columns - LABEL - 3)).map(
    (line, i) => `  ${(i === 0 ? label : '').padEnd(LABEL)} ${line}`,
  );
}

function fullestFact(fullest: StepName & { readonly liveBytes: number }, atPeak: boolean): Fact {
  const text = `${stepName(fullest)}: ${bytesText(fullest.liveBytes)} live${atPeak ? '; live at the peak' : ''}`;
  return ['fullest at', text];
}

function besideText(beside: TensorExplanation['beside']): string {
  if (beside === null) return 'the arena is full while it lives';
  return `${bytesText(beside.bytes)} would fit at ${grouped(beside.offset)}: nothing else lies there while it lives`;
}

function placeText({ region, offset, buffer, how, aliasOf }: PlanTensor): string {
  if (offset === null) return 'owned by the caller';
  const shared = aliasOf === null ? '' : `, ${how} of ${printable(aliasOf)}`;
  return `${region} + ${grouped(offset)}, buffer ${buffer}${shared}`;
}

function stepName({ step, node, op }: StepName): string {
  return `step ${step}, ${printable(node)} (${printable(op)})`;
}

export function nodeText(explanation: NodeExplanation, paint: Paint, columns: number): string {
  const { step, reads, writes, scratch: working, waiting, copies, peakBytes } = explanation;
  const share = peakBytes === 0 ? '' : `, ${percent(step.liveBytes, peakBytes)} of the peak`;
  const scratch = step.scratchBytes > 0 ? `, ${bytesText(step.scratchBytes)} of scratch` : '';
  const rows = [
    ...tensorRows('reads', reads, columns, paint),
    ...tensorRows('writes', writes, columns, paint),
    ...tensorRows('works in', working, columns, paint),
    ...tensorRows('waiting', waiting, columns, paint),
    ...copyRows(copies, columns, paint),
  ];
  const head = `${paint.heading(printable(step.node))} (${printable(step.op)}), step ${step.step}: ${bytesText(step.liveBytes)} live${share}${scratch}`;
  return `${[head, ...table(rows, ['left', 'right', 'left', 'left'])].join('\n')}\n`;
}

/** Copies of weights beyond these are added up. */
const MOST_COPIES = 6;

function copyRows(copies: readonly PlanBuffer[], columns: number, paint: Paint): Cell[][] {
  const shown = copies.length > MOST_COPIES + 1 ? copies.slice(0, MOST_COPIES) : copies;
  const rest = copies.slice(shown.length);
  const names = shown.map(({ tensors, bytes }) => ({ name: printable(tensors[0]!), bytes }));
  const more = { name: `${rest.length} more`, bytes: rest.reduce((sum, { bytes }) => sum + bytes, 0) };
  return [...names, ...(rest.length > 0 ? [more] : [])].map(({ name, bytes }, i) => [
    { text: `  ${i === 0 ? 'copies of' : ''}`, colour: paint.faint },
    grouped(bytes),
    shortened(name, Math.max(16, columns - 60)),
    '',
  ]);
}

function tensorRows(label: string, tensors: readonly PlanTensor[], columns: number, paint: Paint): Cell[][] {
  return [...tensors]
    .sort((a, b) => b.bytes - a.bytes)
    .map((tensor, i) => [
      { text: `  ${i === 0 ? label : ''}`, colour: paint.faint },
      grouped(tensor.bytes),
      shortened(printable(tensor.name), Math.max(16, columns - 60)),
      `${typeText(tensor)}${tensor.how === 'own' ? '' : `, ${tensor.how}`}`,
    ]);
}
