/** With --weights stage every place is for bytes that a kernel reads, and what kernels read of weights has a place. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../../src/plan/request.ts';
import { emptyFolder } from '../support/generated.ts';
import { emitRunner } from '../support/inference.ts';
import { type ModelSpec, model } from '../support/onnx.ts';
import { cmsisCases } from './cmsis-nn/cases.ts';
import { NETWORK, TWIN } from './cmsis-nn/network.ts';
import { exampleModel } from './examples.ts';
import { INTEGER_CASES, integerModel } from './integers.ts';
import { FAMILIES, modelOf } from './operators.ts';

/** Places that no weight comes to, and weights that kernels read in flash. */
function strays(path: string, dir: string, request: Partial<PlanRequest> = {}) {
  emitRunner(dir, { models: [path], target: 'cortex-m4', weights: 'stage', ...request });
  const header = readFileSync(join(dir, 'tensor_memory_pool.h'), 'utf8');
  const runner = readFileSync(join(dir, 'tensor_memory_pool_runner.c'), 'utf8');
  const calls = runner.slice(runner.indexOf('int net_run')).split(';');
  const bringing = calls.filter((call) => call.includes('memplan_bring('));
  const kernels = calls.filter((call) => !/memplan_bring\(|BROUGHT\(/.test(call));
  const brought = new Set(bringing.map((call) => /NET_W_\w+(?=_OFFSET)/.exec(call)![0]));
  const places = [...header.matchAll(/#define (NET_W_\w+)_OFFSET/g)].map(([, place]) => place!);
  return {
    places: places.length,
    idle: places.filter((place) => !brought.has(place)),
    inFlash: kernels.flatMap((call) =>
      [...call.matchAll(/net_weights\.(\w+)/g)].map(([, weight]) => weight!),
    ),
  };
}

function straysOf(spec: ModelSpec, request: Partial<PlanRequest> = {}) {
  const dir = emptyFolder();
  const path = join(dir, 'model.onnx');
  writeFileSync(path, model(spec));
  return strays(path, dir, request);
}

const CMSIS = { kernels: 'cmsis-nn', kernelsBuild: 'dsp' } as const;
const none = { idle: [], inFlash: [] };

describe('of', () => {
  it.each(FAMILIES.map((family) => [family.name, family] as const))('%s', (_, family) => {
    expect(straysOf(modelOf(family))).toMatchObject(none);
  });

  it('operators on integers', () => {
    const found = straysOf(integerModel(INTEGER_CASES), { fuse: 'default' });
    expect(found).toMatchObject(none);
    expect(found.places).toBeGreaterThan(10);
  });

  it.each([
    ['kws', 'none'],
    ['kws-int8', 'none'],
    ['kws-int8', 'default'],
    ['resnet8', 'default'],
    ['branchy', 'default'],
  ] as const)('%s, --fuse %s', (name, fuse) => {
    const dir = emptyFolder();
    const found = strays(exampleModel(name, dir), dir, { fuse });
    expect(found).toMatchObject(none);
    expect(found.places).toBeGreaterThan(0);
  });

  it.each([
    ['QLinear operators', NETWORK, {}],
    ['QDQ', TWIN, { fuse: 'default' }],
  ] as const)('%s, by either kernels', (_, spec, request) => {
    for (const kernels of [{}, CMSIS]) expect(straysOf(spec, { ...request, ...kernels })).toMatchObject(none);
  });

  it('single operators of CMSIS-NN, but for the zeros that some need as a bias', () => {
    const cases = cmsisCases({ seed: 1, version: 7 });
    const { idle, inFlash } = straysOf(modelOf({ opset: 13, cases }), CMSIS);
    expect(idle).toEqual([]);
    expect(inFlash.filter((weight) => !weight.endsWith('_x2ebias_x2eint32'))).toEqual([]);
  });
});
