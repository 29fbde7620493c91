/**
 * Scratch of CMSIS-NN written down a second time, from the table of its documentation and size functions, for the
 * tests alone: K products per output, rounded up to what the kernel loads at once.
 */
import { type ConvSketch, outputSize } from '../support/kernels.ts';

export type Build = 'scalar' | 'dsp' | 'mve';
export type Version = '5' | '6' | '7' | '7-armclang';

const up = (x: number, n: number): number => x + ((n - (x % n)) % n);

interface Numbers {
  readonly n: number;
  readonly c: number;
  readonly f: number;
  readonly g: number;
  readonly h: number;
  readonly w: number;
  readonly kh: number;
  readonly kw: number;
  readonly sh: number;
  readonly sw: number;
  readonly dh: number;
  readonly dw: number;
  readonly ph: number;
  readonly pw: number;
  readonly ow: number;
  readonly K: number;
}

function numbers(conv: ConvSketch): Numbers {
  const [h, w] = conv.size;
  const [kh, kw] = conv.kernel;
  const [sh, sw] = conv.stride ?? [1, 1];
  const [dh, dw] = conv.dilation ?? [1, 1];
  const [ph, pw] = conv.head ?? [0, 0];
  const { channels: c, filters: f, batch: n = 1, group: g = 1 } = conv;
  return { n, c, f, g, h, w, kh, kw, sh, sw, dh, dw, ph, pw, ow: outputSize(conv)[1], K: kh * kw * c };
}

const isOneByOne = (x: Numbers): boolean =>
  x.kh * x.kw === 1 && x.ph + x.pw === 0 && x.dh * x.dw === 1 && x.g === 1;

const isOneByN = (x: Numbers): boolean =>
  x.h === 1 && x.kh === 1 && x.dw === 1 && (x.sw * x.c) % 4 === 0 && x.g === 1;

/** The 1xN kernel with Helium; undefined where left, middle and right do not add up to the width. */
function row(x: Numbers): number | undefined {
  const total = (x.ow - 1) * x.sw + x.kw - x.w;
  const asymmetric = total % 2;
  const right = x.pw + asymmetric !== 0 ? Math.max(1, Math.trunc((x.pw + asymmetric + x.sw - 1) / x.sw)) : 0;
  const left = x.pw !== 0 ? Math.max(1, Math.trunc((x.pw + x.sw - 1) / x.sw)) : 0;
  const middle = Math.max(x.ow - left - right, 0);
  if (left + middle + right !== x.ow) return undefined;
  const behind = asymmetric !== 0 ? right * x.c : x.pw * x.c;
  return Math.max(x.kw * x.c + x.pw * x.c, (x.kw - 1) * x.c + behind);
}

/** Output pixels whose windows reach into the padding, counted one by one; what the Helium kernel refuses is a column. */
function suitsRow(x: Numbers, version: Version): boolean {
  const total = (x.ow - 1) * x.sw + x.kw - x.w;
  if (total !== 2 * x.pw + (total % 2) || x.kw > x.w) return false;
  if (row(x) === undefined) return version !== '5';
  const right =
    x.pw + (total % 2) === 0 ? 0 : Math.max(1, Math.trunc((x.pw + (total % 2) + x.sw - 1) / x.sw));
  const first = (x.ow - right) * x.sw - x.pw;
  return right === 0 ? first + x.kw - 1 <= x.w : first + x.kw - 1 === x.w;
}

const columns = (x: Numbers, version: Version, build: Build): number =>
  build === 'mve' ? 4 * up(x.K, version === '5' ? 8 : 16) : 4 * up(x.K, 4);

export function convS8(conv: ConvSketch, version: Version, build: Build): number {
  const x = numbers(conv);
  if (isOneByOne(x)) {
    const copies = version === '7-armclang' && build === 'dsp' && x.sh === 1 && x.sw === 1;
    return copies ? 4 * x.c : 0;
  }
  if (build === 'mve' && isOneByN(x) && suitsRow(x, version)) {
    return version === '5' ? 0 : (row(x) ?? columns(x, version, build));
  }
  return columns(x, version, build);
}

export function convS16(conv: ConvSketch, version: Version, build: Build): number {
  const x = numbers(conv);
  if (version !== '5') return build === 'mve' ? 8 * up(x.K, 8) : 4 * x.K;
  return build === 'dsp' && x.K < 512 && x.dh === 1 && x.dw === 1 ? 4 * x.K : 0;
}

export function convS4(conv: ConvSketch, version: Version, build: Build): number {
  const x = numbers(conv);
  if (isOneByOne(x)) return 0;
  if (build !== 'mve' || version === '5') return 4 * x.K;
  const onePath = isOneByN(x) ? row(x) : undefined;
  if (onePath !== undefined) return version === '6' ? onePath : 0;
  return 4 * up(x.K, 16);
}

export function depthwiseS8(conv: ConvSketch, version: Version, build: Build): number {
  const x = numbers(conv);
  const taps = x.kh * x.kw;
  const most = version === '7-armclang' ? 8 : 1;
  if (build === 'mve' && version.startsWith('7') && x.c === 1 && x.f > most) {
    return convS8({ ...conv, group: 1 }, version, build) + x.f * taps;
  }
  if (x.c !== x.f || x.n !== 1 || x.dh !== 1 || x.dw !== 1) return 0;
  if (build === 'scalar') return 0;
  if (build === 'mve') return 4 * 124 * taps;
  return x.kh === 3 && x.kw === 3 && x.ph <= 1 && x.pw <= 1 ? 0 : 2 * x.c * taps;
}

export function depthwiseS16(conv: ConvSketch, _: Version, build: Build): number {
  const x = numbers(conv);
  const taps = x.kh * x.kw;
  if (x.c !== x.f || x.dh !== 1 || x.dw !== 1 || taps >= 512) return 0;
  return { scalar: 0, dsp: 2 * x.c * taps, mve: 8 * x.c * taps + 8 }[build];
}

export function depthwiseS4(conv: ConvSketch, version: Version, build: Build): number {
  const x = numbers(conv);
  if (x.c !== x.f || x.n !== 1 || x.dh !== 1 || x.dw !== 1) return 0;
  return build === 'mve' && version !== '5' ? 4 * 124 * x.kh * x.kw : 2 * x.c * x.kh * x.kw;
}

/** The first buffer, and the second where there is one. */
export function transposeConvS8(conv: ConvSketch, version: Version, build: Build): readonly number[] {
  const x = numbers(conv);
  if (version === '5' || version === '6') {
    const outHeight = (x.h - 1) * x.sh + x.kh;
    const outWidth = (x.w - 1) * x.sw + x.kw;
    return [4 * x.kh * x.kw * x.w * x.h * x.f, 4 * outHeight * outWidth * x.f];
  }
  if (x.sh <= 2 && x.sw <= 2 && x.c > 16) return [columns(x, version, build), x.c * x.kh * x.kw * x.f];
  // What the size function says, or what the kernel writes: the vertical or the horizontal stride.
  const says = (x.w - 1) * x.sw + Math.max(x.kw, x.sh);
  const writes = (x.w - 1) * x.sw + Math.max(x.kw, x.sw);
  return [4 * Math.max(says, writes) * x.f * Math.max(x.kh, x.sh)];
}
