/** Folders with the generated C of a plan, for tests that compile it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type RenderOptions, renderFiles } from '../../src/emit/render.ts';
import { type TextFile, writeFiles } from '../../src/emit/write.ts';
import type { Plan } from '../../src/plan/types.ts';
import { targetOf } from './plans.ts';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that goes away with the test file. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memplan '));
  folders.push(folder);
  return folder;
}

/** A new folder (its path has a space) with the files of a plan, and others. */
export function generated(plan: Plan, options: RenderOptions = {}, others: readonly TextFile[] = []): string {
  const folder = emptyFolder();
  writeFiles(folder, [...renderFiles(plan, targetOf(plan), options), ...others]);
  return folder;
}

/** The text of the header. */
export function headerOf(plan: Plan, options: RenderOptions = {}): string {
  return renderFiles(plan, targetOf(plan), options)[0]!.text;
}
