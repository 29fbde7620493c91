import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { diagnostic, MemplanError } from '../src/errors.ts';
import { planModel } from '../src/pipeline.ts';
import * as checker from '../src/verify/verify.ts';
import { requestOf } from './support/planned.ts';

const AUTOENCODER = fileURLToPath(new URL('../examples/autoencoder/autoencoder.onnx', import.meta.url));

vi.mock('../src/verify/verify.ts', { spy: true });
afterEach(() => {
  vi.restoreAllMocks();
});

describe('planModel', () => {
  it('plans a file and has the plan checked', () => {
    const { plan, target } = planModel(requestOf({ models: [AUTOENCODER] }));
    expect(plan.fits).toBe(true);
    expect(plan.models[0]).toMatchObject({
      name: 'autoencoder',
      file: 'autoencoder.onnx',
      cPrefix: 'AUTOENCODER',
    });
    expect(target.id).toBe('stm32h743zi');
    expect(vi.mocked(checker.planFaults)).toHaveBeenCalledExactlyOnceWith(plan);
  });

  it('gives the same plan twice, to the byte', () => {
    const request = requestOf({ models: [AUTOENCODER] });
    expect(JSON.stringify(planModel(request))).toBe(JSON.stringify(planModel(request)));
  });

  it('takes the prefix that it is given', () => {
    expect(planModel(requestOf({ models: [AUTOENCODER], prefix: 'NET' })).plan.models[0]?.cPrefix).toBe(
      'NET',
    );
  });

  it('hands out no plan that the checker refuses', () => {
    vi.mocked(checker.planFaults).mockReturnValue([diagnostic('E_PLAN_FAULT', 'Two buffers hold one byte.')]);
    const run = () => planModel(requestOf({ models: [AUTOENCODER] }));
    expect(run).toThrow(MemplanError);
    try {
      run();
    } catch (error) {
      expect((error as MemplanError).diagnostics.map(({ code }) => code)).toEqual([
        'E_INTERNAL',
        'E_PLAN_FAULT',
      ]);
      expect((error as MemplanError).exitCode).toBe(2);
    }
  });

  it('refuses a request without models', () => {
    expect(() => planModel(requestOf({ models: [] }))).toThrow(/No model/);
  });
});
