/** Plans whose pages are tested, and pages opened in a browser that note whatever goes wrong. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plan } from '../../src/plan/types.ts';
import { html } from '../../src/report/html.ts';
import type { Browser, Page, Scheme } from './browser.ts';
import { AXISRAM, DTCM, planOf } from './plans.ts';
import { randomSketch } from './random-plan.ts';

const OPERATORS = [
  'Conv',
  'Relu',
  'Add',
  'MatMul',
  'MaxPool',
  'Softmax',
  'Concat',
  'QuantizeLinear',
  'LSTM',
  'Own',
];

/** A plan of so many steps whose operators are of every family; about half as many buffers. */
export function variedPlan(steps: number, { regions = [AXISRAM], seed = 5 } = {}): Plan {
  const sketch = randomSketch(seed, steps, regions);
  const named = (sketch.steps ?? []).map((step, i) => ({
    ...step,
    op: OPERATORS[(7 * i) % OPERATORS.length]!,
  }));
  return planOf({ ...sketch, file: 'varied.onnx', steps: named });
}

/** By what they are tested for. */
export const PAGES = {
  small: variedPlan(104),
  large: variedPlan(4060),
  regions: variedPlan(60, { regions: [{ ...DTCM, capacity: 6000 }, AXISRAM] }),
} as const;

export interface Opened {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught errors, requests beyond the file itself. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: Scheme;
  readonly script?: boolean;
  readonly hash?: string;
}

/** Writes the page of a plan to a folder of its own and opens it. */
export async function openPage(browser: Browser, plan: Plan, options: OpenOptions = {}): Promise<Opened> {
  const { width = 1280, height = 900, scheme = 'light', script = true, hash = '' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'memplan-page-'));
  const file = join(folder, 'plan.html');
  writeFileSync(file, html(plan));
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: script,
  });
  const complaints: string[] = [];
  page.on('console', (message: { type: () => string; text: () => string }) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error: Error) => complaints.push(String(error.stack)));
  const url = pathToFileURL(file).href;
  page.on('request', (request: { url: () => string }) => {
    if (request.url().split('#')[0] !== url) complaints.push(`request for ${request.url()}`);
  });
  await page.goto(url + hash);
  const close = async () => {
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { page, complaints, close };
}
