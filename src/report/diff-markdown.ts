/** The difference of two plans as Markdown, for a pull request or a job summary. */
import type { DiffDocument, TensorChange } from './diff.ts';
import { changeText, diffFigures, diffTitles, largestChanges, peakPlaceText, signed } from './diff-parts.ts';
import { settingText } from './differences.ts';
import { code, escaped } from './markdown-text.ts';
import { counted } from './text.ts';

export function diffMarkdown(diff: DiffDocument): string {
  return [
    `## ${headText(diff)}`,
    '',
    '| | old | new | change | |',
    '|---|--:|--:|--:|--:|',
    ...diffFigures(diff).map(
      ({ label, old, new: now, change, share }) =>
        `| ${escaped(label)} | ${old} | ${now} | ${signed(change)} | ${share} |`,
    ),
    '',
    ...settingLines(diff),
    ...peakLines(diff),
    ...tensorLines(diff.tensors),
  ].join('\n');
}

function headText(diff: DiffDocument): string {
  const titles = diffTitles(diff).map(([files, target]) => `${code(files)} on ${code(target)}`);
  if (diff.same) return `${titles.at(-1)}: the plans are the same`;
  const { change } = diff.arena;
  const bytes = change === 0 ? 'the arena is as large as before' : `${signed(change)} bytes`;
  return `${titles.join(' -> ')}: ${bytes}`;
}

/** The options that differ: what has grown may not be the model. */
function settingLines({ settings }: DiffDocument): string[] {
  if (settings.length === 0) return [];
  return ['**Planned otherwise**, so what has changed may not be the model:', '', ...settings.map(item), ''];
}

function item(setting: DiffDocument['settings'][number]): string {
  return `- ${code(settingText(setting))}`;
}

function peakLines({ peak }: DiffDocument): string[] {
  const [old, now] = [peakPlaceText(peak.old, code), peakPlaceText(peak.new, code)];
  const places =
    old === now ? `The peak is unchanged: ${now} bytes.` : `The peak was ${old} bytes and is ${now}.`;
  const named = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`- ${label}: ${names.map(code).join(', ')}`];
  const moved = [...named('joined the peak', peak.entered), ...named('left the peak', peak.left)];
  return ['### Peak', '', places, '', ...(moved.length === 0 ? [] : [...moved, ''])];
}

/** The largest changes, and the others folded away below them. */
function tensorLines(tensors: readonly TensorChange[]): string[] {
  if (tensors.length === 0) return ['No tensor changed its size, shape or sharing.', ''];
  const shown = largestChanges(tensors);
  const rest = tensors.filter((tensor) => !shown.includes(tensor));
  const folded = [
    `<details><summary>${counted(rest.length, 'more', 'more')}</summary>`,
    '',
    ...rows(rest),
    '</details>',
    '',
  ];
  return [
    `### ${counted(tensors.length, 'tensor')} changed`,
    '',
    ...rows(shown),
    ...(rest.length > 0 ? folded : []),
  ];
}

function rows(tensors: readonly TensorChange[]): string[] {
  return [
    '| change | tensor | | |',
    '|--:|---|---|---|',
    ...tensors.map(
      (tensor) =>
        `| ${signed(tensor.change)} | ${code(tensor.name)} | ${escaped(changeText(tensor))} | ${tensor.atPeak ? 'at the peak' : ''} |`,
    ),
    '',
  ];
}
