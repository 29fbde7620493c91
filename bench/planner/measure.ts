/** Measures CPU time, in this process and in whole processes: on a shared machine wall time says little. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** User CPU milliseconds that a function takes, and its result. */
export function timed<T>(work: () => T): { readonly ms: number; readonly result: T } {
  const start = process.cpuUsage();
  const result = work();
  return { ms: process.cpuUsage(start).user / 1000, result };
}

/** CPU milliseconds (user and system) of a whole node process, and its exit code. */
export function wholeProcess(
  preload: string,
  args: readonly string[],
): { readonly ms: number; readonly status: number } {
  const folder = mkdtempSync(join(tmpdir(), 'memplan-bench-'));
  const file = join(folder, 'cpu.json');
  const run = spawnSync(process.execPath, ['--require', preload, ...args], {
    env: { ...process.env, CPU_FILE: file },
    stdio: 'ignore',
  });
  const { user, system } = JSON.parse(readFileSync(file, 'utf8')) as { user: number; system: number };
  rmSync(folder, { recursive: true });
  return { ms: (user + system) / 1000, status: run.status ?? 1 };
}

/** A yardstick of the machine: milliseconds for a fixed loop of integer arithmetic. */
export function yardstick(): number {
  return timed(() => {
    let x = 1;
    for (let i = 0; i < 2e8; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0;
    return x;
  }).ms;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
