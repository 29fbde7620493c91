/** Decodes the floating-point formats that JavaScript has no typed array for. */

/** How a format spends its largest exponent: like IEEE 754, on one NaN, or on numbers alone. */
interface Format {
  readonly exponentBits: number;
  readonly mantissaBits: number;
  readonly bias: number;
  readonly special: 'ieee' | 'fn' | 'fnuz' | 'none';
}

/** Sources: IEEE 754 binary16; OCP FP8 and MX specifications; the FNUZ forms of the ONNX float8 page. */
const FORMATS = {
  float16: { exponentBits: 5, mantissaBits: 10, bias: 15, special: 'ieee' },
  bfloat16: { exponentBits: 8, mantissaBits: 7, bias: 127, special: 'ieee' },
  float8e4m3fn: { exponentBits: 4, mantissaBits: 3, bias: 7, special: 'fn' },
  float8e4m3fnuz: { exponentBits: 4, mantissaBits: 3, bias: 8, special: 'fnuz' },
  float8e5m2: { exponentBits: 5, mantissaBits: 2, bias: 15, special: 'ieee' },
  float8e5m2fnuz: { exponentBits: 5, mantissaBits: 2, bias: 16, special: 'fnuz' },
  float4e2m1: { exponentBits: 2, mantissaBits: 1, bias: 1, special: 'none' },
} as const satisfies Readonly<Record<string, Format>>;

export type SmallFloat = keyof typeof FORMATS | 'float8e8m0';

/** The number that the bit pattern `bits` stands for. */
export function decodeSmallFloat(type: SmallFloat, bits: number): number {
  if (type === 'float8e8m0') return bits === 0xff ? Number.NaN : 2 ** (bits - 127);
  const { exponentBits, mantissaBits, bias, special }: Format = FORMATS[type];
  const mantissaMask = (1 << mantissaBits) - 1;
  const largest = (1 << exponentBits) - 1;
  const mantissa = bits & mantissaMask;
  const exponent = (bits >> mantissaBits) & largest;
  const sign = (bits >> (mantissaBits + exponentBits)) & 1 ? -1 : 1;
  if (special === 'fnuz' && sign < 0 && exponent === 0 && mantissa === 0) return Number.NaN;
  if (special === 'fn' && exponent === largest && mantissa === mantissaMask) return Number.NaN;
  if (special === 'ieee' && exponent === largest) return mantissa === 0 ? sign * Infinity : Number.NaN;
  const fraction = mantissa / (1 << mantissaBits);
  return exponent === 0 ? sign * fraction * 2 ** (1 - bias) : sign * (1 + fraction) * 2 ** (exponent - bias);
}
