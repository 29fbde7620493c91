/** schemas/config.schema.json is the one of the option table (`npx vitest run test/schemas -u` writes it anew). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../scripts/config-schema.ts';
import { readConfig } from '../../src/cli/config/read.ts';
import { MemplanError } from '../../src/errors.ts';
import { mismatches } from '../support/json-schema.ts';

test('the schema is current', async () => {
  const text = `${JSON.stringify(configSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/config.schema.json');
});

test('the files shown in the documentation follow it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/config.md'), 'utf8');
  const blocks = [...page.matchAll(/^```json\n(.*?)^```/gms)].map((match) => JSON.parse(match[1]!));
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect(mismatches('config.schema.json', block)).toEqual([]);
});

/** Whether memplan reads it. */
function isRead(value: unknown): boolean {
  try {
    readConfig({ path: 'c', folder: '.', root: '', value });
    return true;
  } catch (error) {
    if (!(error instanceof MemplanError)) throw error;
    return false;
  }
}

test.each<[unknown, boolean]>([
  [{}, true],
  [{ $schema: 'x', target: 'stm32h743', models: [] }, true],
  [{ models: ['a.onnx', { file: 'b.onnx', budget: '4K', dim: { n: 1 } }, { files: ['c.onnx'] }] }, true],
  [{ budget: 4096 }, true],
  [{ budget: { DTCM: '4K', AXISRAM: 8 } }, true],
  [{ inputShape: { x: [1, 3], y: '1,3' } }, true],
  [{ emit: ['h', 'json'] }, true],
  [{ emit: 'h,json' }, true],
  [{ keep: ['a'] }, true],
  [{ views: false, preserveInputs: true }, true],
  [{ align: 16, sizeRound: '4K' }, true],
  [{ io: 'external' }, true],
  [{ dma: ['a', 'b=MDMA'] }, true],
  [[], false],
  [{ budjet: 1 }, false],
  [{ models: [{ out: 'x' }] }, false],
  [{ models: [{ file: 'a', wrong: 1 }] }, false],
  [{ models: [1] }, false],
  [{ views: 'no' }, false],
  [{ out: 1 }, false],
  [{ io: 'nowhere' }, false],
  [{ emit: ['exe'] }, false],
  [{ keep: [1] }, false],
  [{ dim: { n: [] } }, false],
  [{ json: true }, false],
])('%j: the schema and memplan agree', (value, valid) => {
  expect(isRead(value)).toBe(valid);
  expect(mismatches('config.schema.json', value).length === 0).toBe(valid);
});
