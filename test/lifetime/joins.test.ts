/** Copies of Concat, Split and Slice that need not be made; places by hand. */
import { describe, expect, it } from 'vitest';
import type { Layout } from '../../src/kernels/types.ts';
import type { GraphSketch, TensorSketch } from '../support/graphs.ts';
import { buffersOf, type OptionSketch, peakOf } from '../support/lifetimes.ts';

/** `tensor@offset how` of every tensor in the buffer of `name`, by offset, then in the order of their birth. */
function placesIn(sketch: GraphSketch, name: string, options?: OptionSketch): readonly string[] {
  const names = Object.keys(sketch.tensors);
  const found = buffersOf(sketch, options).buffers.find(({ members }) =>
    members.some(({ tensor }) => names[tensor] === name),
  );
  return [...found!.members]
    .sort((a, b) => a.offset - b.offset || a.first - b.first)
    .map(({ tensor, offset, how }) => `${names[tensor]}@${offset} ${how}`);
}

/** Two tensors joined along an axis. */
function join(a: TensorSketch, b: TensorSketch, whole: TensorSketch, axis: number): GraphSketch {
  return {
    inputs: ['x'],
    outputs: ['z'],
    tensors: { x: [1], a, b, whole, z: [1] },
    nodes: ['Conv x -> a', 'Conv x -> b', { run: 'Concat a b -> whole', axis }, 'Conv whole -> z'],
  };
}

describe('the parts of a Concat', () => {
  it.each<readonly [string, GraphSketch, Layout, readonly string[]]>([
    [
      'the outermost axis',
      join([2, 3], [1, 3], [3, 3], 0),
      'nchw',
      ['a@0 elided', 'whole@0 own', 'b@24 elided'],
    ],
    [
      'channels of one image',
      join([1, 2, 4, 4], [1, 3, 4, 4], [1, 5, 4, 4], 1),
      'nchw',
      ['a@0 elided', 'whole@0 own', 'b@128 elided'],
    ],
    ['channels of two images', join([2, 2, 4, 4], [2, 3, 4, 4], [2, 5, 4, 4], 1), 'nchw', ['whole@0 own']],
    ['channels that come last', join([1, 2, 4, 4], [1, 3, 4, 4], [1, 5, 4, 4], 1), 'nhwc', ['whole@0 own']],
    [
      'channels that come last, of one pixel',
      join([1, 2, 1, 1], [1, 3, 1, 1], [1, 5, 1, 1], 1),
      'nhwc',
      ['a@0 elided', 'whole@0 own', 'b@8 elided'],
    ],
    ['rows', join([1, 2, 4, 4], [1, 2, 3, 4], [1, 2, 7, 4], 2), 'nchw', ['whole@0 own']],
    [
      'rows with channels last',
      join([1, 2, 4, 4], [1, 2, 3, 4], [1, 2, 7, 4], 2),
      'nhwc',
      ['a@0 elided', 'whole@0 own', 'b@128 elided'],
    ],
  ])('lie in place where they are a stretch of the whole: %s', (_, sketch, layout, places) => {
    expect(placesIn(sketch, 'whole', { layout })).toEqual(places);
  });

  it('lie in place only where they are aligned', () => {
    const sketch = join([5], [4], [9], 0);
    expect(placesIn(sketch, 'whole', { align: 16 })).toEqual(['a@0 elided', 'whole@0 own']);
    expect(placesIn(sketch, 'whole', { align: 4 })).toEqual(['a@0 elided', 'whole@0 own', 'b@20 elided']);
  });

  it('lie in place only where their numbers mean the same', () => {
    const int8 = (shape: readonly number[], scale: number): TensorSketch => ({ type: 'int8', shape, scale });
    const sketch = join(int8([4], 0.5), int8([4], 0.25), int8([8], 0.25), 0);
    expect(placesIn(sketch, 'whole')).toEqual(['whole@0 own', 'b@4 elided']);
  });

  it('take with them what shares their place, and are not joined twice', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['z'],
      tensors: { x: [1], a: [4], r: [4], b: [4], y: [12], more: [8], top: [20], z: [1] },
      nodes: [
        'Conv x -> a',
        'Relu a -> r',
        'Conv x -> b',
        'Concat r b b -> y',
        'Conv x -> more',
        'Concat more y -> top',
        'Conv top -> z',
      ],
    };
    expect(placesIn(sketch, 'top')).toEqual([
      'more@0 elided',
      'top@0 own',
      'a@32 elided',
      'r@32 in-place',
      'y@32 elided',
    ]);
  });

  it('stay readable beside the whole, which nothing may be written over then', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['z'],
      tensors: { x: [1], a: [4], b: [4], y: [8], r: [8], z: [1] },
      nodes: ['Conv x -> a', 'Conv x -> b', 'Concat a b -> y', 'Relu y -> r', 'Conv r a -> z'],
    };
    // With a in y: y and r, 64 bytes. With a copied into y, and r over y: 16 + 32, and 52 at the last step.
    expect(peakOf(buffersOf(sketch).buffers)).toBe(52);
    expect(placesIn(sketch, 'y')).toEqual(['y@0 own', 'r@0 in-place', 'b@16 elided']);
  });

  it.each<readonly [string, OptionSketch, readonly string[]]>([
    ['an input, an output', {}, ['x@0 elided', 'y@0 own', 'b@16 elided']],
    ['owned by the caller', { io: 'external' }, ['y@0 own']],
    ['filled and drained during the run', { asyncIo: true }, ['y@0 own']],
    ['forbidden', { elide: false }, ['y@0 own']],
  ])('may be graph inputs and outputs: %s', (_, options, places) => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['b', 'z'],
      tensors: { x: [4], b: [4], y: [8], z: [1] },
      nodes: ['Conv x -> b', 'Concat x b -> y', 'Conv y -> z'],
    };
    expect(placesIn(sketch, 'y', options)).toEqual(places);
  });

  it('of an input that must not be written over keep writes off the whole', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['z'],
      tensors: { x: [4], b: [4], y: [8], r: [8], z: [1] },
      nodes: ['Conv x -> b', 'Concat x b -> y', 'Relu y -> r', 'Conv r -> z'],
    };
    expect(placesIn(sketch, 'r', {})).toEqual(['x@0 elided', 'y@0 own', 'r@0 in-place', 'b@16 elided']);
    const careful = placesIn(sketch, 'r', { inPlaceInputs: false });
    expect(careful).toEqual(['y@0 own', 'r@0 in-place', 'b@16 elided']);
  });

  it('leave the rest of the whole free until it is written', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['z'],
      tensors: { x: [1], a: [8], wide: [32], b: [8], y: [16], z: [1] },
      nodes: ['Conv x -> a', 'Conv x -> wide', 'Conv wide -> b', 'Concat a b -> y', 'Conv y -> z'],
    };
    const { buffers } = buffersOf(sketch);
    // At step 2: a (32), wide (128) and b (32). With the whole of y from the start it would be no more.
    expect(peakOf(buffers)).toBe(192);
    const wider = { ...sketch, tensors: { ...sketch.tensors, b: [24], y: [32] } };
    // At step 1 a, wide and x: 164. At step 2 a, wide and b: 256, all of y among them.
    const found = buffersOf(wider).buffers;
    expect(found.find(({ id }) => id === 'y')?.bytes).toBe(128);
    expect(peakOf(found)).toBe(256);
  });
});

