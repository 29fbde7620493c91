/** The HTML report in a real browser: what it shows, how it answers, and that nothing goes wrong. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Plan, PlanBuffer } from '../../src/plan/types.ts';
import { svg } from '../../src/report/svg.ts';
import { type Browser, browserMissing, findings, launchBrowser, type Page } from '../support/browser.ts';
import { SEVERAL } from '../support/page-of-several.ts';
import {
  chosen,
  classOf,
  clickOn,
  expectBoxesInPlace,
  inOrder,
  largest,
  pointAt,
  rectOf,
  until,
} from '../support/page-probes.ts';
import { type Opened, type OpenOptions, openPage, PAGES } from '../support/pages.ts';
import { planOf } from '../support/plans.ts';
import { HOSTILE_NAMES } from '../support/sample-plans.ts';

const skip = browserMissing() !== undefined;
let browser: Browser;
let opened: Opened[] = [];

beforeAll(async () => {
  if (!skip) browser = await launchBrowser();
});
afterAll(async () => {
  if (!skip) await browser.close();
});
afterEach(async () => {
  for (const { close } of opened) await close();
  opened = [];
});

/** A plan of 2,000 steps whose peak is where the one large tensor is live. */
function edgePlan(live: readonly [number, number]): Plan {
  return planOf({
    file: 'edge.onnx',
    tensors: [
      { name: 'large', shape: [1000], live, offset: 0 },
      { name: 'small', shape: [10], live: [0, 2000], offset: 4000 },
    ],
    steps: Array.from({ length: 2000 }, (_, i) => ({ node: `n${i}`, op: 'Relu', reads: [], writes: [] })),
  });
}

async function open(plan: Plan, options?: OpenOptions): Promise<Page> {
  const entry = await openPage(browser, plan, options);
  opened.push(entry);
  return entry.page;
}

/** Nothing on the console, nothing thrown, nothing fetched, in any page of this test. */
function expectNoComplaints(): void {
  expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
}

