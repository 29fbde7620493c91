import { describe, expect, it } from 'vitest';
import { none } from '../../src/kernels/none.ts';
import { aliasChoices } from '../../src/lifetime/candidates.ts';
import { leastBytes } from '../../src/lifetime/least.ts';
import { type Scene, sceneOf } from '../../src/lifetime/scene.ts';
import { scheduleSteps } from '../../src/lifetime/schedule.ts';
import type { Preference } from '../../src/lifetime/sharing.ts';
import type { Choice } from '../../src/lifetime/types.ts';
import { type BodySketch, type GraphSketch, graphOf, type NodeSketch } from '../support/graphs.ts';
import { optionsOf } from '../support/lifetimes.ts';
import { randomJoins } from '../support/random-graphs.ts';
import { countOfWays, peakOf, smallestPeak } from '../support/sharings.ts';

function judged(
  sketch: GraphSketch,
  sizeRound = 1,
): { scene: Scene; choices: readonly Choice[]; least: number } {
  const graph = graphOf(sketch);
  const scene = sceneOf(graph, scheduleSteps(graph), optionsOf(sketch, { elide: true, sizeRound }));
  const choices = aliasChoices(scene, none);
  return { scene, choices, least: leastBytes(scene, choices, allOf(choices)) };
}

function allOf(choices: readonly Choice[]): Preference {
  return choices.map(({ candidates }) => candidates);
}

/** Live bytes at the peak when everything that is legal is taken. */
function peak(scene: Scene, choices: readonly Choice[]): number {
  return peakOf(scene, choices, allOf(choices));
}

/** Tensors of four float32 but for `others`, x and y outside of a loop that hands `t` from turn to turn. */
function looped(
  nodes: readonly string[],
  names: readonly string[],
  t: string,
  others: GraphSketch['tensors'] = {},
): GraphSketch {
  const body: BodySketch = { name: 'body', inputs: ['r'], nodes, outputs: [t] };
  const tensors = Object.fromEntries(['x', 'y', 'r', ...names].map((name) => [name, [4]]));
  return {
    inputs: ['x'],
    outputs: ['y'],
    tensors: { ...tensors, ...others },
    nodes: [{ run: 'Loop _ _ x -> y', bodies: [body] }],
  };
}

/** A loop around a graph of parts, which hands on the last tensors of the sizes that it receives. */
function joinsInLoop(seed: number): GraphSketch {
  const { nodes, tensors } = randomJoins(seed, 8);
  const made = Object.keys(tensors).slice(2);
  const ofSize = (size: number): string | undefined =>
    made.findLast((name) => (tensors[name] as readonly number[])[0] === size);
  const [small, large] = [ofSize(4), ofSize(8)];
  const more: NodeSketch[] = [
    ...(small === undefined ? [{ run: 'Conv t0 -> s' }] : []),
    ...(large === undefined ? [{ run: 'Conv t1 -> l' }] : []),
  ];
  const body: BodySketch = {
    name: 'body',
    inputs: ['t0', 't1'],
    nodes: [...nodes, ...more],
    outputs: [small ?? 's', large ?? 'l'],
  };
  return {
    inputs: ['x', 'z'],
    outputs: ['y', 'w'],
    tensors: { x: [4], z: [8], y: [4], w: [8], ...tensors, s: [4], l: [8] },
    nodes: [{ run: 'Loop _ _ x z -> y w', bodies: [body] }],
  };
}

