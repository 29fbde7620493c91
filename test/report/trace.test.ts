/** Rules of the Trace Event Format: slices of one thread lie one after the other; times are microseconds. */
import { describe, expect, test } from 'vitest';
import { qualified } from '../../src/plan/qualified.ts';
import { trace } from '../../src/report/trace.ts';
import { SEVERAL } from '../support/page-of-several.ts';
import { PAGES } from '../support/pages.ts';
import { ALL_EXTERNAL, HOSTILE_NAMES, NOTHING } from '../support/sample-plans.ts';
import { kws, passThrough, twoRegions } from './samples.ts';

interface Event {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: Readonly<Record<string, unknown>>;
}

const PLANS = { kws, twoRegions, passThrough, HOSTILE_NAMES, NOTHING, ALL_EXTERNAL, ...PAGES, SEVERAL };

describe.each(Object.entries(PLANS))('the trace of %s', (_, given) => {
  // Names as a trace has them, with their models where there are several.
  const plan = qualified(given);
  const text = trace(given);
  const { traceEvents: events } = JSON.parse(text) as { traceEvents: readonly Event[] };
  const processes = new Map(
    events.filter(({ name }) => name === 'process_name').map(({ pid, args }) => [args.name, pid]),
  );
  const slices = events.filter(({ ph }) => ph === 'X');

  test('is the same each time, one event per line', () => {
    expect(trace(JSON.parse(JSON.stringify(given)))).toBe(text);
    expect(text.split('\n')).toHaveLength(events.length + 3);
  });

  test('has a process for the steps and one per region', () => {
    expect([...processes.keys()]).toEqual(['steps', ...plan.regions.map(({ name }) => name)]);
  });

  test('has a millisecond for every step, in order', () => {
    const steps = slices.filter(({ pid }) => pid === processes.get('steps'));
    expect(steps.map(({ name, ts, dur }) => [name, ts, dur])).toEqual(
      plan.steps.map(({ node, step }) => [node, step * 1000, 1000]),
    );
  });

  test('has every buffer with bytes as one slice, in its region', () => {
    const buffers = slices.filter(({ pid }) => pid !== processes.get('steps'));
    const found = buffers.map(({ pid, ts, dur, args }) => [
      args.buffer,
      pid,
      ts,
      ts + dur,
      args.offset,
      args.bytes,
    ]);
    const wanted = plan.buffers
      .filter(({ bytes }) => bytes > 0)
      .map(({ id, region, first, end, offset, bytes }) => {
        return [id, processes.get(region), first * 1000, end * 1000, offset, bytes];
      });
    expect([...found].sort()).toEqual([...wanted].sort());
  });

  test('has no two slices of a thread at one time, and no more threads than are needed', () => {
    const threads = new Map<string, Event[]>();
    for (const slice of slices) {
      const key = `${slice.pid}:${slice.tid}`;
      threads.set(key, [...(threads.get(key) ?? []), slice]);
    }
    for (const list of threads.values()) {
      const order = [...list].sort((a, b) => a.ts - b.ts);
      for (const [i, slice] of order.slice(1).entries()) {
        expect(order[i]!.ts + order[i]!.dur).toBeLessThanOrEqual(slice.ts);
      }
    }
    for (const { name } of plan.regions) {
      const here = plan.buffers.filter(({ region, bytes }) => region === name && bytes > 0);
      const together = plan.steps.map(
        ({ step }) => here.filter(({ first, end }) => first <= step && step < end).length,
      );
      const lanes = [...threads.keys()].filter((key) => key.startsWith(`${processes.get(name)}:`)).length;
      expect(lanes).toBe(Math.max(here.length > 0 ? 1 : 0, ...together));
    }
  });

  test('counts the live bytes of each step', () => {
    const counters = events.filter(({ ph }) => ph === 'C');
    for (const { step, liveBytes } of plan.steps.slice(0, 200)) {
      const sum = plan.regions.reduce((total, { name }) => {
        const here = counters.filter(({ pid, ts }) => pid === processes.get(name) && ts <= step * 1000);
        return total + Number(here.at(-1)!.args.bytes);
      }, 0);
      expect(sum).toBe(liveBytes);
    }
  });
});