describe.skipIf(skip).each([
  ['about 50 buffers', PAGES.small, 50],
  ['about 2,000 buffers', PAGES.large, 2000],
] as const)('%s', (_, plan, about) => {
  test('has that many', () => {
    expect(Math.abs(plan.buffers.length - about)).toBeLessThan(about / 10);
  });

  test('every box lies where its buffer does, with and without script, wide, narrow and zoomed', async () => {
    for (const options of [{}, { script: false }, { width: 360, height: 700 }, { width: 1920 }]) {
      await expectBoxesInPlace(await open(plan, options), plan);
    }
    const page = await open(plan);
    for (const button of ['steps-in', 'steps-in', 'addresses-in']) await page.click(`[data-zoom=${button}]`);
    await expectBoxesInPlace(page, plan);
    expectNoComplaints();
  });

  test('a pointer over a box shows its name, type, bytes, life and place', async () => {
    const page = await open(plan);
    const box = largest(plan);
    await pointAt(page, box);
    await until(page, `!document.querySelector('#tip').hidden`);
    const text = (await page.textContent('#tip')) ?? '';
    const main = plan.tensors.find(({ buffer }) => buffer === box.id)!;
    expect(text).toContain(main.name);
    expect(text).toContain(`float32 [${main.shape}]`);
    expect(text).toContain(`${box.bytes.toLocaleString('en')} bytes`);
    expect(text).toContain(
      `steps ${box.first.toLocaleString('en')} to ${(box.end - 1).toLocaleString('en')}`,
    );
    expect(text).toContain(`offset ${box.offset.toLocaleString('en')}`);
    expect(text).toMatch(/on top of|at the bottom of|not on top/);
    await page.mouse.move(5, 5);
    await until(page, `document.querySelector('#tip').hidden`);
    expectNoComplaints();
  });

  test('a click chooses a box, the card tells all about it, Escape lets it go', async () => {
    const page = await open(plan);
    const box = largest(plan);
    await clickOn(page, box);
    expect(await chosen(page)).toBe(`b${box.id}`);
    const card = (await page.textContent('#inspector')) ?? '';
    for (const tensor of plan.tensors.filter(({ buffer }) => buffer === box.id)) {
      expect(card).toContain(tensor.name);
      if (tensor.aliasOf !== null) expect(card).toContain(`of ${tensor.aliasOf}`);
    }
    const mark = await rectOf(page, '.mark.chosen');
    const rect = await rectOf(page, `#b${box.id}`);
    expect(Math.abs(mark.left - rect.left) + Math.abs(mark.top - rect.top)).toBeLessThan(3);
    await page.keyboard.press('Escape');
    expect(await chosen(page)).toBeNull();
    expect(await page.evaluate(`document.querySelectorAll('.mark.chosen').length`)).toBe(0);
    expectNoComplaints();
  });

  test('the arrow keys walk all boxes in order, and up and down among those that are live together', async () => {
    const page = await open(plan);
    const order = inOrder(plan);
    await page.focus('.map');
    await page.keyboard.press('Home');
    const walked = [await chosen(page)];
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('ArrowRight');
      walked.push(await chosen(page));
    }
    expect(walked).toEqual(order.slice(0, 13).map(({ id }) => `b${id}`));
    await page.keyboard.press('ArrowLeft');
    expect(await chosen(page)).toBe(`b${order[11]!.id}`);
    await page.keyboard.press('End');
    expect(await chosen(page)).toBe(`b${order.at(-1)!.id}`);

    const low = plan.buffers.find((b) => b.offset === 0 && b.end - b.first > 2)!;
    await clickOn(page, low);
    await page.keyboard.press('ArrowUp');
    const together = plan.buffers.filter((b) => b.first < low.end && low.first < b.end && b.offset > 0);
    const next = Math.min(...together.map(({ offset }) => offset));
    expect(together.filter(({ offset }) => offset === next).map(({ id }) => `b${id}`)).toContain(
      await chosen(page),
    );
    expectNoComplaints();
  });

  test('Enter brings a box close, 0 fits everything again', async () => {
    const page = await open(plan);
    const box = largest(plan);
    await clickOn(page, box);
    const before = await rectOf(page, `#b${box.id}`);
    await page.keyboard.press('Enter');
    const close = await rectOf(page, `#b${box.id}`);
    const stage = await rectOf(page, '#stage');
    expect(close.width).toBeGreaterThan(before.width);
    expect(close.left).toBeGreaterThan(stage.left);
    expect(close.left + close.width).toBeLessThan(stage.left + stage.width);
    await page.keyboard.press('0');
    expect((await rectOf(page, `#b${box.id}`)).width).toBeCloseTo(before.width, 0);
    expectNoComplaints();
  });

  test('search dims what does not match, counts, walks the matches and filters the table', async () => {
    const page = await open(plan);
    await page.keyboard.press('/');
    await page.keyboard.type('n1');
    const writes = new Map(
      plan.steps.flatMap(({ node, op, writes: names }) => names.map((name) => [name, `${node} ${op}`])),
    );
    const words = (buffer: PlanBuffer) =>
      plan.tensors
        .filter((tensor) => tensor.buffer === buffer.id)
        .map(({ name, type, shape }) => `${name} ${type} [${shape}] ${writes.get(name) ?? ''}`)
        .join(' ')
        .toLowerCase();
    const wanted = plan.buffers.filter((buffer) => words(buffer).includes('n1'));
    await until(
      page,
      `document.querySelector('#found').textContent === '${wanted.length.toLocaleString('en')} of ${plan.buffers.length.toLocaleString('en')}'`,
    );
    expect(
      await page.evaluate(`[...document.querySelectorAll('.box.hit')].map(({ id }) => id).sort()`),
    ).toEqual(wanted.map(({ id }) => `b${id}`).sort());
    expect(await classOf(page, '#stage')).toContain('finding');
    await page.keyboard.press('Enter');
    expect(await chosen(page)).toBe(`b${inOrder(plan).find((buffer) => wanted.includes(buffer))!.id}`);
    await page.keyboard.press('Escape');
    await until(page, `!document.querySelector('#stage').classList.contains('finding')`);
    await page.fill('#find', 't10');
    const rows = plan.tensors.filter(({ name, aliasOf }) => `${name} ${aliasOf}`.includes('t10')).length;
    await until(page, `document.querySelectorAll('#tensors tbody tr:not([hidden])').length === ${rows}`);
    expectNoComplaints();
  });

  test('wheel with Ctrl zooms around the pointer, without it scrolls the page until the map is chosen', async () => {
    const page = await open(plan, { height: 500 });
    const box = largest(plan);
    const before = await pointAt(page, box);
    const [x, y] = [before.left + before.width / 2, before.top + before.height / 2];
    await page.mouse.wheel(0, 60);
    await until(page, 'scrollY > 0');
    expect((await rectOf(page, `#b${box.id}`)).width).toBeCloseTo(before.width, 1);

    const again = await pointAt(page, box);
    const middle = again.left + again.width / 2;
    await page.evaluate(`document.querySelector('#stage').dispatchEvent(new WheelEvent('wheel',
      { deltaY: -300, ctrlKey: true, clientX: ${middle}, clientY: ${again.top + again.height / 2}, bubbles: true, cancelable: true }))`);
    const zoomed = await rectOf(page, `#b${box.id}`);
    expect(zoomed.width).toBeGreaterThan(again.width * 1.5);
    expect(zoomed.height).toBeCloseTo(again.height, 1);
    expect(Math.abs(zoomed.left + zoomed.width / 2 - middle)).toBeLessThan(2);

    await page.mouse.click(x, y);
    await page.mouse.wheel(0, -120);
    await until(
      page,
      `document.querySelector('#b${box.id}').getBoundingClientRect().width > ${zoomed.width * 1.1}`,
    );
    expectNoComplaints();
  });

  test('dragging pans', async () => {
    const page = await open(plan);
    for (let i = 0; i < 4; i++) await page.click('[data-zoom=steps-in]');
    const { left, top, width } = await rectOf(page, '#stage');
    const at = await page.evaluate<number>(`document.querySelector('#stage').scrollLeft`);
    await page.mouse.move(left + width / 2, top + 60);
    await page.mouse.down();
    await page.mouse.move(left + width / 2 - 150, top + 60, { steps: 5 });
    await page.mouse.up();
    expect(await page.evaluate(`document.querySelector('#stage').scrollLeft`)).toBe(at + 150);
    expect(await chosen(page)).toBeNull();
    expectNoComplaints();
  });

  test('the legend shows single families, the table sorts', async () => {
    const page = await open(plan);
    await page.click('[data-look=pool]');
    await until(page, `document.querySelector('#stage').classList.contains('finding')`);
    const fills = await page.evaluate<readonly string[]>(
      `[...new Set([...document.querySelectorAll('.box.hit')].map((box) => box.getAttribute('fill')))]`,
    );
    expect(fills).toEqual(['url(#look-pool)']);
    await page.evaluate(`document.querySelector('#tensors').closest('details').open = true`);
    await page.click('#tensors thead th:nth-child(3) button');
    await page.click('#tensors thead th:nth-child(3) button');
    const most = Math.max(...plan.tensors.map(({ bytes }) => bytes));
    expect(await page.textContent('#tensors tbody tr:first-child td.n')).toBe(most.toLocaleString('en'));
    expectNoComplaints();
  });

  test('links choose boxes: from lists, and in the address of the page', async () => {
    const box = plan.buffers[7]!;
    const page = await open(plan, { hash: `#b${box.id}` });
    expect(await chosen(page)).toBe(`b${box.id}`);
    await page.click('.live a');
    const id = await page.evaluate<string>(`document.querySelector('.live a').getAttribute('href').slice(1)`);
    expect(await chosen(page)).toBe(id);
    expectNoComplaints();
  });

  test.each(['light', 'dark'] as const)(
    'axe-core finds nothing in %s',
    async (scheme) => {
      const page = await open(plan, { scheme });
      await clickOn(page, largest(plan));
      expect(await findings(page)).toEqual([]);
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const [red] = /\d+/.exec(background)!;
      expect(Number(red) < 128).toBe(scheme === 'dark');
      expectNoComplaints();
    },
    240_000,
  );

  test.each([true, false])('nothing is wider than a window of 360 pixels, script: %s', async (script) => {
    const page = await open(plan, { width: 360, height: 740, script });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expectNoComplaints();
  });
});

