// How long the HTML report takes to answer: time of the page's main thread per interaction, the best of several, in
// Chromium. `npm run build` is not needed; scripts/install-browser.sh is.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const LIMIT = 50;
const ROUNDS = Number(process.env.ROUNDS ?? 10);

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cache = join(root, '.cache/bench-page');
const { chromium } = createRequire(join(root, '.cache/browser/node_modules/x.js'))('playwright-core');

/** Runs in the page; each does one thing a user does. */
const INTERACTIONS = {
  'zoom by a step': `document.querySelector('[data-zoom="steps-in"]').click()`,
  'fit again': `document.querySelector('[data-zoom="fit"]').click()`,
  'next box by key': key('ArrowRight'),
  'box above by key': key('ArrowUp'),
  'hover another box': `window.turn = (window.turn ?? 0) + 1;
    const map = document.querySelector('.map').getBoundingClientRect();
    document.querySelector('#stage').dispatchEvent(new PointerEvent('pointermove',
      { clientX: map.left + (map.width * (turn % 17)) / 17, clientY: map.bottom - 20, bubbles: true }))`,
  'type into the search': `const find = document.querySelector('#find');
    find.value = find.value === 't1' ? 't12' : 't1'; find.dispatchEvent(new Event('input'))`,
  'clear the search': `const find = document.querySelector('#find');
    find.value = find.value === '' ? 't1' : ''; find.dispatchEvent(new Event('input'))`,
  'show one family': `document.querySelector('#legend .key').click()`,
};

function key(name) {
  return `document.querySelector('.map').dispatchEvent(new KeyboardEvent('keydown', { key: '${name}', bubbles: true, cancelable: true }))`;
}

async function pages() {
  mkdirSync(cache, { recursive: true });
  const outfile = join(cache, 'pages.mjs');
  await build({
    stdin: {
      contents: `export { html } from './src/report/html.ts'; export { variedPlan } from './test/support/pages.ts';`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const { html, variedPlan } = await import(pathToFileURL(outfile).href);
  return [104, 4060].map((steps) => {
    const plan = variedPlan(steps);
    const file = join(cache, `${steps}.html`);
    writeFileSync(file, html(plan));
    return { buffers: plan.buffers.length, url: pathToFileURL(file).href };
  });
}

/** Milliseconds that the main thread works, until the frame after the next has been drawn. */
async function measure(page, session, script) {
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const before = await busy();
  await page.evaluate(
    `(async () => { { ${script} } await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); })()`,
  );
  return (await busy()) - before;
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const browser = await chromium.launch({
  executablePath: onPath('chromium'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
let slow = 0;
for (const { buffers, url } of await pages()) {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  console.log(`${buffers} buffers`);
  for (const [name, script] of Object.entries(INTERACTIONS)) {
    const times = [];
    for (let i = 0; i < ROUNDS; i++) times.push(await measure(page, session, script));
    const best = Math.min(...times);
    if (best > LIMIT) slow++;
    console.log(
      `  ${name.padEnd(22)} ${best.toFixed(1).padStart(6)} ms${best > LIMIT ? `, over ${LIMIT}` : ''}`,
    );
  }
  await page.close();
}
await browser.close();
rmSync(cache, { recursive: true, force: true });
if (slow > 0) process.exitCode = 1;
