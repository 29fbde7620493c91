/** scripts/release.mjs in a repository of its own: what it refuses, and what it changes. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
let folder = '';

function run(program: string, ...args: string[]) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
  return { status, output: stdout + stderr };
}

const release = (...args: string[]) => run(process.execPath, 'scripts/release.mjs', ...args, '--no-checks');
const git = (...args: string[]) => run('git', ...args).output.trim();
const text = (file: string) => readFileSync(join(folder, file), 'utf8');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'memplan-release-'));
  for (const file of [
    'package.json',
    'package-lock.json',
    'README.md',
    'docs/ci.md',
    'scripts/release.mjs',
  ]) {
    cpSync(join(root, file), join(folder, file));
  }
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 9.8.7 (not released)\n\n- New.\n');
  git('init', '--quiet');
  git('config', 'user.name', 'nobody');
  git('config', 'user.email', 'nobody@localhost');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [[], 'usage: '],
  [['1.2'], 'usage: '],
  [['9.8.7', '--date', 'today'], 'no date'],
  [['9.8.6'], 'CHANGELOG.md has no section "## 9.8.6 (not released)"'],
])('refuses %j', (args, reason) => {
  const { status, output } = release(...args);
  expect(status).toBe(2);
  expect(output).toContain(reason);
});

test('refuses what is not committed', () => {
  writeFileSync(join(folder, 'stray'), '');
  expect(release('9.8.7')).toMatchObject({ status: 2, output: expect.stringContaining('not committed') });
  rmSync(join(folder, 'stray'));
});

test('sets the version everywhere, dates the changelog, commits and tags, once', () => {
  const { status, output } = release('9.8.7', '--date', '2026-12-01');
  expect(status, output).toBe(0);
  expect(JSON.parse(text('package.json')).version).toBe('9.8.7');
  expect(JSON.parse(text('package-lock.json')).version).toBe('9.8.7');
  expect(text('CHANGELOG.md')).toContain('## 9.8.7 (2026-12-01)\n');
  expect(text('README.md')).toContain('memplan-9.8.7.tgz');
  expect(text('docs/ci.md')).toContain('rev: v9.8.7');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s %D')).toMatch(/^Release 9\.8\.7 .*tag: v9\.8\.7/);
  expect(release('9.8.7')).toMatchObject({
    status: 2,
    output: expect.stringContaining('released already'),
  });
});
