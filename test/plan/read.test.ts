import { describe, expect, it } from 'vitest';
import { MemplanError } from '../../src/errors.ts';
import { parsePlan } from '../../src/plan/read.ts';
import { verifyPlan } from '../../src/verify/verify.ts';
import type { GraphSketch } from '../support/graphs.ts';
import { planSketch } from '../support/planned.ts';

const SKETCH: GraphSketch = {
  inputs: ['x'],
  outputs: ['y', 'w'],
  tensors: { x: [4], w: { shape: [4], weight: true }, a: [4], y: [4] },
  nodes: ['Conv x w -> a', 'Relu a -> y'],
};

/** Sets one field of a JSON value, named by its path. */
function changed(path: readonly (string | number)[], to: unknown): string {
  const plan = JSON.parse(JSON.stringify(planSketch(SKETCH)));
  const parent = path.slice(0, -1).reduce((value, key) => value[key], plan);
  if (to === undefined) delete parent[path.at(-1)!];
  else parent[path.at(-1)!] = to;
  return JSON.stringify(plan);
}

function faultsOf(text: string): readonly string[] {
  try {
    parsePlan(text, 'old.json');
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(MemplanError);
    const { diagnostics, exitCode } = error as MemplanError;
    expect(exitCode).toBe(2);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['E_JSON']));
    return diagnostics.map(({ text }) => text);
  }
}

describe('parsePlan', () => {
  it.each([
    ['with weights', SKETCH, {}],
    ['external', SKETCH, { io: 'external' }],
    ['over capacity', SKETCH, { reserve: new Map([['AXISRAM', 524288]]) }],
  ] as const)('gives back the plan that was written: %s', (_, sketch, options) => {
    const plan = planSketch(sketch, options);
    const read = parsePlan(JSON.stringify(plan));
    expect(read).toEqual(plan);
    expect(verifyPlan(read)).toEqual([]);
  });

  it.each([
    [['schema'], 2, 'old.json, schema: expected one of 1, found 2.'],
    [['fits'], 'yes', 'old.json, fits: expected true or false, found "yes".'],
    [['steps', 1, 'reads'], undefined, 'old.json, steps[1].reads: expected a list, found nothing.'],
    [['steps', 1, 'reads', 0], 7, 'old.json, steps[1].reads[0]: expected a text, found 7.'],
    [['tensors', 2, 'offset'], -16, 'old.json, tensors[2].offset: expected a whole number, found -16.'],
    [['tensors', 0, 'offset'], 0.5, 'old.json, tensors[0].offset: expected a whole number, found 0.5.'],
    [
      ['tensors', 0, 'how'],
      'magic',
      /tensors\[0\]\.how: expected one of own, view, in-place, elided, external, found/,
    ],
    [
      ['tensors', 0, 'type'],
      'float31',
      /tensors\[0\]\.type: expected one of bool, int2, .* \.\.\., found "float31"/,
    ],
    [['buffers', 0], null, /buffers\[0\]: expected an object, found null/],
    [
      ['regions', 0, 'capacity'],
      2 ** 53,
      /regions\[0\]\.capacity: expected a whole number, found 9007199254740992/,
    ],
    [['totals'], undefined, /totals: expected an object, found nothing/],
    [['models', 0, 'opset', 'ai.onnx'], '17', /models\[0\]\.opset\.ai\.onnx: expected a whole number/],
  ] as const)('says where %j is wrong', (path, to, says) => {
    const [first] = faultsOf(changed(path, to));
    if (typeof says === 'string') expect(first).toBe(says);
    else expect(first).toMatch(says);
  });

  it('ignores what it does not know, and fills in what older files lack', () => {
    expect(parsePlan(changed(['later'], { a: 1 }))).toEqual(planSketch(SKETCH));
    expect(parsePlan(changed(['assumptions', 'keep'], undefined)).assumptions.keep).toEqual([]);
  });

  it('names no more than twenty faults of a file that is something else', () => {
    const faults = faultsOf('{"name": "package", "version": 1}');
    expect(faults.length).toBe(21);
    expect(faults.at(-1)).toMatch(/^old\.json, and \d+ more\.$/);
  });

  it.each(['', '{', '[1,2', 'null', '3', '"plan"'])('refuses %j', (text) => {
    expect(faultsOf(text).length).toBeGreaterThan(0);
  });
});
