/** Chromium, driven by playwright-core and judged by axe-core, where scripts/install-browser.sh has put them. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missing } from './tools.ts';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../../.cache/browser/node_modules');

/** What the tests use of playwright-core, which is not among the dependencies. Scripts in pages are texts. */
export interface Page {
  readonly keyboard: { press: (key: string) => Promise<void>; type: (text: string) => Promise<void> };
  readonly mouse: {
    move: (x: number, y: number, options?: { steps: number }) => Promise<void>;
    click: (x: number, y: number) => Promise<void>;
    down: () => Promise<void>;
    up: () => Promise<void>;
    wheel: (x: number, y: number) => Promise<void>;
  };
  goto: (url: string) => Promise<unknown>;
  click: (selector: string) => Promise<void>;
  focus: (selector: string) => Promise<void>;
  fill: (selector: string, text: string) => Promise<void>;
  textContent: (selector: string) => Promise<string | null>;
  evaluate: <T>(script: string) => Promise<T>;
  emulateMedia: (options: { media?: 'print' | 'screen'; colorScheme?: Scheme }) => Promise<void>;
  setViewportSize: (size: { width: number; height: number }) => Promise<void>;
  on: (event: string, listener: (what: never) => void) => void;
  screenshot: (options: { path: string; fullPage?: boolean }) => Promise<unknown>;
  close: () => Promise<void>;
}

export type Scheme = 'light' | 'dark';

interface PageOptions {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: Scheme;
  readonly javaScriptEnabled: boolean;
}

export interface Browser {
  newPage: (options: PageOptions) => Promise<Page>;
  close: () => Promise<void>;
}

/** The reason to skip, or undefined when a browser is there. Throws when CI must have one. */
export function browserMissing(): string | undefined {
  const program = missing('chromium');
  if (program !== undefined || existsSync(join(packages, 'playwright-core'))) return program;
  const reason = 'playwright-core is not there: run scripts/install-browser.sh';
  if (process.env.CI === 'true') throw new Error(reason);
  console.warn(`skipped: ${reason}`);
  return reason;
}

export function launchBrowser(): Promise<Browser> {
  const { chromium } = createRequire(join(packages, 'x.js'))('playwright-core') as {
    chromium: { launch: (options: object) => Promise<Browser> };
  };
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: program('chromium'), args });
}

/** playwright-core looks for no program on the path. */
function program(name: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}

export interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly places: readonly string[];
}

/** What axe-core finds in the page. */
export async function findings(page: Page): Promise<readonly Finding[]> {
  await page.evaluate(readFileSync(join(packages, 'axe-core/axe.min.js'), 'utf8'));
  return page.evaluate<readonly Finding[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .map(({ id, impact, nodes }) => ({ id, impact, places: nodes.slice(0, 5).map(({ target }) => target.join(' ')) })))`,
  );
}
