/** Whose steps are whose in a plan of several models. */
import { describe, expect, test } from 'vitest';
import type { PlanRequest } from '../../../src/plan/request.ts';
import type { Plan } from '../../../src/plan/types.ts';
import { nameInPlace } from '../../../src/report/chart/in-place.ts';
import { sceneOf } from '../../../src/report/chart/scene.ts';
import { turnsOf } from '../../../src/report/chart/turns.ts';
import { html } from '../../../src/report/html.ts';
import { mapText } from '../../../src/report/map.ts';
import { plain } from '../../../src/report/paint.ts';
import { svg } from '../../../src/report/svg.ts';
import type { GraphSketch } from '../../support/graphs.ts';
import { planOf } from '../../support/plans.ts';
import { planSeveral } from '../../support/several.ts';
import { kws } from '../samples.ts';

/** Two steps, and one: steps 0 and 1 are those of a, step 2 is that of b. */
const TWO: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [16], h: [16], y: [16] },
  nodes: ['Other x -> h', 'Other h -> y'],
};
const ONE: GraphSketch = {
  inputs: ['x'],
  outputs: ['y'],
  tensors: { x: [16], y: [16] },
  nodes: ['Other x -> y'],
};
const planned = (options: Partial<PlanRequest> = {}, sketches = [TWO, ONE]) => planSeveral(sketches, options);

describe('turns', () => {
  test('a single model has none', () => {
    expect(turnsOf(kws)).toEqual([]);
    expect(html(kws)).not.toContain('id="turns"');
    expect(svg(kws)).not.toContain('class="turn"');
  });

  test('of models that take turns', () => {
    expect(turnsOf(planned())).toEqual([
      {
        label: 'a',
        prefix: 'a:',
        first: 0,
        end: 2,
        part: 0,
        about: 'a.onnx, steps 0 to 1: these models never run at once',
      },
      {
        label: 'b',
        prefix: 'b:',
        first: 2,
        end: 3,
        part: 0,
        about: 'b.onnx, step 2: these models never run at once',
      },
    ]);
  });

  test('of models that may run at the same time, some of them in a fixed order', () => {
    const said = turnsOf(planned({ run: 'concurrent', group: ['joint:a,b'] }, [TWO, ONE, ONE]));
    const apart = 'parts may run at the same time and share no bytes';
    expect(said.map(({ label, part, about }) => [label, part, about])).toEqual([
      [
        'a, part 1',
        0,
        `a.onnx, steps 0 to 1: part 1 of 2; ${apart}; its models run in this order, never at once`,
      ],
      ['b, part 1', 0, `b.onnx, step 2: part 1 of 2; ${apart}; its models run in this order, never at once`],
      ['c, part 2', 1, `c.onnx, step 3: part 2 of 2; ${apart}`],
    ]);
  });
});

describe('drawings', () => {
  test('name the models and draw a line where they change hands', () => {
    const plan = planned();
    const page = html(plan);
    expect(page.match(/class="handover"/g)).toHaveLength(1);
    // After two of three steps.
    expect(page).toContain('<i class="handover" style="--at:0.6666667"></i>');
    expect(page).toMatch(
      /<span class="turn" style="--at:0;--wide:0.6666667" title="a\.onnx, steps 0 to 1[^"]*">a<\/span>/,
    );
    expect(svg(plan).match(/class="turn"/g)).toHaveLength(1);
    const corner = (of: Plan) => /class="corner turns">(\w+)</.exec(html(of))?.[1];
    expect(corner(plan)).toBe('model');
    expect(corner(planned({ run: 'concurrent' }))).toBe('part');
    expect(
      corner({
        ...plan,
        buckets: [{ sizes: [{ name: 'n', size: 1 }] }, { sizes: [{ name: 'n', size: 2 }] }],
      }),
    ).toBe('sizes');
  });

  test('and the map of a terminal has a line with their names', () => {
    const lines = mapText(planned(), plain, 80).split('\n');
    const axis = lines.findIndex((line) => line.includes('peak, step'));
    // Six characters for a step, as few steps have.
    expect(lines[axis + 1]!.trim()).toBe('|a          |b');
  });

  test('names in boxes do without the model that stands above them', () => {
    const { turns } = sceneOf(planned());
    expect(nameInPlace(turns, 1, 'a:h')).toBe('h');
    expect(nameInPlace(turns, 2, 'b:y')).toBe('y');
    // Alive before its model runs.
    expect(nameInPlace(turns, 0, 'b:x')).toBe('b:x');
    expect(nameInPlace([], 0, 'b:x')).toBe('b:x');
  });
});

test('thin boxes between thin boxes have faint outlines, the first and the last of them do not', () => {
  const stack = (count: number, low: number) =>
    planOf({
      file: 'stack.onnx',
      tensors: [
        { name: 'large', shape: [1000], live: [0, 1], offset: 0 },
        ...Array.from({ length: count }, (_, i) => ({
          ...{ name: `t${i}`, shape: [low], live: [0, 1] as const, offset: 4000 + 4 * low * i },
        })),
      ],
      steps: [{ node: 'n', op: 'Relu', reads: [], writes: [] }],
    });
  const faint = (plan: Plan) =>
    [...html(plan).matchAll(/id="b(\d+)" class="box thin"/g)].map(([, id]) => Number(id));
  // The map of one region is 380 pixels high: 9 of 1,045 floats are 3.3 pixels, 12 of 1,060 4.3. Buffer 0 is the large one.
  expect(faint(stack(5, 9))).toEqual([2, 3, 4]);
  expect(faint(stack(2, 9))).toEqual([]);
  expect(faint(stack(5, 12))).toEqual([]);
});
