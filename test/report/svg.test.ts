import { describe, expect, test } from 'vitest';
import { svg } from '../../src/report/svg.ts';
import { PAGES } from '../support/pages.ts';
import { ALL_EXTERNAL, HOSTILE_NAMES, HUGE, NO_BYTES, NOTHING } from '../support/sample-plans.ts';
import { unbalanced } from '../support/tags.ts';
import { kws, passThrough, tooLarge, twoRegions, wide } from './samples.ts';

const PLANS = {
  kws,
  tooLarge,
  twoRegions,
  passThrough,
  wide,
  HOSTILE_NAMES,
  HUGE,
  NOTHING,
  NO_BYTES,
  ALL_EXTERNAL,
};

test('the picture of a plan looks as it should', async () => {
  await expect(svg(kws)).toMatchFileSnapshot('./golden/kws.svg');
});

describe.each(Object.entries({ ...PLANS, ...PAGES }))('the picture of %s', (_, plan) => {
  const text = svg(plan);

  test('is well-formed, without a number that is none, and the same each time', () => {
    expect(unbalanced(text)).toEqual([]);
    expect(text).not.toMatch(/="[^"]*(NaN|undefined|Infinity)/);
    expect(svg(JSON.parse(JSON.stringify(plan)))).toBe(text);
  });

  test('asks for nothing', () => {
    expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|href|<script|@import|url\((?!#)/,
    );
  });

  test('has every buffer with bytes once', () => {
    const ids = [...text.matchAll(/<(?:rect|g) id="b(\d+)"/g)].map(([, id]) => Number(id));
    const wanted = plan.buffers.filter(({ bytes }) => bytes > 0).map(({ id }) => id);
    expect([...ids].sort((a, b) => a - b)).toEqual(wanted);
  });
});

test('boxes are as wide as they live and as high as they are large', () => {
  const text = svg(kws);
  const [, width, height] = /<rect class="frame" width="(\d+)" height="(\d+)"/.exec(text)!.map(Number);
  for (const { id, first, end, offset, bytes } of kws.buffers) {
    const found = new RegExp(`<rect id="b${id}"[^>]* x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"`).exec(
      text,
    )!;
    const [x, y, w, h] = found.slice(1).map(Number);
    expect(x).toBeCloseTo((width! * first) / 4, 1);
    expect(w).toBeCloseTo((width! * (end - first)) / 4, 1);
    expect(y).toBeCloseTo(height! - (height! * (offset + bytes)) / 31744, 1);
    expect(h).toBeCloseTo((height! * bytes) / 31744, 1);
  }
});

test('what does not fit crosses the line of the capacity', () => {
  const text = svg(tooLarge);
  expect(text).toContain('does not fit');
  expect(text).toContain('available in DTCM: 16,384');
});
