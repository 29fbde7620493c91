/** Questions to an open page of a plan, and gestures on it. */
import { expect } from 'vitest';
import type { Plan, PlanBuffer } from '../../src/plan/types.ts';
import type { Page } from './browser.ts';

/** Asks again until the page says yes. The page's policy forbids what playwright would do. */
export async function until(page: Page, script: string): Promise<void> {
  const started = performance.now();
  while (!(await page.evaluate<boolean>(script))) {
    if (performance.now() - started > 20_000) throw new Error(`never true: ${script}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export const rectOf = (page: Page, selector: string) =>
  page.evaluate<Rect>(`(({ left, top, width, height }) => ({ left, top, width, height }))(
    document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);

export const classOf = (page: Page, selector: string) =>
  page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).className`);

/** The largest buffer in bytes times steps: easy to point at. */
export function largest({ buffers }: Plan): PlanBuffer {
  const area = ({ bytes, first, end }: PlanBuffer) => bytes * (end - first);
  return buffers.reduce((most, buffer) => (area(buffer) > area(most) ? buffer : most));
}

/** Buffers in the order in which they come to life, as the arrow keys walk. */
export function inOrder({ buffers }: Plan): readonly PlanBuffer[] {
  return [...buffers].sort((a, b) => a.first - b.first || a.offset - b.offset);
}

export async function pointAt(page: Page, { id }: PlanBuffer): Promise<Rect> {
  await page.evaluate(`document.querySelector('#stage').scrollIntoView({ block: 'center' })`);
  const rect = await rectOf(page, `#b${id}`);
  await page.mouse.move(rect.left + rect.width / 2, rect.top + rect.height / 2);
  return rect;
}

export async function clickOn(page: Page, buffer: PlanBuffer): Promise<void> {
  const rect = await pointAt(page, buffer);
  await page.mouse.click(rect.left + rect.width / 2, rect.top + rect.height / 2);
}

export const chosen = (page: Page) =>
  page.evaluate<string | null>(
    `document.querySelector('.map[aria-activedescendant]')?.getAttribute('aria-activedescendant') ?? null`,
  );

/** Every box where its buffer says, to half a pixel: the check shares nothing with the drawing. */
export async function expectBoxesInPlace(page: Page, { buffers, regions, steps }: Plan): Promise<void> {
  const maps = await page.evaluate<readonly Rect[]>(
    `[...document.querySelectorAll('.map')].map((map) => (({ left, top, width, height }) => ({ left: left + map.clientLeft, top, width: width - map.clientLeft, height }))(map.getBoundingClientRect()))`,
  );
  const boxes = await page.evaluate<Readonly<Record<string, Rect>>>(
    `Object.fromEntries([...document.querySelectorAll('.box')].map((box) => [box.id, (({ left, top, width, height }) => ({ left, top, width, height }))(box.getBoundingClientRect())]))`,
  );
  const off: string[] = [];
  for (const { id, region, first, end, offset, bytes } of buffers) {
    const map = maps[regions.findIndex(({ name }) => name === region)]!;
    const { used, capacity } = regions.find(({ name }) => name === region)!;
    const span = capacity !== null && capacity <= used * 1.35 ? Math.max(used, capacity) : used;
    const wanted = [
      map.left + (map.width * first) / steps.length,
      map.top + map.height - 1 - ((map.height - 1) * (offset + bytes)) / span,
      (map.width * (end - first)) / steps.length,
      ((map.height - 1) * bytes) / span,
    ];
    const { left, top, width, height } = boxes[`b${id}`]!;
    const wrong = [left, top, width, height].some((value, i) => Math.abs(value - wanted[i]!) > 0.75);
    if (wrong) off.push(`b${id}: ${[left, top, width, height]} is not ${wanted}`);
  }
  expect(off.slice(0, 3)).toEqual([]);
  expect(Object.keys(boxes)).toHaveLength(buffers.length);
}
