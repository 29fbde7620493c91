/** Scratch of CMSIS-NN on hundreds of shapes, against formulas written down apart from those of the product. */
import { describe, expect, it } from 'vitest';
import { callOf } from '../../src/kernels/call.ts';
import { cmsisNnOf } from '../../src/kernels/cmsis-nn/build.ts';
import { depthwiseS8 as oneChannel } from '../../src/kernels/cmsis-nn/depthwise-sizes.ts';
import { convolutionOf } from '../../src/kernels/convolution.ts';
import { type ConvSketch, convCall, library, sceneOf, scratchOf, transposeCall } from '../support/kernels.ts';
import {
  type Build,
  convS4,
  convS8,
  convS16,
  depthwiseS4,
  depthwiseS8,
  depthwiseS16,
  transposeConvS8,
  type Version,
} from './cmsis-nn-formulas.ts';
import { asDepthwise, randomConv } from './random-conv.ts';

const BUILDS: readonly Build[] = ['scalar', 'dsp', 'mve'];
const VERSIONS: readonly Version[] = ['5', '6', '7', '7-armclang'];

describe('formulas, on 300 random shapes', () => {
  const seeds = Array.from({ length: 300 }, (_, i) => 1 + i);

  describe.each(VERSIONS)('version %s', (version) => {
    it.each(BUILDS)('build %s', (build) => {
      const kernels = library('cmsis-nn', version, build);
      const differ = seeds.flatMap((seed) => {
        const plain = randomConv(seed);
        const each = asDepthwise(plain, 1);
        const several = asDepthwise(plain, 2);
        const pairs: readonly (readonly [string, unknown, unknown])[] = [
          ['s8', one(plain), [convS8(plain, version, build)]],
          ['s16', one({ ...plain, type: 'int16' }), [convS16(plain, version, build)]],
          ['s4', one({ ...plain, weight: 'int4' }), [convS4(plain, version, build)]],
          ['depthwise s8', one(each), [depthwiseS8(each, version, build)]],
          ['depthwise s16', one({ ...each, type: 'int16' }), [depthwiseS16(each, version, build)]],
          ['depthwise s4', one({ ...each, weight: 'int4' }), [depthwiseS4(each, version, build)]],
          ['several filters', one(several), [depthwiseS8(several, version, build)]],
          ['transposed', scratchOf(kernels, transposeCall(plain)), transposeConvS8(plain, version, build)],
          [
            'one channel',
            direct(plain, version, build),
            depthwiseS8({ ...plain, channels: 1 }, version, build),
          ],
        ];
        return pairs
          .filter(([, found, expected]) => String(found) !== String(expected))
          .map(([what, found, expected]) => `seed ${seed}, ${what}: ${found}, not ${expected}`);
      });
      expect(differ).toEqual([]);

      function one(sketch: ConvSketch): unknown {
        return scratchOf(kernels, convCall(sketch, 'QLinearConv'));
      }
    });
  });

  /** Several filters over one channel: an ordinary convolution in ONNX, a depthwise one in other formats. */
  function direct(sketch: ConvSketch, version: Version, build: Build): number {
    const { scene, node } = sceneOf(convCall({ ...sketch, channels: 1 }));
    return oneChannel(convolutionOf(callOf(scene, node))!, cmsisNnOf(version, build));
  }
});
