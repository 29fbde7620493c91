/** What would lower the peak: each piece of advice where it holds, and only there. */
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/types.ts';
import { peakAdvice } from '../../src/report/advice.ts';
import { type PlanSketch, planOf } from '../support/plans.ts';
import { NOTHING } from '../support/sample-plans.ts';

/**
 * conv (x -> a), conv (a -> b), relu (b -> c), add (c, a -> y). While step 2 runs b, c and a are live: 3 * 400 bytes;
 * c cannot take over b, which step 3 reads again; a waits for step 3.
 */
const SKETCH: PlanSketch = {
  file: 'residual.onnx',
  tensors: [
    { name: 'x', shape: [10], role: 'input', live: [0, 1], offset: 0 },
    { name: 'a', shape: [100], live: [0, 4], offset: 400 },
    { name: 'b', shape: [100], live: [1, 4], offset: 0 },
    { name: 'c', shape: [100], live: [2, 4], offset: 800 },
    { name: 'y', shape: [1], role: 'output', live: [3, 4], offset: 1200 },
  ],
  steps: [
    { node: 'conv1', op: 'Conv', reads: ['x'], writes: ['a'] },
    { node: 'conv2', op: 'Conv', reads: ['a'], writes: ['b'] },
    { node: 'relu', op: 'Relu', reads: ['b'], writes: ['c'] },
    { node: 'sum', op: 'Sum', reads: ['c', 'a', 'b'], writes: ['y'] },
  ],
};

const texts = (plan: Plan) =>
  peakAdvice(plan).map(({ text, option }) => (option === null ? text : `${text} ${option}`));

/** The sketch with its peak at the Relu: the output is the caller's. */
function residual(change: Partial<PlanSketch> = {}): Plan {
  return planOf({
    ...SKETCH,
    tensors: SKETCH.tensors.map((t) => (t.name === 'y' ? { ...t, offset: null } : t)),
    ...change,
  });
}

describe('facts of the peak step', () => {
  test('the peak is where the comment says', () => {
    const { peak, steps } = residual();
    expect([peak.step, peak.bytes, steps[2]!.liveBytes]).toEqual([2, 1200, 1200]);
  });

  test('what its output cannot take over, and until when', () => {
    expect(texts(residual())).toContain(
      'c cannot take over the bytes of b: it is read again at step 3, sum (Sum).',
    );
  });

  test('what waits through it', () => {
    expect(texts(residual())).toContain('a waits with 400 bytes for step 3, sum (Sum).');
  });

  test('floats, with what they would be as int8', () => {
    const text =
      '1,200 bytes at the peak are float32; quantised to int8 they would be 300 bytes. --assume int8';
    expect(texts(residual())).toContain(text);
    expect(texts(residual({ assumptions: { assume: 'int8' } }))).not.toContain(text);
    const integers = residual({ tensors: SKETCH.tensors.map((t) => ({ ...t, type: 'int8' as const })) });
    expect(texts(integers).join()).not.toContain('float32');
  });

  test('how many steps reach it, or which is the next', () => {
    expect(texts(residual())).toContain('2 steps reach the peak: each of them would have to become cheaper.');
    expect(texts(planOf(SKETCH))).toContain(
      'A cheaper step 3 alone cannot bring the peak below 1,200 bytes: step 2 needs them.',
    );
  });

  test('outputs in the arena', () => {
    const text = '4 bytes at the peak hold graph inputs or outputs; the caller could own them. --io external';
    expect(texts(planOf(SKETCH))).toContain(text);
    expect(texts(residual())).not.toContain(text);
  });
});

describe('options that cost memory', () => {
  test.each([
    ['inPlace', 'No operator writes over its input, because of --no-in-place.'],
    ['inPlaceInputs', 'No operator writes over a graph input, because of --no-in-place-inputs.'],
    ['views', 'Reshape and its like copy, because of --no-views.'],
  ] as const)('without %s', (option, text) => {
    expect(texts(residual({ assumptions: { [option]: false } }))).toContain(text);
    expect(texts(residual())).not.toContain(text);
  });

  test('a tensor that only --keep holds', () => {
    const tensors = SKETCH.tensors.map((t) =>
      t.name === 'x' ? { ...t, live: [0, 4] as const, offset: 1600 } : t,
    );
    const text = '40 bytes at the peak have been read for the last time and only stay because of --keep.';
    expect(texts(residual({ tensors, assumptions: { keep: ['x'] } }))).toContain(text);
    expect(texts(residual({ tensors, assumptions: { preserveInputs: true } }))).toContain(
      text.replace('--keep', '--preserve-inputs'),
    );
    // What states and places keep is among `keep`, but not because of --keep.
    const kept = residual({ tensors, assumptions: { keep: ['x'] } });
    const state = { model: 0, tensor: 'x', from: null, how: 'kept' } as const;
    expect(texts({ ...kept, states: [state] })).toContain(text.replace('--keep', '--state'));
    expect(texts({ ...kept, states: [state] })).not.toContain(text);
    expect(texts({ ...kept, states: [{ ...state, places: 2, stride: 64 }] })).toContain(
      text.replace('--keep', '--buffers'),
    );
    expect(texts(residual({ tensors })).join()).not.toContain('only stay');
  });

  test('the order of the file', () => {
    const text =
      'The steps keep the order of the file; another order may have a smaller peak. --schedule min-peak';
    // conv2 reads x as well as conv1 does, and may come first.
    const steps = SKETCH.steps!.map((step) => (step.node === 'conv2' ? { ...step, reads: ['x'] } : step));
    expect(texts(residual({ steps }))).toContain(text);
    expect(texts(residual({ steps, assumptions: { schedule: 'min-peak' } }))).not.toContain(text);
    // Each step needs the one before it.
    expect(texts(residual())).not.toContain(text);
  });
});

describe('the packing', () => {
  test('above its bound by so much', () => {
    const tensors = SKETCH.tensors.map((t) => (t.name === 'c' ? { ...t, offset: 1000 } : t));
    expect(texts(planOf({ ...SKETCH, tensors }))).toContain(
      'The arena is 196 bytes above its lower bound; a longer search may find less. --effort N',
    );
    expect(texts(planOf(SKETCH)).join()).not.toContain('lower bound');
  });
});

test('nothing live, nothing to say', () => {
  expect(peakAdvice(NOTHING)).toEqual([]);
});

test('a control character in a name stays harmless', () => {
  const renamed = JSON.stringify(residual()).replaceAll('"a"', JSON.stringify('a\u001b[31m'));
  expect(texts(JSON.parse(renamed))).toContain('a\\x1b[31m waits with 400 bytes for step 3, sum (Sum).');
});
