/** Explanations for a terminal. */
import type { PlanTensor } from '../plan/types.ts';
import type { NodeExplanation, StepName, TensorExplanation } from './explain.ts';
import { memoryText } from './memory.ts';
import type { Paint } from './paint.ts';
import { type Cell, table } from './table.ts';
import { bytesText, grouped, percent, printable, shortened, typeText, wrapped } from './text.ts';

const LABEL = 12;

export function tensorText(explanation: TensorExplanation, paint: Paint, columns: number): string {
  const { tensor, writtenBy, readBy, aliveBecause, shares, sharesNot, fullest, atPeak, beside, memory } =
    explanation;
  const facts: [string, string][] = [
    ['place', placeText(tensor)],
    ...(memory === null ? [] : [['because', memoryText(memory)] as [string, string]]),
    [
      'live',
      tensor.end - tensor.first === 1 ? `step ${tensor.first}` : `steps ${tensor.first} to ${tensor.end - 1}`,
    ],
    [
      tensor.role === 'scratch' ? 'used by' : 'written by',
      writtenBy === null ? 'the caller, before the first step' : stepName(writtenBy),
    ],
    ['read by', readBy.length === 0 ? 'nothing' : readBy.map(stepName).join('; ')],
    ['ends there', printable(aliveBecause)],
    ...(fullest === null ? [] : [['fullest at', fullestText(fullest, atPeak)] as [string, string]]),
    ...(tensor.offset === null ? [] : [['beside it', besideText(beside)] as [string, string]]),
    ...shares.map(({ name, how }): [string, string] => ['shares with', `${printable(name)} (${how})`]),
    ...sharesNot.map(({ name, why }): [string, string] => [
      'not with',
      `${printable(name)}: ${printable(why)}`,
    ]),
  ];
  const head = `${paint.heading(printable(tensor.name))} ${typeText(tensor)}, ${bytesText(tensor.bytes)}, ${tensor.role}`;
  return `${[head, ...facts.flatMap(([label, text]) => factLines(label, text, columns))].join('\n')}\n`;
}

function factLines(label: string, text: string, columns: number): string[] {
  return wrapped(text, Math.max(20, columns - LABEL - 3)).map(
    (line, i) => `  ${(i === 0 ? label : '').padEnd(LABEL)} ${line}`,
  );
}

function fullestText(fullest: StepName & { readonly liveBytes: number }, atPeak: boolean): string {
  return `${stepName(fullest)}: ${bytesText(fullest.liveBytes)} live${atPeak ? '; live at the peak' : ''}`;
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
  const { step, reads, writes, scratch: working, waiting, peakBytes } = explanation;
  const share = peakBytes === 0 ? '' : `, ${percent(step.liveBytes, peakBytes)} of the peak`;
  const scratch = step.scratchBytes > 0 ? `, ${bytesText(step.scratchBytes)} of scratch` : '';
  const rows = [
    ...tensorRows('reads', reads, columns, paint),
    ...tensorRows('writes', writes, columns, paint),
    ...tensorRows('works in', working, columns, paint),
    ...tensorRows('waiting', waiting, columns, paint),
  ];
  const head = `${paint.heading(printable(step.node))} (${printable(step.op)}), step ${step.step}: ${bytesText(step.liveBytes)} live${share}${scratch}`;
  return `${[head, ...table(rows, ['left', 'right', 'left', 'left'])].join('\n')}\n`;
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
