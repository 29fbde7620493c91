/**
 * Style and script of the page, bundled. When dist/ is built another file with the same strings takes this one's
 * place (scripts/bundle-page.mjs), so that a run needs no bundler.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

export interface PageAssets {
  readonly script: string;
  readonly style: string;
  /** For a content security policy: no other script runs in the page. */
  readonly scriptHash: string;
}

let known: PageAssets | undefined;

export function pageAssets(): PageAssets {
  if (known === undefined) {
    const script = bundled('main.ts');
    const hash = createHash('sha256').update(script).digest('base64');
    known = { script, style: bundled('page.css'), scriptHash: `sha256-${hash}` };
  }
  return known;
}

function bundled(file: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(sources(), file)],
    bundle: true,
    write: false,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    target: ['es2021', 'chrome105', 'firefox110', 'safari16'],
  });
  return outputFiles[0]!.text.trim();
}

/** The folder page/, whether this runs from the sources or from a bundle. */
function sources(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, 'src/report/page');
    if (existsSync(folder) || at === dirname(at)) return folder;
  }
}
