import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { diagnostic } from '../../src/errors.ts';
import { html } from '../../src/report/html.ts';
import type { PageData } from '../../src/report/page/data.ts';
import { SEVERAL } from '../support/page-of-several.ts';
import { PAGES } from '../support/pages.ts';
import { planOf } from '../support/plans.ts';
import { ALL_EXTERNAL, EVERY_TYPE, HOSTILE_NAMES, HUGE, NO_BYTES, NOTHING } from '../support/sample-plans.ts';
import { tagNames, unbalanced } from '../support/tags.ts';
import { kws, passThrough, tooLarge, twoRegions, wide } from './samples.ts';

const PLANS = {
  ...{ kws, tooLarge, twoRegions, passThrough, wide, HOSTILE_NAMES, EVERY_TYPE, HUGE, NOTHING },
  ...{ NO_BYTES, ALL_EXTERNAL },
  ...PAGES,
  SEVERAL,
};

const TAGS = new Set(
  (
    '!doctype html head meta title style body header main section aside footer div span p b i a h1 h2 h3 ul li dl dt dd ' +
    'table thead tbody tr th td details summary input output button code small kbd script ' +
    'svg defs pattern path rect g line circle text'
  ).split(' '),
);

/** The data that the page hands to its script. */
function dataOf(text: string): PageData {
  return JSON.parse(
    /<script type="application\/json" id="plan-data">(.*?)<\/script>/s.exec(text)![1]!,
  ) as PageData;
}

