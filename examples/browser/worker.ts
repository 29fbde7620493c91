/** Plans in a worker, so that the page stays alive: the whole of memplan, with a file system in memory. */

import { parseBindings } from '../../src/cli/bindings.ts';
import { faults } from '../../src/cli/faults.ts';
import { renderFiles } from '../../src/emit/render.ts';
import { MemplanError } from '../../src/errors.ts';
import { planModel } from '../../src/pipeline.ts';
import { planRequest } from '../../src/plan/request.ts';
import { html } from '../../src/report/html.ts';
import { jsonText } from '../../src/report/json.ts';
import type { Answer, Question } from './messages.ts';
import { putFile } from './node/fs.ts';

const answer = (message: Answer): void => postMessage(message);

/** One word every so often is enough. */
const PACE = 100;

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  const path = `/models/${data.name}`;
  putFile(path, data.bytes);
  let last = 0;
  try {
    const bindings = readSizes(data.sizes);
    const request = planRequest({ models: [path], target: data.target, bindings });
    const { plan, target } = planModel(request, ({ doing }) => {
      if (performance.now() - last > PACE) answer({ kind: 'progress', doing });
      last = performance.now();
      return false;
    });
    answer({
      kind: 'plan',
      fits: plan.fits,
      page: html(plan),
      files: [...renderFiles(plan, target), { name: 'plan.json', text: jsonText(plan) }],
    });
  } catch (error) {
    if (error instanceof MemplanError) answer({ kind: 'refused', diagnostics: error.diagnostics });
    else answer({ kind: 'refused', diagnostics: [{ code: 'E_INTERNAL', text: String(error), hint: null }] });
  }
});

/** `batch=1` as --dim, `x:1,3,48,192` as --input-shape. */
function readSizes(text: string) {
  const found = faults();
  const words = text.split(/\s+/).filter((word) => word !== '');
  const dim = words.filter((word) => !word.includes(':'));
  const inputShape = words.filter((word) => word.includes(':'));
  const bindings = parseBindings({ dim, inputShape }, found);
  found.finish();
  return bindings;
}
