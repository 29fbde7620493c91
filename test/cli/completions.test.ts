/** The scripts are run by the shells they are for, where those are installed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/help.ts';
import { longFlag, optionsOf } from '../../src/cli/options.ts';
import { missing } from '../support/tools.ts';
import { cli, emptyFolder } from './run.ts';

const script = async (shell: string) => (await cli(['completions', shell])).stdout;

/** What is typed, and what must and must not be offered. */
const CASES: readonly [typed: string[], offered: string[], not: string[]][] = [
  [['--bud'], ['--budget'], ['--help']],
  [['net.onnx', '--no-v'], ['--no-views'], ['--no-elide']],
  [['solve', 'p.csv', '--cap'], ['--capacity'], []],
  [['solve', 'p.csv', '--tar'], [], ['--target']],
  [['net.onnx', '--io', ''], ['arena', 'external'], []],
  [['net.onnx', '--target', 'stm32h743'], ['stm32h743', 'stm32h743zi'], ['rp2040']],
  [['targets', 'rp20'], ['rp2040'], ['stm32h743']],
  [['completions', ''], ['bash', 'zsh', 'fish'], []],
  [['sol'], ['solve'], ['verify']],
  [['verify', 'mod'], ['models'], []],
  [['net.onnx', '--out', ''], ['models'], ['net.onnx']],
];

function folderWithFiles(): string {
  const folder = emptyFolder();
  mkdirSync(join(folder, 'models'));
  writeFileSync(join(folder, 'net.onnx'), '');
  return folder;
}

/** Compares without the slash or space that a shell adds, and without descriptions. */
function expectOffered(output: string, offered: readonly string[], not: readonly string[]): void {
  const words = output.split('\n').map((line) => line.split('\t')[0]!.replace(/[/ ]$/, ''));
  expect(words).toEqual(expect.arrayContaining([...offered]));
  for (const word of not) expect(words).not.toContain(word);
}

describe('bash', () => {
  test.each(CASES)('%j', async (typed, offered, not) => {
    const cwd = folderWithFiles();
    writeFileSync(join(cwd, 'script'), await script('bash'));
    const complete = `source ./script; COMP_WORDS=(memplan "$@"); COMP_CWORD=$#; _memplan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', complete, 'bash', ...typed], {
      cwd,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expectOffered(stdout, offered, not);
  });
});

describe('fish', () => {
  const absent = missing('fish');
  test.skipIf(absent !== undefined).each(CASES)('%j', async (typed, offered, not) => {
    const cwd = folderWithFiles();
    writeFileSync(join(cwd, 'script'), await script('fish'));
    const line = ['memplan', ...typed].join(' ');
    const { stdout, stderr } = spawnSync('fish', ['-c', `source ./script; complete -C '${line}'`], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, HOME: cwd },
    });
    expect(stderr).toBe('');
    expectOffered(stdout, offered, not);
  });
});

test('zsh reads it and takes it for memplan', async (context) => {
  const absent = missing('zsh');
  if (absent !== undefined) context.skip(absent);
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'script'), await script('zsh'));
  const register = 'autoload -Uz compinit; compinit -u -D; source ./script; print $_comps[memplan]';
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', register], { cwd, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '_memplan\n', stderr: '' });
});

test.each(['bash', 'zsh', 'fish'])('%s: every command and every option is there', async (shell) => {
  const text = await script(shell);
  for (const { name } of COMMANDS) expect(text).toContain(name);
  for (const row of optionsOf('plan').flatMap(({ rows }) => rows)) {
    const flag = longFlag(row).slice(2);
    const word = new RegExp(`(?:--|-l )${flag}(?![\\w-])`);
    expect(word.test(text), flag).toBe(true);
  }
});

test('another shell', async () => {
  const { code, stdout, stderr } = await cli(['completions', 'csh']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('memplan completions bash|zsh|fish');
});
