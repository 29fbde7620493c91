/** Has plans checked by the script beside the corpus, which shares no code with the product. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan, PlanBuffer, PlanTensor } from '../../src/plan/types.ts';

export interface SecondOpinion {
  readonly checked: number;
  /** What the script finds, without overlaps in gaps where tensors keep clear of each other. */
  readonly faults: readonly string[];
  /** Pairs of buffers that overlap in gaps. */
  readonly inGaps: number;
}

/**
 * The script takes all bytes of a buffer for live as long as the buffer is: it knows of no gaps, in which parts of a
 * Concat or Split that are not there yet, or no more, leave room for others. Where a buffer has gaps, what it calls an
 * overlap is held to the tensors instead: no two of them may have a byte in common while both are alive.
 */
export function secondOpinion(script: string, plans: readonly Plan[]): SecondOpinion {
  const folder = mkdtempSync(join(tmpdir(), 'memplan-'));
  const files = plans.map((plan, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, JSON.stringify(plan));
    return file;
  });
  const { stdout } = spawnSync('python3', [script, ...files], { encoding: 'utf8', maxBuffer: 1 << 26 });
  rmSync(folder, { recursive: true });
  const lines = stdout.trimEnd().split('\n');
  const summary = /^(\d+) plans, (\d+) broken promises$/.exec(lines.pop()!);
  if (summary === null || Number(summary[2]) !== lines.length) throw new Error(`no verdict: ${stdout}`);
  const faults = lines.flatMap((line) => {
    const overlap = /\/(\d+)\.json: buffers (\d+) and (\d+) overlap$/.exec(line);
    if (overlap === null) return [line];
    const [plan, a, b] = overlap.slice(1).map(Number) as [number, number, number];
    const clash = clashIn(plans[plan]!, a, b);
    return clash === undefined ? [] : [`${line}: ${clash}`];
  });
  return { checked: Number(summary[1]), faults, inGaps: lines.length - faults.length };
}

/** Why the overlap of two buffers does harm, or undefined. */
function clashIn({ buffers, tensors }: Plan, a: number, b: number): string | undefined {
  const both = buffers.filter(({ id }) => id === a || id === b);
  if (both.every(({ gaps }) => gaps.length === 0)) return 'neither has gaps';
  const [of, others] = both.map((buffer) => membersOf(buffer, tensors)) as [PlanTensor[], PlanTensor[]];
  for (const x of of) {
    const y = others.find((other) => meet(x, other));
    if (y !== undefined) return `${x.name} and ${y.name} have bytes in common`;
  }
  return undefined;
}

function membersOf({ id }: PlanBuffer, tensors: readonly PlanTensor[]): readonly PlanTensor[] {
  return tensors.filter(({ buffer, bytes }) => buffer === id && bytes > 0);
}

/** In one moment and one byte. */
function meet(x: PlanTensor, y: PlanTensor): boolean {
  const alive = x.first < y.end && y.first < x.end;
  return alive && x.offset! < y.offset! + y.bytes && y.offset! < x.offset! + x.bytes;
}
