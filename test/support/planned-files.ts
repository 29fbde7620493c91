/** Runs the main job on the bytes of a model, in a folder of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parsePlan } from '../../src/plan/read.ts';
import type { Plan } from '../../src/plan/types.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import { cli, emptyFolder, type Ran } from '../cli/run.ts';

/** On stm32h743; the model is net.onnx. */
export async function ran(bytes: Uint8Array, ...flags: string[]): Promise<Ran> {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'net.onnx'), bytes);
  return cli(['net.onnx', '--target', 'stm32h743', '--emit', 'json', ...flags], { cwd });
}

/** The plan, which has to pass the checker. */
export async function planOf(bytes: Uint8Array, ...flags: string[]): Promise<Plan> {
  const { code, stdout, stderr } = await ran(bytes, '--json', ...flags);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const plan = parsePlan(stdout, 'stdout');
  expect(verifyPlan(plan)).toEqual([]);
  return plan;
}
