import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { model, node } from '../support/onnx.ts';

const root = join(import.meta.dirname, '../..');
/** The package as it is installed, in a path with spaces. */
const home = mkdtempSync(join(tmpdir(), 'memplan in a place '));
const bin = join(home, 'bin/memplan.js');
const job = ['net.onnx', '--target', 'stm32h743'];

beforeAll(async () => {
  const script = pathToFileURL(join(root, 'scripts/bundle.mjs')).href;
  const { bundleProgram } = await import(script);
  await bundleProgram(root, join(home, 'dist'));
  for (const part of ['bin', 'package.json']) cpSync(join(root, part), join(home, part), { recursive: true });
  cpSync(join(root, 'src/target/data'), join(home, 'dist/targets'), { recursive: true });
  mkdirSync(join(home, 'work'));
  const net = model({
    inputs: { x: ['float32', [1, 16]] },
    outputs: { y: ['float32', [1, 16]] },
    nodes: [node('Relu', ['x'], ['y'])],
  });
  writeFileSync(join(home, 'work/net.onnx'), net);
}, 60_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  const options = { cwd: join(home, 'work'), encoding: 'utf8', env: { ...inherited, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  return { status, stdout, stderr };
}

/** A line of shell in which `memplan` is the program. */
function shell(line: string, env?: Readonly<Record<string, string>>) {
  return run('bash', ['-c', `memplan() { '${process.execPath}' '${bin}' "$@"; }; ${line}`], env);
}

describe('exit codes', () => {
  test.each([
    [job, 0],
    [[...job, '--budget', '1'], 1],
    [['none.onnx', '--target', 'stm32h743'], 2],
    [['--wrong'], 2],
    [['--help'], 0],
    [[], 2],
  ])('%j is %i', (args, code) => {
    const { status, stderr } = run(process.execPath, [bin, ...args]);
    expect(status).toBe(code);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('sh -e stops at a gate that fails', () => {
    const script = `set -e; '${process.execPath}' '${bin}' net.onnx --target stm32h743 --budget 1; echo passed`;
    const { status, stdout } = run('sh', ['-c', script]);
    expect(status).toBe(1);
    expect(stdout).not.toContain('passed');
    expect(run('sh', ['-c', script.replace('--budget 1', '--budget 64')]).stdout).toContain('passed');
  });

  test('through a symlink, as npx and node_modules/.bin start it', () => {
    symlinkSync(bin, join(home, 'memplan'));
    expect(run(join(home, 'memplan'), [...job, '-q']).status).toBe(0);
    expect(run(join(home, 'memplan'), [...job, '-q', '--budget', '1']).status).toBe(1);
  });
});

describe('pipes', () => {
  test('a document beyond the size of a pipe arrives whole', () => {
    const { stdout } = shell('memplan targets --json | cat');
    expect(stdout.length).toBeGreaterThan(65536);
    expect(JSON.parse(stdout).targets.length).toBeGreaterThan(86);
  });

  test.each(['targets --json', '--help', 'net.onnx --target stm32h743', 'ops'])(
    'a reader that closes early does no harm: %s',
    (args) => {
      const { stdout, stderr } = shell(`memplan ${args} | head -c 5; echo " \${PIPESTATUS[0]}"`);
      expect(stdout).toMatch(/^.{1,5} ?0\n$/s);
      expect(stderr).not.toMatch(/EPIPE|^ +at /m);
    },
  );

  test('a pipe without a reader does not change the exit code', () => {
    const { stdout } = shell(`memplan ${job.join(' ')} --budget 1 2>&1 | true; echo "\${PIPESTATUS[0]}"`);
    expect(stdout).toBe('1\n');
  });

  test.skipIf(!existsSync('/dev/full'))('an output that cannot be written is said (needs /dev/full)', () => {
    const { status, stderr } = shell('memplan net.onnx --target stm32h743 -v >/dev/full');
    expect(status).toBe(2);
    expect(stderr).toContain('error E_WRITE: the output cannot be written (ENOSPC)\n');
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('colour in a pipe', () => {
  const coloured = (env: Record<string, string>) => {
    const { stdout, stderr } = run(process.execPath, [bin, ...job], env);
    return `${stdout}${stderr}`.includes('\u001b[');
  };
  test.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
  ])('%j', (env, expected) => {
    expect(coloured(env as Record<string, string>)).toBe(expected);
  });
});

test('Ctrl-C ends it as the shell expects, with nothing written', async () => {
  const out = join(home, 'interrupted');
  const child = spawn(process.execPath, [bin, 'solve', '/dev/stdin', '--out', join(out, 's.csv')], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  child.kill('SIGINT');
  // A shell reports 128 plus the number of the signal: 130.
  expect(await ended).toEqual({ code: null, signal: 'SIGINT' });
  expect(() => readdirSync(out)).toThrow();
});