function deadLinks(text: string): readonly string[] {
  const ids = new Set([...text.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id!));
  const links = [...text.matchAll(/href="#([\w-]+)"|url\(#([\w-]+)\)/g)].map(([, a, b]) => a ?? b!);
  const { boxes } = dataOf(text);
  const inCards = boxes.flatMap(({ restsOn }) => restsOn.map((id) => `b${id}`));
  return [...links, ...inCards].filter((id) => !ids.has(id));
}

describe.each(Object.entries(PLANS))('the page of %s', (_, plan) => {
  const text = html(plan);

  test('is well-formed and of known tags, whatever the names are', () => {
    expect(unbalanced(text)).toEqual([]);
    expect([...tagNames(text)].filter((name) => !TAGS.has(name))).toEqual([]);
    expect(text).not.toMatch(/="[^"]*(NaN|undefined|Infinity)/);
    expect([...text].filter((character) => character < ' ' && character !== '\n')).toEqual([]);
  });

  test('is one file that asks for nothing', () => {
    const [, script] = /<script>(.*?)<\/script>/s.exec(text)!;
    expect(text).not.toMatch(/https?:|\ssrc=|<link|@import|url\((?!#)/);
    const hash = createHash('sha256').update(script!).digest('base64');
    expect(text).toContain(
      `default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src &#39;sha256-${hash}&#39;`,
    );
  });

  test('is the same each time', () => {
    expect(html(JSON.parse(JSON.stringify(plan)))).toBe(text);
  });

  test('shows every buffer and lists every tensor and weight', () => {
    const boxes = [...text.matchAll(/ id="b(\d+)" class="box[ "]/g)].map(([, id]) => Number(id));
    const seen = plan.buffers.filter(({ bytes }) => bytes > 0);
    expect(boxes.sort((a, b) => a - b)).toEqual(seen.map(({ id }) => id));
    const [, table] = /<table id="tensors">(.*?)<\/table>/s.exec(text)!;
    expect(table!.match(/<tr><th scope="row">/g) ?? []).toHaveLength(plan.tensors.length);
    const weights = /<section class="weights".*?<tbody>(.*?)<\/tbody>/s.exec(text)?.[1] ?? '';
    expect(weights.match(/<tr>/g) ?? []).toHaveLength(plan.constants.length);
    expect(
      dataOf(text)
        .boxes.map(({ id }) => id)
        .sort((a, b) => a - b),
    ).toEqual(boxes);
  });

  test('has no link that leads nowhere', () => {
    expect(deadLinks(text)).toEqual([]);
  });
});

test('a box that crosses the peak has the name of the tensor that is live there, as the list of the peak', () => {
  const plan = planOf({
    file: 'net.onnx',
    tensors: [
      { name: 'early', type: 'int8', shape: [1024], live: [0, 2], offset: 0 },
      {
        name: 'late',
        type: 'int8',
        shape: [1024],
        live: [2, 4],
        offset: 0,
        how: 'in-place',
        aliasOf: 'early',
      },
      { name: 'wide', type: 'int8', shape: [2048], live: [2, 3], offset: 1024 },
      { name: 'after', type: 'int8', shape: [512], live: [3, 5], offset: 1024 },
    ],
  });
  expect(plan.peak.step).toBe(2);
  const text = html(plan);
  expect(dataOf(text).boxes.map(({ name }) => name)).toEqual(['late', 'wide', 'after']);
  const list = /<ul class="live">(.*?)<\/ul>/s.exec(text)![1]!;
  expect([...list.matchAll(/<a href="#b\d+">(\w+)<\/a>/g)].map(([, name]) => name)).toEqual(['wide', 'late']);
});

test('what a box rests on is below it and live with it', () => {
  const data = dataOf(html(PAGES.small));
  const byId = new Map(data.boxes.map((box) => [box.id, box]));
  expect(data.boxes.some(({ restsOn }) => restsOn.length > 0)).toBe(true);
  for (const box of data.boxes) {
    for (const below of box.restsOn.map((id) => byId.get(id)!)) {
      expect(below.offset + below.bytes).toBeLessThanOrEqual(box.offset);
      expect(below.first < box.end && box.first < below.end).toBe(true);
    }
  }
});

test('tensors say who writes and who reads them, and why they stay', () => {
  const { boxes } = dataOf(html(kws));
  const tensors = new Map(boxes.flatMap((box) => box.tensors.map((tensor) => [tensor.name, tensor])));
  expect(tensors.get('input')).toMatchObject({ writer: null, readers: [0], how: '', stays: '' });
  expect(tensors.get('conv1/relu')).toMatchObject({ writer: 1, readers: [2], how: 'in place of conv1/out' });
  expect(tensors.get('scores')!.stays).toBe('it is a graph output: its bytes stay to the end');
});

test('what does not fit is said in words and drawn as a line', () => {
  const text = html(tooLarge);
  expect(text).toContain('<span class="verdict bad">does not fit</span>');
  expect(text).toMatch(/class="line limit" style="top:46.6667%"/);
  expect(text).toContain('14,336 too many');
});

test('of very many buffers the smallest are not drawn, and nothing links to them', () => {
  const tensors = Array.from({ length: 5100 }, (_, i) => {
    return {
      name: `t${i}`,
      shape: [i < 100 ? 1 : 4],
      live: [i % 10, (i % 10) + 1] as const,
      offset: 16 * Math.floor(i / 10),
    };
  });
  const text = html(planOf({ file: 'many.onnx', tensors }));
  expect(text).toContain('100 smallest buffers not drawn');
  expect(text).toContain('100 later tensors are in plan.json');
  expect(text.match(/ class="box[ "]/g)).toHaveLength(5000);
  expect(deadLinks(text)).toEqual([]);
});

test('messages are listed, those of one code no more than twenty times', () => {
  const many = Array.from({ length: 50 }, (_, i) =>
    diagnostic('W_UNKNOWN_OP', `node <${i}>`, { hint: 'a & b' }),
  );
  const text = html({ ...kws, diagnostics: [diagnostic('E_OVER_BUDGET', 'too large'), ...many] });
  expect(text).toContain('<li class="error"><b>error</b> <code>E_OVER_BUDGET</code> too large</li>');
  expect(text).toContain('node &lt;19&gt; <span>a &amp; b</span>');
  expect(text).not.toContain('node &lt;20&gt;');
});
