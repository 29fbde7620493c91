/**
 * --emit trace: the plan in the Trace Event Format, which chrome://tracing and Perfetto open. A millisecond stands for
 * a step. The steps are one process, each region is one: its live bytes as a counter, its buffers as slices.
 */
import { qualified } from '../plan/qualified.ts';
import type { Plan, PlanBuffer, PlanRegion } from '../plan/types.ts';
import { stairsOf } from './chart/curve.ts';
import { LOOKS } from './chart/families.ts';
import { type Box, type RegionScene, sceneOf } from './chart/scene.ts';
import { typeText } from './text.ts';

interface TraceEvent {
  readonly ph: 'X' | 'C' | 'M' | 'i';
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly s?: 'g';
  readonly args?: Readonly<Record<string, unknown>>;
}

const STEP = 1000;
const STEPS_PROCESS = 1;

/** The trace as text that ends with a newline: one event per line. */
export function trace(given: Plan): string {
  const plan = qualified(given);
  const scene = sceneOf(plan, Number.POSITIVE_INFINITY);
  const events = [
    ...named(STEPS_PROCESS, 'steps'),
    ...threadNamed(STEPS_PROCESS, 0, 'steps'),
    ...stepEvents(plan),
    ...scene.regions.flatMap((region, i) => regionEvents(region, STEPS_PROCESS + 1 + i)),
  ];
  const head = {
    displayTimeUnit: 'ms',
    otherData: {
      planHash: plan.planHash,
      target: plan.target.id,
      models: plan.models.map(({ file }) => file),
    },
  };
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  return `${JSON.stringify(head).slice(0, -1)},"traceEvents":[\n${lines}\n]}\n`;
}

function named(pid: number, name: string): TraceEvent[] {
  return [
    { ph: 'M', name: 'process_name', pid, tid: 0, args: { name } },
    { ph: 'M', name: 'process_sort_index', pid, tid: 0, args: { sort_index: pid } },
  ];
}

function threadNamed(pid: number, tid: number, name: string): TraceEvent[] {
  return [
    { ph: 'M', name: 'thread_name', pid, tid, args: { name } },
    { ph: 'M', name: 'thread_sort_index', pid, tid, args: { sort_index: tid } },
  ];
}

function stepEvents({ steps, peak }: Plan): TraceEvent[] {
  const slices = steps.map(({ step, node, op, reads, writes, liveBytes, scratchBytes }): TraceEvent => {
    const args = { step, op, liveBytes, scratchBytes, reads, writes };
    return { ph: 'X', name: node, cat: op, pid: STEPS_PROCESS, tid: 0, ts: step * STEP, dur: STEP, args };
  });
  if (steps.length === 0) return slices;
  const mark = { ph: 'i', name: `peak, ${peak.bytes} bytes`, s: 'g' } as const;
  return [...slices, { ...mark, pid: STEPS_PROCESS, tid: 0, ts: peak.step * STEP }];
}

/** Slices of one thread may not overlap, so buffers are spread over lanes: the lowest addresses in the first. */
function regionEvents({ region, boxes, live }: RegionScene, pid: number): TraceEvent[] {
  const counter = stairsOf(live).map(({ first, bytes }): TraceEvent => {
    return { ph: 'C', name: 'live bytes', pid, tid: 0, ts: first * STEP, args: { bytes } };
  });
  const laneOf = lanes(boxes.map(({ buffer }) => buffer));
  const count = boxes.reduce((most, { buffer }) => Math.max(most, laneOf.get(buffer.id)! + 1), 0);
  const threads = Array.from({ length: count }, (_, lane) => threadNamed(pid, lane + 1, `lane ${lane}`));
  return [
    ...named(pid, region.name),
    ...threads.flat(),
    ...counter,
    ...boxes.map((box) => bufferEvent(box, region, pid, laneOf.get(box.buffer.id)! + 1)),
  ];
}

/** Interval partitioning: as many lanes as buffers are live at once, each buffer in the first that is free. */
function lanes(buffers: readonly PlanBuffer[]): ReadonlyMap<number, number> {
  const free: number[] = [];
  const order = [...buffers].sort((a, b) => a.first - b.first || a.offset - b.offset || a.id - b.id);
  return new Map(
    order.map(({ id, first, end }) => {
      const lane = free.findIndex((until) => until <= first);
      const at = lane < 0 ? free.length : lane;
      free[at] = end;
      return [id, at];
    }),
  );
}

function bufferEvent(
  { buffer, name, look, tensors }: Box,
  region: PlanRegion,
  pid: number,
  tid: number,
): TraceEvent {
  const { id, first, end, offset, bytes, kind } = buffer;
  const address = region.origin === null ? {} : { address: `0x${(region.origin + offset).toString(16)}` };
  const args = {
    ...{ buffer: id, kind, bytes, offset },
    ...address,
    tensors: tensors.map((tensor) => `${tensor.name}: ${typeText(tensor)}, ${tensor.how}`),
  };
  const cat = LOOKS.find((style) => style.look === look)!.label;
  return { ph: 'X', name, cat, pid, tid, ts: first * STEP, dur: (end - first) * STEP, args };
}
