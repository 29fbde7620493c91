/** Families of operators, and colours that people with any colour vision can tell apart. */
import { describe, expect, test } from 'vitest';
import { allRows } from '../../../src/ops/registry.ts';
import { familyOf, LOOKS, lookOf } from '../../../src/report/chart/families.ts';

/** Operators that belong nowhere else: classifiers, text, signals, images, losses, optimisers. */
const OTHER =
  /Classifier|^CastMap$|^DictVectorizer$|^ZipMap$|Regressor|Tree|SVM|String|Regex|Tfidf|TfIdf|Window$|Mel|[DS]TFT|^DFT$|fft$|Loss$|^Ada|Gradient|Momentum|Mapper$|Vectorizer$|Encoder$|Bias$|Affine|Random|Bernoulli|Multinomial|^ImageDecoder$|Suppression|NGram|^(Shape|Size)$/;

test('every operator that memplan knows has a family, or is known to have none', () => {
  const names = [...new Set(allRows().map(({ op }) => op))];
  const strays = names.filter((op) => (familyOf(op) === 'other') !== OTHER.test(op));
  expect(strays).toEqual([]);
});

test.each([
  ['Conv', 'conv'],
  ['QLinearConv', 'conv'],
  ['ConvTransposeWithDynamicPads', 'conv'],
  ['Gemm', 'matmul'],
  ['MatMulNBits', 'matmul'],
  ['GroupQueryAttention', 'matmul'],
  ['GlobalAveragePool', 'pool'],
  ['QLinearReduceMean', 'pool'],
  ['ArgMax', 'pool'],
  ['Max', 'element'],
  ['Relu', 'element'],
  ['QLinearAdd', 'element'],
  ['BiasGelu', 'element'],
  ['BiasSoftmax', 'norm'],
  ['SkipLayerNormalization', 'norm'],
  ['LRN', 'norm'],
  ['Concat', 'move'],
  ['Pad', 'move'],
  ['DynamicQuantizeLinear', 'quantise'],
  ['Cast', 'quantise'],
  ['DynamicQuantizeLSTM', 'recurrent'],
  ['If', 'recurrent'],
  ['TreeEnsemble', 'other'],
  ['NobodyKnowsThis', 'other'],
])('%s belongs to %s', (op, family) => {
  expect(familyOf(op)).toBe(family);
});

test('the kind of a buffer comes before the operator', () => {
  expect(lookOf('input', undefined)).toBe('input');
  expect(lookOf('scratch', 'Conv')).toBe('scratch');
  expect(lookOf('copy', undefined)).toBe('weight');
  expect(lookOf('persistent', 'Conv')).toBe('state');
  expect(lookOf('activation', 'Conv')).toBe('conv');
});

type Colour = readonly [number, number, number];

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function parsed(hex: string): Colour {
  const channel = (at: number) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [channel(1), channel(3), channel(5)];
}

/** Björn Ottosson's OKLab, from linear sRGB: a distance of 0.02 is just noticeable. */
function oklab([r, g, b]: Colour): Colour {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Machado, Oliveira and Fernandes (2009), complete loss of one kind of cone. */
const VISIONS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'full colour vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function seen(colour: Colour, vision: readonly (readonly number[])[]): Colour {
  const [r, g, b] = vision.map((row) =>
    Math.min(1, Math.max(0, row[0]! * colour[0] + row[1]! * colour[1] + row[2]! * colour[2])),
  );
  return [r!, g!, b!];
}

/** Looks of buffers that no operator's family decides: greys, told apart by their patterns. */
const KINDS: readonly string[] = ['input', 'output', 'scratch', 'state', 'weight'];

const operators = LOOKS.filter(({ look }) => !KINDS.includes(look));

describe.each(Object.entries(VISIONS))('with %s', (_, vision) => {
  test('any two families of operators are three and a half times a noticeable difference apart', () => {
    const near: string[] = [];
    for (const a of operators) {
      for (const b of operators.slice(0, operators.indexOf(a))) {
        const [x, y] = [oklab(seen(parsed(a.fill), vision)), oklab(seen(parsed(b.fill), vision))];
        if (Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) < 0.07) near.push(`${a.look} and ${b.look}`);
      }
    }
    expect(near).toEqual([]);
  });
});

test('no two kinds of buffers share a pattern', () => {
  const kinds = LOOKS.filter(({ look }) => KINDS.includes(look));
  expect(kinds).toHaveLength(KINDS.length);
  expect(new Set(kinds.map(({ pattern }) => pattern)).size).toBe(kinds.length);
});

test('no two families of operators share a pattern', () => {
  expect(new Set(operators.map(({ pattern }) => pattern)).size).toBe(operators.length);
});

test('names on every fill have a contrast of at least 4.5 to 1 (WCAG 1.4.3)', () => {
  const luminance = (hex: string) => {
    const [r, g, b] = parsed(hex);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const { look, fill } of LOOKS) {
    expect((luminance(fill) + 0.05) / (luminance('#10161d') + 0.05), look).toBeGreaterThan(4.5);
  }
});