test.skipIf(skip)('pictures of plans with hostile names are XML', async () => {
  const page = await open(PAGES.small);
  for (const plan of [HOSTILE_NAMES, PAGES.small, PAGES.regions]) {
    const faults = await page.evaluate<number>(
      `new DOMParser().parseFromString(${JSON.stringify(svg(plan))}, 'image/svg+xml').querySelectorAll('parsererror').length`,
    );
    expect(faults).toBe(0);
  }
});

describe.skipIf(skip)('the page', () => {
  test('without script is a picture with tooltips and links', async () => {
    const page = await open(PAGES.small, { script: false });
    const box = largest(PAGES.small);
    expect(await page.evaluate(`document.querySelector('#b${box.id} title').textContent`)).toContain(
      `${box.bytes.toLocaleString('en')} bytes`,
    );
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.tool')].every((tool) => getComputedStyle(tool).display === 'none')`,
      ),
    ).toBe(true);
    const strokes = `getComputedStyle(document.querySelector(document.querySelector('.live a').hash)).strokeWidth`;
    const before = await page.evaluate(strokes);
    await page.click('.live a');
    expect(await page.evaluate(strokes)).not.toBe(before);
    expectNoComplaints();
  });

  test('with several regions has a map of each, and a box is found in its own', async () => {
    const plan = PAGES.regions;
    const page = await open(plan);
    await expectBoxesInPlace(page, plan);
    for (const { name } of plan.regions) {
      const box = largest({ ...plan, buffers: plan.buffers.filter(({ region }) => region === name) });
      await clickOn(page, box);
      expect(await chosen(page)).toBe(`b${box.id}`);
      expect(await page.textContent('#inspector .facts')).toContain(`${name} + `);
    }
    expectNoComplaints();
  });

  test('of several models says whose steps are whose, on screen and zoomed, and axe-core finds nothing', async () => {
    const plan = SEVERAL;
    const page = await open(plan);
    await expectBoxesInPlace(page, plan);
    expect(await page.textContent('#turns')).toBe('a, part 1b, part 2');
    const edge = async () => {
      const [line, map] = [await rectOf(page, '.handover'), await rectOf(page, '.map')];
      return (line.left - map.left) / map.width;
    };
    // 12 of 32 steps.
    expect(await edge()).toBeCloseTo(12 / 32, 2);
    // The model's name stands above: not in the boxes, but of one that is alive before its model runs.
    const names = `[...document.querySelectorAll('.names span')].map((name) => name.firstChild.textContent)`;
    expect(await page.evaluate<string[]>(names)).toContain('conv_1');
    expect((await page.evaluate<string[]>(names)).filter((name) => name.startsWith('a:'))).toEqual([]);
    for (const button of ['steps-in', 'addresses-in']) await page.click(`[data-zoom=${button}]`);
    expect(await edge()).toBeCloseTo(12 / 32, 2);
    await expectBoxesInPlace(page, plan);
    await page.click('[data-zoom=fit]');
    expect(await findings(page)).toEqual([]);
    const narrow = await open(plan, { width: 360, height: 740 });
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expectNoComplaints();
  });

  test('labels of the axis keep inside it, with the peak at either end', async () => {
    for (const live of [
      [0, 1],
      [1999, 2000],
    ] as const) {
      const plan = edgePlan(live);
      for (const options of [{}, { script: false }, { width: 360, height: 740 }]) {
        const page = await open(plan, options);
        const [time, ...labels] = await page.evaluate<{ left: number; right: number }[]>(
          `[document.querySelector('#time'), ...document.querySelectorAll('#time span')].map((e) => (({ left, right }) => ({ left, right }))(e.getBoundingClientRect()))`,
        );
        for (const { left, right } of labels) {
          expect(left).toBeGreaterThanOrEqual(time!.left);
          expect(right).toBeLessThanOrEqual(time!.right);
        }
      }
    }
    expectNoComplaints();
  });

  test('on paper shows everything at once, and no tools', async () => {
    const page = await open(PAGES.small);
    for (let i = 0; i < 3; i++) await page.click('[data-zoom=steps-in]');
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.find')).display`)).toBe('none');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    await expectBoxesInPlace(page, PAGES.small);
  });

  test('takes the names of a hostile model for nothing but text', async () => {
    const evil = '</title><script>window.pwned=1</script><img src=x onerror="window.pwned=2">\'"&amp;';
    const plan: Plan = JSON.parse(
      JSON.stringify(HOSTILE_NAMES).replaceAll('quoted', JSON.stringify(evil).slice(1, -1)),
    );
    for (const script of [true, false]) {
      const page = await open(plan, { script });
      for (const { id } of plan.buffers.slice(0, 3)) await pointAt(page, plan.buffers[id]!);
      if (script) {
        await page.focus('.map');
        for (let i = 0; i < plan.buffers.length; i++) await page.keyboard.press('ArrowRight');
      }
      expect(await page.evaluate('window.pwned ?? null')).toBeNull();
      expect(await page.evaluate(`document.querySelectorAll('img').length`)).toBe(0);
    }
    expectNoComplaints();
  });

  test('runs no script but its own', async () => {
    const page = await open(PAGES.small);
    await page.evaluate(
      `{ const s = document.createElement('script'); s.textContent = 'window.pwned = 1'; document.body.append(s); }`,
    );
    expect(await page.evaluate('window.pwned ?? null')).toBeNull();
    expect(opened[0]!.complaints.join()).toContain('Content Security Policy');
  });
});
