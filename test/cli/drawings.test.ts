/** The drawn reports through the command line: their files, and that they are written when a gate fails. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cli, emptyFolder } from './run.ts';

const model = fileURLToPath(new URL('../../examples/kws/kws.onnx', import.meta.url));
const drawn = ['--target', 'stm32h743', '--emit', 'html,svg,trace'];

test('--emit html,svg,trace writes three files, and the same bytes again', async () => {
  const cwd = emptyFolder();
  const { code, stdout } = await cli([model, ...drawn], { cwd });
  expect(code).toBe(0);
  expect(readdirSync(cwd).sort()).toEqual(['plan.html', 'plan.svg', 'plan.trace.json']);
  expect(stdout).toMatch(/written +plan\.html\n +written +plan\.svg\n +written +plan\.trace\.json/);
  expect((await cli([model, ...drawn], { cwd })).stdout.match(/unchanged/g)).toHaveLength(3);
  expect((await cli([model, ...drawn, '--check'], { cwd })).code).toBe(0);
});

test('what does not fit is drawn as well', async () => {
  const cwd = emptyFolder();
  const { code } = await cli([model, ...drawn, '--budget', '1K'], { cwd });
  expect(code).toBe(1);
  const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
  expect(text('plan.html')).toContain('<code>E_OVER_BUDGET</code>');
  expect(text('plan.html')).toContain('does not fit');
  expect(text('plan.svg')).toContain('does not fit');
  expect(() => JSON.parse(text('plan.trace.json'))).not.toThrow();
});
