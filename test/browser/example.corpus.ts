/** examples/browser in Chromium: drop a model, look at its map. Nothing but blobs of its own is asked for. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cli, emptyFolder } from '../cli/run.ts';
import { type Browser, browserMissing, findings, launchBrowser, type Page } from '../support/browser.ts';
import { model, node } from '../support/onnx.ts';

const root = join(import.meta.dirname, '../..');
const KWS = join(root, 'examples/kws/kws.onnx');
const skip = browserMissing() !== undefined;
/** Screenshots for people to look at. */
const shots = join(root, '.cache/screenshots');

let folder = '';
let browser: Browser;
let opened: { readonly page: Page; readonly complaints: string[] }[] = [];

beforeAll(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'memplan-example-'));
  mkdirSync(shots, { recursive: true });
  execFileSync(process.execPath, [join(root, 'examples/browser/build.mjs'), join(folder, 'memplan.html')]);
  browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  if (skip) return;
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const { page, complaints } of opened) {
    await page.close();
    expect(complaints).toEqual([]);
  }
  opened = [];
});

async function open(scheme: 'light' | 'dark' = 'light', width = 1280, height = 900): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: true,
  });
  const url = pathToFileURL(join(folder, 'memplan.html')).href;
  const complaints: string[] = [];
  page.on('console', (message: { type: () => string; text: () => string }) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error: Error) => complaints.push(String(error.stack)));
  page.on('request', (request: { url: () => string }) => {
    const asked = request.url();
    if (asked !== url && !/^(blob|data|about):/.test(asked)) complaints.push(`request for ${asked}`);
  });
  opened.push({ page, complaints });
  await page.goto(url);
  return page;
}

/** Drops a file on the page, as a browser does when somebody lets go of one. */
const drop = (page: Page, name: string, content: Uint8Array) =>
  page.evaluate<void>(`(() => {
    const bytes = Uint8Array.from(atob('${Buffer.from(content).toString('base64')}'), (c) => c.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], ${JSON.stringify(name)}));
    const drop = document.querySelector('#drop');
    for (const type of ['dragenter', 'dragover', 'drop'])
      drop.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  })()`);

/** Asks again until the page says yes. */
async function until(page: Page, script: string): Promise<void> {
  const started = performance.now();
  while (!(await page.evaluate<boolean>(script))) {
    if (performance.now() - started > 20_000) throw new Error(`never true: ${script}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const status = `document.querySelector('#status').textContent`;
const frame = `document.querySelector('#report').contentDocument`;
const planned = (page: Page, name: string) => until(page, `${status} === '${name} is planned.'`);
const mapped = (page: Page) => until(page, `${frame}?.querySelectorAll('.box').length > 0`);

/** What a click on the link of a file saves. */
async function saved(page: Page, file: string): Promise<string> {
  const begun = new Promise<{ path: () => Promise<string> }>((resolve) => page.on('download', resolve));
  await page.click(`#files a[download="${file}"]`);
  return readFileSync(await (await begun).path(), 'utf8');
}

describe.skipIf(skip)('the page', () => {
  test('plans a dropped model as the command line does, to the byte', async () => {
    const page = await open();
    await drop(page, 'kws.onnx', readFileSync(KWS));
    await planned(page, 'kws.onnx');
    await mapped(page);
    const cwd = emptyFolder();
    await cli([KWS, '--target', 'stm32h743zi', '--emit', 'h,c,json,html'], { cwd });
    const shown = await page.evaluate<string>(`document.querySelector('#report').srcdoc`);
    expect(shown).toBe(readFileSync(join(cwd, 'plan.html'), 'utf8'));
    for (const file of ['tensor_memory_pool.h', 'tensor_memory_pool.c', 'plan.json']) {
      expect(await saved(page, file)).toBe(readFileSync(join(cwd, file), 'utf8'));
    }
    await page.screenshot({ path: join(shots, 'browser-light.png') });
  });

  test('answers to pointer and keys: a box tells its name, arrows walk', async () => {
    const page = await open();
    await page.click('#example');
    await planned(page, 'kws.onnx');
    await mapped(page);
    const place = await page.evaluate<{ x: number; y: number }>(`(() => {
      const report = document.querySelector('#report');
      report.scrollIntoView({ block: 'start' });
      const boxes = [...${frame}.querySelectorAll('.box')];
      const area = (box) => { const { width, height } = box.getBoundingClientRect(); return width * height; };
      const box = boxes.reduce((most, next) => (area(next) > area(most) ? next : most));
      box.scrollIntoView({ block: 'center' });
      const outer = report.getBoundingClientRect();
      const inner = box.getBoundingClientRect();
      return {
        x: outer.left + report.clientLeft + inner.left + inner.width / 2,
        y: outer.top + report.clientTop + inner.top + inner.height / 2,
      };
    })()`);
    await page.mouse.move(place.x, place.y);
    await until(page, `!${frame}.querySelector('#tip').hidden`);
    expect(await page.evaluate(`${frame}.querySelector('#tip').textContent`)).toContain(
      'float32 [1,64,25,5]',
    );
    await page.mouse.click(place.x, place.y);
    const active = `${frame}.querySelector('.map').getAttribute('aria-activedescendant')`;
    const before = await page.evaluate<string>(active);
    await page.keyboard.press('ArrowRight');
    const after = await page.evaluate<string>(active);
    expect(before).toMatch(/^b\d+$/);
    expect(after).toMatch(/^b\d+$/);
    expect(after).not.toBe(before);
  });

  test('can be worked with the keyboard alone', async () => {
    const page = await open();
    const focused = () => page.evaluate<string>('document.activeElement.id');
    const order: string[] = [];
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    // The button to plan waits for a model.
    expect(order).toEqual(['file', 'example', 'target', 'sizes']);
    await page.focus('#example');
    await page.keyboard.press('Enter');
    await planned(page, 'kws.onnx');
    await page.focus('#target');
    await page.fill('#target', 'nrf52840');
    await page.keyboard.press('Enter');
    await until(page, `document.querySelector('#report').srcdoc.includes('nrf52840')`);
  });

  test('says what is wrong, and what to type', async () => {
    const page = await open();
    const net = model({
      inputs: { x: ['float32', ['batch', 16]] },
      outputs: { y: ['float32', ['batch', 16]] },
      nodes: [node('Relu', ['x'], ['y'])],
    });
    await drop(page, 'open.onnx', net);
    await until(page, `${status} === 'No plan for open.onnx.'`);
    expect(await page.textContent('#refused')).toMatch(/E_OPEN_DIM.*batch/);
    await page.fill('#sizes', 'batch=2');
    await page.click('#plan');
    await planned(page, 'open.onnx');
    expect(await page.textContent('#refused')).toBe('');

    await drop(page, 'page.onnx', new TextEncoder().encode('<!DOCTYPE html><html></html>'));
    await until(page, `${status} === 'No plan for page.onnx.'`);
    expect(await page.textContent('#refused')).toContain('E_NOT_ONNX');
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('axe-core finds nothing serious: %s, %i pixels wide', async (scheme, width) => {
    const page = await open(scheme, width, 800);
    await page.click('#example');
    await planned(page, 'kws.onnx');
    await mapped(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.screenshot({ path: join(shots, `browser-${scheme}-${width}.png`), fullPage: true });
    await page.fill('#target', 'nowhere');
    await page.click('#plan');
    await until(page, `${status} === 'No plan for kws.onnx.'`);
    const serious = (await findings(page)).filter(({ impact }) => ['serious', 'critical'].includes(impact));
    expect(serious).toEqual([]);
  });
});
