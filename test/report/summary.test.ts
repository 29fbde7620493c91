import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { paintFor } from '../../src/cli/color.ts';
import { liveAt } from '../../src/report/live.ts';
import { mapText } from '../../src/report/map.ts';
import { markdown } from '../../src/report/markdown.ts';
import { plain } from '../../src/report/paint.ts';
import { summary } from '../../src/report/summary.ts';
import { width } from '../../src/report/text.ts';
import { kws, passThrough, tooLarge, twoRegions, wide } from './samples.ts';

const PLANS = { kws, tooLarge, twoRegions, passThrough, wide };
const stream = { write: () => {} };
const colours = await paintFor(true, { stdout: stream, stderr: stream, env: {}, cwd: '.' }, stream);

/** Numbers in front of a label of the summary, without their commas. */
function figureOf(text: string, label: string): number {
  const found = new RegExp(`^ {2}${label} +([\\d,]+) `, 'm').exec(text);
  if (found === null) throw new Error(`no ${label} in\n${text}`);
  return Number(found[1]!.replaceAll(',', ''));
}

/** The numbers of the peak's table: above `live`, of `live`, below it. */
function peakOf(text: string): { readonly live: number[]; readonly total: number; readonly below: number[] } {
  const [, table = ''] = text.split('\npeak');
  const rows = [...table.matchAll(/^ +([\d,]+) {2}(\S+)/gm)].map((m) => [
    Number(m[1]!.replaceAll(',', '')),
    m[2],
  ]);
  const at = rows.findIndex(([, word]) => word === 'live');
  const numbers = rows.map(([bytes]) => bytes as number);
  return { live: numbers.slice(0, at), total: numbers[at]!, below: numbers.slice(at + 1) };
}

describe.each(Object.entries(PLANS))('reports of %s', (name, plan) => {
  test('summary, map and Markdown look as they should', async () => {
    const golden = (what: string) => `./golden/${name}.${what}`;
    await expect(summary(plan, { paint: plain, columns: 100 })).toMatchFileSnapshot(golden('summary.txt'));
    await expect(mapText(plan, plain, 80)).toMatchFileSnapshot(golden('map.txt'));
    await expect(markdown(plan)).toMatchFileSnapshot(golden('md'));
  });

  test('colour changes nothing but colour', () => {
    for (const columns of [100, 60]) {
      const coloured = summary(plan, { paint: colours, columns });
      expect(coloured).not.toBe(stripVTControlCharacters(coloured));
      expect(stripVTControlCharacters(coloured)).toBe(summary(plan, { paint: plain, columns }));
    }
    expect(stripVTControlCharacters(mapText(plan, colours, 80))).toBe(mapText(plan, plain, 80));
  });

  test('no line is wider than the terminal, none ends in a space', () => {
    for (const columns of [100, 80, 60]) {
      const reports = summary(plan, { paint: plain, columns }) + mapText(plan, plain, columns);
      for (const line of reports.split('\n')) {
        expect(width(line), line).toBeLessThanOrEqual(columns);
        expect(line).toBe(line.trimEnd());
      }
    }
  });

  test('what is live at the peak adds up to it, and with what is unused to the arena', () => {
    for (const all of [false, true]) {
      const { live, total, below } = peakOf(summary(plan, { paint: plain, columns: 100, all }));
      expect(live.reduce((a, b) => a + b, 0)).toBe(total);
      if (plan.steps.length > 0) expect(total).toBe(plan.peak.bytes);
      if (below.length > 0) expect(total + below[0]!).toBe(below[1]);
      expect(below[1] ?? total).toBe(plan.totals.arenaBytes);
    }
  });
});

test('coloured once', async () => {
  await expect(summary(kws, { paint: colours, columns: 100 })).toMatchFileSnapshot('./golden/kws.colour.txt');
});

test('arena, reserved and free are the capacity', () => {
  const text = summary(kws, { paint: plain, columns: 100 });
  expect(figureOf(text, 'arena') + figureOf(text, 'reserved') + figureOf(text, 'free')).toBe(524288);
  expect(figureOf(text, 'without reuse') - figureOf(text, 'arena')).toBe(48);
});

test('what does not fit is missing exactly what is not available', () => {
  const text = summary(tooLarge, { paint: plain, columns: 100 });
  expect(text).toContain('DOES NOT FIT into DTCM');
  expect(figureOf(text, 'arena') - figureOf(text, 'available')).toBe(figureOf(text, 'missing'));
});

test('several arenas add up', () => {
  const text = summary(twoRegions, { paint: plain, columns: 100 });
  expect(figureOf(text, 'arena DTCM') + figureOf(text, 'arena PSRAM')).toBe(figureOf(text, 'all arenas'));
});

test('a gap of a buffer does not count at the steps at which it is free', () => {
  // Bytes 0 to 1,000 and 500 to 2,000 are free at step 1: together 2,000 of 6,144.
  const buffers = kws.buffers.map((b) =>
    b.id === 1
      ? {
          ...b,
          gaps: [
            { first: 1, end: 2, from: 500, to: 2000 },
            { first: 1, end: 3, from: 0, to: 1000 },
          ],
        }
      : b,
  );
  const live = (step: number) => liveAt({ ...kws, buffers }, step).find(({ buffer }) => buffer.id === 1)!;
  expect([live(0).bytes, live(1).bytes, live(2).bytes]).toEqual([6144, 4144, 5144]);
  expect(live(2).tensors.map(({ name }) => name)).toEqual(['conv1/relu']);
});
