/** The report as Markdown, for a pull request or a job summary. */
import { modelFiles, qualified } from '../plan/qualified.ts';
import type { Plan } from '../plan/types.ts';
import { peakAdvice } from './advice.ts';
import { estimateSentence, figures, scaledFigure, sizesSentence } from './figures.ts';
import { liveAt, liveName } from './live.ts';
import { code, escaped } from './markdown-text.ts';
import { grouped, stepText, typeText } from './text.ts';

export function markdown(given: Plan): string {
  const plan = qualified(given);
  const { step } = plan.peak;
  const live = liveAt(plan, step).filter(({ bytes }) => bytes > 0);
  const total = live.reduce((sum, { bytes }) => sum + bytes, 0);
  const files = modelFiles(plan).map(code).join(' + ');
  const estimate = estimateSentence(plan);
  const faults = plan.diagnostics.filter(({ kind }) => kind === 'error');
  return [
    `## ${files} on ${code(plan.target.id)}`,
    '',
    ...faults.flatMap(({ code: name, text }) => [`**${name}**: ${escaped(text)}`, '']),
    ...(estimate === undefined ? [] : [`**${escaped(estimate)}**`, '']),
    `${sizesSentence(plan)}.`,
    '',
    '| | bytes | | |',
    '|---|--:|--:|---|',
    ...figures(plan).map(
      ({ label, bytes, remark }) =>
        `| ${escaped(label)} | ${typeof bytes === 'number' ? grouped(bytes) : bytes} | ${scaledFigure(bytes)} | ${escaped(remark)} |`,
    ),
    '',
    plan.steps.length === 0 ? '### Peak' : `### Peak at step ${step}, ${escaped(stepText(plan, step))}`,
    '',
    '| bytes | tensor | |',
    '|--:|---|---|',
    ...live.map((entry) => {
      const [main] = entry.tensors;
      const name = main === undefined ? escaped(liveName(entry)) : code(main.name);
      return `| ${grouped(entry.bytes)} | ${name} | ${main === undefined ? '' : `${typeText(main)} `}|`;
    }),
    `| ${grouped(total)} | live | |`,
    '',
    ...adviceLines(plan),
  ].join('\n');
}

function adviceLines(plan: Plan): string[] {
  const advice = peakAdvice(plan);
  if (advice.length === 0) return [];
  const items = advice.map(
    ({ text, option }) => `- ${escaped(text)}${option === null ? '' : ` ${code(option)}`}`,
  );
  return ['### What would lower it', '', ...items, ''];
}
