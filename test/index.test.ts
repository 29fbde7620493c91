import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as memplan from '../src/index.ts';

const model = join(dirname(fileURLToPath(import.meta.url)), '../examples/kws-int8/kws-int8.onnx');

test('a plan in three lines, and everything that reads it', () => {
  const request = memplan.planRequest({ models: [model], target: 'stm32h743', kernels: 'none' });
  const { plan, target } = memplan.planModel(request);
  // Two tensors of 64 channels over 25 by 5, one byte each, are live at every depthwise layer.
  expect(plan.totals.arenaBytes).toBe(2 * 64 * 25 * 5);
  expect(memplan.verifyPlan(plan)).toEqual([]);
  expect(memplan.parsePlan(memplan.planJson(plan))).toEqual(plan);
  expect(memplan.renderFiles(plan, target).map(({ name }) => name)).toEqual([
    'tensor_memory_pool.h',
    'tensor_memory_pool.c',
  ]);
  expect(memplan.planSummary(plan, { paint: memplan.plain, columns: 80 })).toContain('16,000');
  expect(memplan.diffPlans(plan, plan).same).toBe(true);
});

test('the stages one by one', () => {
  const { graph } = memplan.readModel(model);
  const inferred = memplan.inferShapes(graph, memplan.NO_BINDINGS);
  const input = inferred.graph.facts[inferred.graph.inputs[0]!];
  expect(memplan.formatShape(input?.shape)).toBe('[1,1,49,10]');
  expect(memplan.loadTarget('stm32h743').id).toBe('stm32h743zi');
  expect(memplan.listTargets()).toContain('stm32h743zi');
});

test('the planner core alone', () => {
  const buffers = [
    { id: 'a', first: 0, end: 2, bytes: 64, alignment: 16 },
    { id: 'b', first: 1, end: 3, bytes: 32, alignment: 16 },
    { id: 'c', first: 2, end: 4, bytes: 64, alignment: 16 },
  ];
  const solution = memplan.solve({ buffers });
  expect(solution).toMatchObject({ bytes: 96, lowerBound: 96, optimal: true });
  expect(memplan.verifyPacking({ buffers }, solution.offsets)).toEqual([]);
  expect(memplan.lowerBound({ buffers }).bytes).toBe(96);
  expect(memplan.strategies.map(({ name }) => name)).toContain('size');
});

test('the planner for browsers asks nothing of Node', async () => {
  const bundle = join(mkdtempSync(join(tmpdir(), 'memplan-planner-')), 'planner.js');
  onTestFinished(() => rmSync(dirname(bundle), { recursive: true }));
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const { bundlePlanner } = await import(pathToFileURL(join(root, 'scripts/bundle.mjs')).href);
  const { outputs } = await bundlePlanner(root, dirname(bundle));
  expect(Object.values(outputs as Record<string, { imports: [] }>).flatMap(({ imports }) => imports)).toEqual(
    [],
  );
  expect(/\b(require\(|process\.|Buffer\.)/.exec(readFileSync(bundle, 'utf8'))).toBeNull();
  const planner = await import(pathToFileURL(bundle).href);
  expect(Object.keys(planner).sort()).toEqual(Object.keys(await import('../src/planner/index.ts')).sort());
});

test('faults are data', () => {
  try {
    memplan.loadTarget('stm32h74');
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(memplan.MemplanError);
    expect((error as memplan.MemplanError).code).toBe('E_TARGET');
    expect(memplan.CODES.E_TARGET).toBe('The target is unknown or its file is wrong.');
  }
});
