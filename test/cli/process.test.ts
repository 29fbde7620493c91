import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { model, node } from '../support/onnx.ts';
import { missing } from '../support/tools.ts';
import { install } from './installed.ts';

const job = ['net.onnx', '--target', 'stm32h743'];
let home = '';
let bin = '';

beforeAll(async () => {
  ({ home, bin } = await install());
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
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env;
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

describe.skipIf(missing('script') !== undefined)('on a terminal', () => {
  /** What `script` shows of a run on a terminal of its own, which does not know how wide it is. */
  const shown = (env: Readonly<Record<string, string>>, ...flags: string[]) => {
    const line = [process.execPath, bin, ...job, ...flags].map((word) => `'${word}'`).join(' ');
    const { status, stdout } = run('script', ['-qec', line, '/dev/null'], { TERM: 'xterm', ...env });
    return { status, stdout };
  };

  test.each([
    [{}, true],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
    [{ FORCE_COLOR: '0' }, false],
  ])('%j', (env, coloured) => {
    const { status, stdout } = shown(env as Record<string, string>);
    expect(status).toBe(0);
    expect(stdout.includes('\u001b[')).toBe(coloured);
    // Nothing is folded as if there were no room.
    expect(stripVTControlCharacters(stdout)).toContain(
      '  1 step in the order of the file, 2 tensors in 1 buffer\r\n',
    );
  });

  test('a gate that fails is exit code 1 there too', () => {
    expect(shown({}, '--budget', '1').status).toBe(1);
  });
});

test.each(['>&-', '2>&-', '<&-', '>&- 2>&- <&-'])('closed streams change no exit code: %s', (closed) => {
  const codes = [[], ['--budget', '1'], ['--wrong']].map((flags) => {
    const { stdout } = shell(
      `exec 9>&1; memplan ${[...job, ...flags].join(' ')} ${closed}; echo "code $?" >&9`,
    );
    return /code (\d+)\n$/.exec(stdout)?.[1];
  });
  expect(codes).toEqual(['0', '1', '2']);
});

test('Ctrl-C during a search: the shell sees 130, and nothing is written', () => {
  const folder = join(home, 'interrupted');
  mkdirSync(folder);
  // So many buffers over so many steps take one strategy half a minute.
  const rows = Array.from({ length: 60_000 }, (_, i) => {
    const first = (i * 7919) % 1000;
    return `b${i},${first},${first + 1 + ((i * 104_729) % 400)},${1 + ((i * 1299709) % 1000)}`;
  });
  writeFileSync(join(folder, 'large.csv'), `id,lower,upper,size\n${rows.join('\n')}\n`);
  // Job control, because a shell lets its background jobs ignore Ctrl-C otherwise.
  const line = `set -m; '${process.execPath}' '${bin}' solve large.csv --strategy size --out s.csv & sleep 1.5; kill -INT $!; wait $!; echo "code $?"`;
  const { stdout } = spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('code 130\n');
  expect(readdirSync(folder)).toEqual(['large.csv']);
});
