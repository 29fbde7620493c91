/** --anytime: Ctrl-C takes the best plan so far. In a process of its own, with real signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hardModel } from '../support/hard-model.ts';
import { install } from './installed.ts';
import { cli, emptyFolder } from './run.ts';

/** More search steps than fit a day. */
const ENDLESS = ['--align', '64', '--effort', '1000000000000'];
const JOB = ['net.onnx', '--target', 'cortex-a53'];

let home = '';
let bin = '';
beforeAll(async () => {
  ({ home, bin } = await install());
}, 60_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Ended {
  /** The exit code, or the name of the signal. */
  readonly end: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts memplan; `begun` and whatever it writes to stderr afterwards may give it signals. */
async function interrupted(
  cwd: string,
  argv: readonly string[],
  begun: (child: ChildProcess) => void,
  told: (child: ChildProcess, stderr: string) => void = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...argv], { cwd });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
    told(child, stderr);
  });
  begun(child);
  const end = await new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  return { end, stdout, stderr };
}

/** A folder with a model that no search gets to the end of. */
function hardFolder(name: string): string {
  const cwd = join(home, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'net.onnx'), hardModel(200));
  return cwd;
}

/** Ctrl-C after so many milliseconds. */
function soon(child: ChildProcess, delay = 1500): void {
  setTimeout(() => child.kill('SIGINT'), delay);
}

describe('Ctrl-C during a search', { timeout: 60_000 }, () => {
  test('with --anytime writes the best plan so far, and says so', async () => {
    const cwd = hardFolder('once');
    const argv = [...JOB, ...ENDLESS, '--anytime', '--emit', 'h,c,json'];
    // On a busy machine the signal may come before anybody listens.
    let ended: Ended | undefined;
    for (let delay = 1000; ended === undefined || (ended.end === 'SIGINT' && delay < 30_000); delay *= 3) {
      ended = await interrupted(cwd, argv, (child) => soon(child, delay));
    }
    const { end, stdout, stderr } = ended;
    expect(stderr).toContain('taking the best plan so far; Ctrl-C once more ends without one\n');
    expect(stderr).toMatch(/^warning W_INTERRUPTED: /m);
    expect(end).toBe(0);
    expect(stdout).toContain('written    tensor_memory_pool.h\n');
    const plan = JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8'));
    expect(plan.totals.optimal).toBe(false);
    expect((await cli(['verify', 'plan.json'], { cwd })).code).toBe(0);
  });

  test('twice ends without a plan, as Ctrl-C does', async () => {
    const cwd = hardFolder('twice');
    const { end } = await interrupted(
      cwd,
      [...JOB, ...ENDLESS, '--anytime'],
      (child) => soon(child),
      (child, stderr) => void (stderr.includes('once more') && child.kill('SIGINT')),
    );
    // The search may have ended before the second one was seen.
    if (end !== 0) {
      expect(end).toBe('SIGINT');
      expect(existsSync(join(cwd, 'tensor_memory_pool.h'))).toBe(false);
    }
  });

  test('without --anytime ends without a plan', async () => {
    const cwd = hardFolder('without');
    const { end } = await interrupted(cwd, [...JOB, ...ENDLESS], (child) => soon(child));
    expect(end).toBe('SIGINT');
    expect(existsSync(join(cwd, 'tensor_memory_pool.h'))).toBe(false);
  });
});

describe('a run that nobody interrupts', { timeout: 60_000 }, () => {
  test.each([
    [[...JOB, '--effort', '2000', '--align', '64', '--json'], 0],
    [[...JOB, '--budget', '1', '--effort', '2000'], 1],
    [['none.onnx', '--target', 'cortex-a53'], 2],
    [['--help'], 0],
  ])('prints and ends the same with --anytime: %j', async (argv, code) => {
    const nothing = () => {};
    const with_ = await interrupted(
      hardFolder(`with ${argv.length} ${code}`),
      [...argv, '--anytime'],
      nothing,
    );
    const without = await interrupted(hardFolder(`without ${argv.length} ${code}`), argv, nothing);
    expect(with_.stdout).toBe(without.stdout);
    expect(with_.stderr).toBe(without.stderr);
    expect(with_.end).toBe(without.end);
    expect(with_.end).toBe(code);
  });
});

describe('inside', () => {
  test('an interrupted search for an order says so as well', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'net.onnx'), hardModel(60));
    const { stderr } = await cli([...JOB, '--schedule', 'min-peak'], { cwd, interrupted: () => true });
    expect(stderr).toMatch(/^warning W_INTERRUPTED: /m);
  });

  test('a plan that was found before the interruption is no interrupted one', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'net.onnx'), hardModel(1));
    const { stderr } = await cli(JOB, { cwd, interrupted: () => true });
    expect(stderr).not.toContain('W_INTERRUPTED');
  });

  test('solve says so too', async () => {
    const cwd = emptyFolder();
    const rows = Array.from({ length: 120 }, (_, i) => {
      const first = (i * 7919) % 40;
      return `b${i},${first},${first + 1 + ((i * 104_729) % 19)},${1 + ((i * 1_299_709) % 97)},${[1, 32, 48][i % 3]}`;
    });
    writeFileSync(join(cwd, 'p.csv'), `id,lower,upper,size,alignment\n${rows.join('\n')}\n`);
    const { code, stderr } = await cli(['solve', 'p.csv', '--out', 's.csv'], {
      cwd,
      interrupted: () => true,
    });
    expect(stderr).toMatch(/^warning W_INTERRUPTED: /m);
    expect(code).toBe(0);
    expect((await cli(['verify', 's.csv', '--problem', 'p.csv'], { cwd })).code).toBe(0);
  });

  test('--watch has another use for Ctrl-C', async () => {
    const { code, stderr } = await cli([...JOB, '--watch', '--anytime']);
    expect(code).toBe(2);
    expect(stderr).toContain('--anytime has no place beside it');
  });
});
