/** --emit svg: the plan as one picture of a fixed width, for documents. */
import { modelFiles, qualified } from '../plan/qualified.ts';
import type { Plan } from '../plan/types.ts';
import { LOOKS } from './chart/families.ts';
import { patternsOf, swatch } from './chart/patterns.ts';
import { type Frame, regionPicture } from './chart/picture.ts';
import { type Scene, sceneOf } from './chart/scene.ts';
import { boxLinesOf, verdictText } from './chart/words.ts';
import { type Markup, markup, trusted } from './markup.ts';
import { bytesText, grouped, printable, shortened } from './text.ts';

const WIDTH = 960;
const LEFT = 72;
const RIGHT = 20;
const HEAD = 66;
const GAP = 26;
const LEGEND_LINE = 22;
const CHARACTER = 6.6;

/** Colours for a light and for a dark page; the boxes keep theirs. */
const STYLE = `text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;fill:#566270}
.paper{fill:#fff}.title{font-size:17px;font-weight:600;fill:#16202b}.strong{font-weight:600;fill:#16202b}
.grid{stroke:#e3e7ec}.frame{fill:none;stroke:#c5ccd4}.curve{fill:#0b63ce;fill-opacity:.12;stroke:#0b63ce;stroke-width:1.25}
.bound{stroke:#0a6b3d;stroke-dasharray:5 3}.limit{stroke:#b3261e;stroke-width:1.5}.peak{fill:#b3261e;fill-opacity:.16;stroke:#b3261e;stroke-opacity:.5;stroke-dasharray:4 3}
.box{stroke:#2b3440;stroke-opacity:.55;stroke-width:.75;shape-rendering:crispEdges}.seams{stroke:#2b3440;stroke-opacity:.35;stroke-width:.75;stroke-dasharray:2 2}
.thin{stroke-opacity:.15}.turn{fill:none;stroke:#16202b}
.label{fill:#10161d;font-size:11px}.faint{fill-opacity:.75}.end{text-anchor:end}.middle{text-anchor:middle}
@media (prefers-color-scheme:dark){text{fill:#9aa7b4}.paper{fill:#12181f}.title,.strong{fill:#e6ebf0}.grid{stroke:#232c36}
.frame{stroke:#3a4652}.curve{fill:#6db3ff;stroke:#6db3ff}.bound{stroke:#5cc98c}.limit{stroke:#ff8a80}.turn{stroke:#e6ebf0}.peak{fill:#ff8a80;stroke:#ff8a80}.label{fill:#10161d}}`;

/** The picture as text that ends with a newline. The same plan gives the same bytes. */
export function svg(given: Plan): string {
  const plan = qualified(given);
  const scene = sceneOf(plan);
  const frame: Frame = {
    ...{ left: LEFT, width: WIDTH - LEFT - RIGHT, steps: scene.steps, peak: plan.peak.step },
    turns: scene.turns,
    several: plan.regions.length > 1,
    mapHeight: plan.regions.length > 1 ? 170 : 260,
    linesOf: boxLinesOf(scene),
  };
  let top = HEAD;
  const pictures = scene.regions.map((region) => {
    const { picture, height } = regionPicture(region, frame, top);
    top += height + GAP;
    return picture;
  });
  const legend = legendOf(scene, top);
  const height = top + legend.height;
  return `${
    markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${titleOf(plan)}</title>
<style>${trusted(STYLE)}</style>
${patternsOf(looksOf(scene))}
<rect class="paper" width="${WIDTH}" height="${height}" rx="6"/>
<text class="title" x="${LEFT}" y="30">${shortened(titleOf(plan), 90)}</text>
<text x="${LEFT}" y="50">${subtitleOf(plan)}</text>
${pictures}${legend.picture}
</svg>`.markup
  }\n`;
}

function titleOf(plan: Plan): string {
  return `${modelFiles(plan).map(printable).join(' + ')} on ${printable(plan.target.id)}`;
}

function subtitleOf(plan: Plan): string {
  const { arenaBytes, noReuseBytes } = plan.totals;
  return `arena ${bytesText(arenaBytes)}, ${verdictText(plan)}; ${grouped(noReuseBytes)} without reuse`;
}

function looksOf({ regions }: Scene) {
  return new Set(regions.flatMap(({ boxes }) => boxes.map(({ look }) => look)));
}

/** Swatches and their labels in lines that fit the width. */
function legendOf(scene: Scene, top: number): { readonly picture: Markup; readonly height: number } {
  const looks = looksOf(scene);
  let x = LEFT;
  let y = top;
  const entries = LOOKS.filter(({ look }) => looks.has(look)).map(({ look, label }) => {
    const width = 22 + label.length * CHARACTER + 18;
    if (x + width > WIDTH - RIGHT && x > LEFT) {
      x = LEFT;
      y += LEGEND_LINE;
    }
    const entry = markup`<g transform="translate(${x} ${y})">${swatch(look)}<text x="20" y="11">${label}</text></g>\n`;
    x += width;
    return entry;
  });
  return { picture: markup`${entries}`, height: y - top + LEGEND_LINE + 8 };
}