describe('what no way to share can fall below', () => {
  it('counts what a loop hands on before it is written', () => {
    // In the second step x, y, r, p and q are there, and s, over which t is written, is not yet: t has its bytes.
    const sketch = looped(
      ['Conv r -> p', 'Conv p -> q', 'Conv q -> s', 'Relu s -> t'],
      ['p', 'q', 's', 't'],
      't',
    );
    const { scene, choices, least } = judged(sketch);
    expect([least, peak(scene, choices)]).toEqual([96, 96]);
  });

  it('does not count it twice while something is there that it may be written over', () => {
    // p lies where q and t come to lie: x, y, r and p.
    const sketch = looped(['Conv r -> p', 'Relu p -> q', 'Relu q -> t'], ['p', 'q', 't'], 't');
    const { scene, choices, least } = judged(sketch);
    expect([least, peak(scene, choices)]).toEqual([64, 64]);
  });

  it('knows all that it may be written over', () => {
    // While v is made: x, y, r, p and v, 16 bytes each, and u, 64. There t may be where p is; q comes later.
    const sketch = looped(
      ['Conv r -> p', 'Conv p -> u', 'Conv u -> v', 'Conv v -> q', 'Add p q -> t'],
      ['p', 'v', 'q', 't'],
      't',
      { u: [16] },
    );
    const { scene, choices, least } = judged(sketch);
    expect([least, peak(scene, choices)]).toEqual([144, 144]);
  });

  it('does not take it off twice where two of those are there', () => {
    // While v is made: x, y, r, p, q, v and u.
    const sketch = looped(
      ['Conv r -> p', 'Conv p -> q', 'Conv q -> u', 'Conv u -> v', 'Conv v p q -> w', 'Add p q -> t'],
      ['p', 'q', 'v', 'w', 't'],
      't',
      { u: [16] },
    );
    const { scene, choices, least } = judged(sketch);
    expect([least, peak(scene, choices)]).toEqual([160, 160]);
  });

  it('counts it beside what is read after it is written, of which it can only have been in a copy', () => {
    // While m is made: x, y, r, o and the bytes of t, 16 each, and m, 64.
    const sketch = looped(
      ['Conv r -> o', 'Conv o -> m', 'Identity o -> s', 'Relu s -> t', 'Conv o -> z'],
      ['o', 's', 't'],
      't',
      { m: [16], z: [1] },
    );
    const { scene, choices, least } = judged(sketch);
    expect([least, peak(scene, choices)]).toEqual([144, 144]);
  });

  it('rounds up what must have bytes of its own, and nothing that may lie in others', () => {
    const written: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [4], a: [4], b: [4], y: [40] },
      nodes: ['Conv x -> a', 'Relu a -> b', 'Conv b -> y'],
    };
    // While y is made: y, 160 bytes and 32 behind it, and b, 16 bytes, which may be the first of others.
    expect(judged(written, 48).least).toBe(192 + 16);
    const joined: GraphSketch = {
      inputs: ['x'],
      outputs: ['w'],
      tensors: { x: [4], p: [4], q: [4], w: [8] },
      nodes: ['Conv x -> p', 'Conv x -> q', 'Concat p q -> w'],
    };
    // While q is made: x, 16 bytes and 32 behind it, p and q.
    expect(judged(joined, 48).least).toBe(48 + 32);
  });

  it('counts the whole to its end when only stretches of it are joined', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['y'],
      tensors: { x: [8], a: [8], b: [4], c: [4], d: [4], whole: [8], big: [8], y: [8] },
      nodes: [
        'Conv x -> a',
        'Split a -> b c',
        'Conv b -> d',
        'Concat d c -> whole',
        'Conv whole -> big',
        'Conv big a -> y',
      ],
    };
    // While big is made: a, whole and big, 32 bytes each.
    expect(judged(sketch).least).toBe(96);
  });

  it('is at most what the best of all ways to share needs, in loops of parts too', () => {
    let [looked, reached] = [0, 0];
    for (let seed = 1; seed <= 400; seed++) {
      const { scene, choices, least } = judged(joinsInLoop(seed));
      const count = countOfWays(choices);
      if (count > 256) continue;
      const smallest = smallestPeak(scene, choices);
      looked++;
      if (least === smallest) reached++;
      expect(least, `seed ${seed}`).toBeLessThanOrEqual(smallest);
    }
    expect([looked > 150, reached / looked > 0.6]).toEqual([true, true]);
  });
});
