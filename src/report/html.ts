/** --emit html: the plan as one page that needs nothing else: a static picture without script, a tool with it. */
import { modelFiles, qualified } from '../plan/qualified.ts';
import type { Plan } from '../plan/types.ts';
import { patternsOf } from './chart/patterns.ts';
import { sceneOf } from './chart/scene.ts';
import { boxLinesOf } from './chart/words.ts';
import { pageData } from './html/data.ts';
import { figureSection, pageHeader } from './html/head.ts';
import { notesSection } from './html/notes.ts';
import { inspectorCard, peakCards } from './html/side.ts';
import { looksOf, stageBar, stageSection } from './html/stage.ts';
import { tensorSection } from './html/tensors.ts';
import { weightSection } from './html/weights.ts';
import { jsonMarkup, markup, trusted } from './markup.ts';
import { pageAssets } from './page-assets.ts';
import { printable } from './text.ts';

/** The page as text that ends with a newline. The same plan gives the same bytes. */
export function html(given: Plan): string {
  const plan = qualified(given);
  const { script, style, scriptHash } = pageAssets();
  const scene = sceneOf(plan);
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const title = `${modelFiles(plan).map(printable).join(' + ')} on ${printable(plan.target.id)}`;
  return `${
    markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - memplan</title>
<style>${trusted(style)}</style>
</head>
<body>
<svg class="defs" width="0" height="0" aria-hidden="true">${patternsOf(looksOf(scene))}</svg>
${pageHeader(plan)}
<main>
${figureSection(plan)}
${stageBar()}
<div class="work">
${stageSection(plan, scene, boxLinesOf(scene))}
<aside class="side" aria-label="Details">
${inspectorCard()}
${peakCards(plan, scene)}
</aside>
<div class="below">
${weightSection(plan)}
${tensorSection(plan, scene)}
${notesSection(plan)}
</div>
</div>
<div id="tip" class="tip" role="tooltip" hidden></div>
</main>
<footer><p>Plan <code>${plan.planHash}</code>, schema ${plan.schema}. Steps count from 0; "steps 2 to 3" are both of them, written [2, 4) in plan.json.</p></footer>
<script type="application/json" id="plan-data">${jsonMarkup(pageData(plan, scene))}</script>
<script>${trusted(script)}</script>
</body>
</html>`.markup
  }\n`;
}
