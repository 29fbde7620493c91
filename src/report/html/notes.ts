/** What the plan is valid for, and what memplan had to say about it. */
import { keptAsState, keptByName, keptInPlaces } from '../../plan/kept.ts';
import type { Plan } from '../../plan/types.ts';
import { validSizes } from '../../plan/valid-sizes.ts';
import { type Markup, markup } from '../markup.ts';
import { printable } from '../text.ts';

const RUNS: Readonly<Record<NonNullable<Plan['run']>['mode'], string>> = {
  exclusive: 'one at a time, in any order',
  concurrent: 'may run at the same time',
  joint: 'one after another, in this order',
};

/** Of one code, this many are listed. */
const MOST_OF_A_CODE = 20;

export function notesSection(plan: Plan): Markup {
  return markup`<section class="notes">
${diagnosticList(plan)}<div><h2>Valid for</h2>
<dl class="facts">
${assumptionRows(plan).map(([label, text]) => markup`<dt>${label}</dt><dd>${text}</dd>\n`)}</dl></div>
</section>`;
}

function diagnosticList({ diagnostics }: Plan): Markup | false {
  if (diagnostics.length === 0) return false;
  const seen = new Map<string, number>();
  const shown = diagnostics.filter(({ code }) => {
    const count = (seen.get(code) ?? 0) + 1;
    seen.set(code, count);
    return count <= MOST_OF_A_CODE;
  });
  const items = shown.map(
    ({ kind, code, text, hint }) =>
      markup`<li class="${kind}"><b>${kind}</b> <code>${code}</code> ${text}${hint !== null && markup` <span>${hint}</span>`}</li>\n`,
  );
  return markup`<div><h2>Messages</h2><ul class="messages">
${items}</ul></div>
`;
}

function assumptionRows(plan: Plan): readonly (readonly [string, string])[] {
  const { assumptions: a, models, fusion, run, buckets } = plan;
  const names = (list: readonly string[]) => (list.length > 0 ? list.map(printable).join(', ') : undefined);
  const library = [a.kernels, a.kernelsVersion, a.kernelsBuild].filter((part) => part !== null).join(' ');
  const sharing = [
    a.views ? 'views' : '',
    a.inPlace ? `in place${a.inPlaceInputs ? '' : ' (not over graph inputs)'}` : '',
    a.elide ? 'elided copies' : '',
  ].filter((part) => part !== '');
  const valid = validSizes(a, printable);
  const optional: readonly (readonly [string, string | undefined])[] = [
    ['sizes', valid.length > 0 ? valid.join(', ') : undefined],
    ['models', run === undefined || buckets !== undefined ? undefined : RUNS[run.mode]],
    ['kept to the end', names(keptByName(plan))],
    ['kept from run to run', names(keptAsState(plan))],
    ['several places', names(keptInPlaces(plan).map(({ tensor, places }) => `${tensor} (${places})`))],
    ['estimate', a.assume === undefined ? undefined : `float tensors counted as ${a.assume}`],
    ['images scaled', a.scaleInput === undefined ? undefined : `by ${a.scaleInput}`],
    ['quantised weights', a.weightBits === undefined ? undefined : `${a.weightBits} bits each in flash`],
    [
      'left out by fusion',
      fusion === undefined || fusion.leftOut.length === 0 ? undefined : String(fusion.leftOut.length),
    ],
  ];
  return [
    [
      'order of steps',
      a.schedule === 'model' ? 'the order of the file' : 'the order with the smallest peak found',
    ],
    ['kernels', a.kernels === 'none' ? 'no library: scratch is not counted' : library],
    ['layout', a.layout.toUpperCase()],
    ['fusion', a.fuse],
    ['sharing', sharing.length === 0 ? 'none' : sharing.join(', ')],
    ['inputs and outputs', a.io === 'arena' ? 'inside the arena' : 'owned by the caller'],
    ['inputs after a run', a.preserveInputs ? 'intact' : 'may be overwritten'],
    ...optional.flatMap(([label, text]) => (text === undefined ? [] : [[label, text] as const])),
    ...models.map(({ file, sha256 }) => [printable(file), `sha256 ${sha256}`] as const),
  ];
}
