import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
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
  expect(memplan.diffMarkdown(memplan.diffPlans(plan, plan))).toContain('the plans are the same');
});

describe('what a request may not be', () => {
  const textsOf = (more: object) => {
    try {
      memplan.planRequest({ models: ['m'], target: 't', ...more } as Parameters<
        typeof memplan.planRequest
      >[0]);
    } catch (error) {
      expect(error).toBeInstanceOf(memplan.MemplanError);
      const { code, diagnostics } = error as memplan.MemplanError;
      expect(code).toBe('E_USAGE');
      return diagnostics.map(({ text, hint }) => `${text} ${hint ?? ''}`);
    }
    return [];
  };
  test.each([
    [{ budget: '60K' }, /budget is "60K"; it has to be a Map of bytes by region.*'' is the whole/],
    [{ reserve: { AXISRAM: '1K' } }, /reserve is an object; .*new Map\(\[\['AXISRAM', 65536\]\]\)/],
    [{ budget: new Map([['', '60K']]) }, /budget is a Map of something else/],
    [{ keep: 'x' }, /keep is "x"; it has to be an array of strings/],
    [{ models: 'a' }, /models is "a"; it has to be an array of paths/],
    [{ models: [] }, /models is another array/],
    [{ target: undefined }, /target is missing/],
    [{ schedule: 'nope' }, /schedule is "nope"; it has to be 'model' or 'min-peak'/],
    [{ io: 'zzz' }, /'arena' or 'external'/],
    [{ layout: 'q' }, /'nchw' or 'nhwc'/],
    [{ place: 'q' }, /'auto' or 'fastest'/],
    [{ weights: 'q' }, /'flash' or 'ram' or 'hybrid' or 'stage'/],
    [{ align: '16' }, /align is "16"; it has to be a power of two/],
    [{ align: 48 }, /align is 48; it has to be a power of two/],
    [{ mpu: 'yes' }, /mpu is "yes"; it has to be true or false/],
    [
      { bindings: { dims: { batch: 1 } } },
      /bindings is an object; it has to be bindings, as in \{ \.\.\.NO_BINDINGS/,
    ],
    [{ rules: [{ tensor: 'x' }] }, /rules is another array/],
    [{ budjet: new Map() }, /there is no key "budjet" did you mean budget/],
  ])('%o', (more, expected) => {
    const texts = textsOf(more);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(expected);
  });

  test('all faults at once, and nothing given at all', () => {
    expect(textsOf({ io: 'zzz', keep: 'x' })).toHaveLength(2);
    expect(textsOf({ models: undefined, target: undefined })).toHaveLength(2);
  });

  test('undefined is not given, and the defaults pass', () => {
    const request = memplan.planRequest({ models: ['m'], target: 't' });
    expect(memplan.planRequest({ models: ['m'], target: 't', io: undefined } as never)).toEqual(request);
    expect(memplan.planRequest(request)).toEqual(request);
  });
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
