/** The target files shown in the documentation load. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { loadTarget } from '../../src/target/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'memplan-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'targets.md');
const blocks = [...readFileSync(page, 'utf8').matchAll(/```json\n([^`]*)```/g)].map((match) => match[1]!);

it('shows two files', () => {
  expect(blocks).toHaveLength(2);
});

it.each([
  [0, 'SRAM', ['DTCM', 'SRAM']],
  [1, 'AXISRAM', ['ITCM', 'DTCM', 'AXISRAM', 'SRAM1', 'SRAM2', 'SRAM3', 'SRAM4', 'BKPSRAM', 'SDRAM']],
] as const)('file %i', (block, main, regions) => {
  const path = join(folder, `${block}.json`);
  writeFileSync(path, blocks[block]!);
  const target = loadTarget(path);
  expect(target.main).toBe(main);
  expect(target.regions.map((r) => r.name)).toEqual(regions);
});