describe('the parts of a Split and of a Slice', () => {
  const split = (shape: readonly number[], part: readonly number[], axis: number): GraphSketch => ({
    inputs: ['x'],
    outputs: ['z'],
    tensors: { x: [1], whole: shape, a: part, b: part, y: [1], z: [1] },
    nodes: ['Conv x -> whole', { run: 'Split whole -> a b', axis }, 'Conv a -> y', 'Conv y b -> z'],
  });

  it('stay in the whole where they are a stretch of it', () => {
    expect(placesIn(split([4, 3], [2, 3], 0), 'whole')).toEqual(['whole@0 own', 'a@0 elided', 'b@24 elided']);
    expect(placesIn(split([2, 4], [2, 2], 1), 'whole')).toEqual(['whole@0 own']);
    const image = split([1, 4, 2, 2], [1, 2, 2, 2], 1);
    expect(placesIn(image, 'whole')).toEqual(['whole@0 own', 'a@0 elided', 'b@32 elided']);
    expect(placesIn(image, 'whole', { layout: 'nhwc' })).toEqual(['whole@0 own']);
    expect(placesIn(image, 'whole', { elide: false })).toEqual(['whole@0 own']);
  });

  it('free the rest of it when that is dead', () => {
    const sketch: GraphSketch = {
      inputs: ['x'],
      outputs: ['z'],
      tensors: { x: [1], whole: [16], a: [8], b: [8], y: [16], z: [1] },
      nodes: ['Conv x -> whole', 'Split whole -> a b', 'Conv a -> y', 'Conv y b -> z'],
    };
    const { buffers } = buffersOf(sketch);
    // a, b and y at step 2: 128. Step 3: b (32), y (64), z: 100.
    expect(peakOf(buffers)).toBe(128);
    const wide = { ...sketch, tensors: { ...sketch.tensors, z: [16] } };
    // Step 3: b, y and z: 160; the bytes of a are free.
    const whole = buffersOf(wide).buffers.find(({ id }) => id === 'whole');
    expect(whole?.gaps).toEqual([{ first: 3, end: 4, from: 0, to: 32 }]);
  });
});
