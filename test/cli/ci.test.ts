/** What CI services are given: files of --report, the composite action and the pre-commit hooks, run as they run them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { model, node } from '../support/onnx.ts';
import { missing } from '../support/tools.ts';
import { install } from './installed.ts';
import { cli, emptyFolder } from './run.ts';

const root = join(import.meta.dirname, '../..');

/** Softmax needs its operand and its result: 128 bytes. */
const SMALL = model({
  inputs: { x: ['float32', [1, 16]] },
  outputs: { y: ['float32', [1, 16]] },
  nodes: [node('Softmax', ['x'], ['y'])],
});

let cwd = '';
beforeEach(() => {
  cwd = emptyFolder();
  writeFileSync(join(cwd, 'a & b.onnx'), SMALL);
});
const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
const run = (...argv: string[]) => cli(['a & b.onnx', '--target', 'stm32h743', ...argv], { cwd });

describe('--report junit', () => {
  /** Numbers that xmllint computes, which also says whether the file is well-formed. */
  const xpath = (expression: string) => {
    const { status, stdout, stderr } = spawnSync('xmllint', ['--xpath', expression, 'memplan-junit.xml'], {
      cwd,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trim();
  };
  const absent = missing('xmllint');

  test.skipIf(absent !== undefined)('a case for each gate; those that fail say why', async () => {
    await run('--emit', 'json', '--out', 'old', '--no-config');
    const flags = ['--budget', '100', '--baseline', 'old/plan.json', '--check', '--emit', 'json'];
    const { code, stdout } = await run('--report', 'junit', ...flags);
    expect(code).toBe(1);
    expect(stdout).toContain('  written    memplan-junit.xml\n');
    expect(xpath('string(//testsuite/@name)')).toBe('a & b.onnx on stm32h743');
    expect(xpath('count(//testcase)')).toBe('5');
    expect(xpath('concat(//testsuite/@tests, " ", //testsuite/@failures, " ", //testsuite/@errors)')).toBe(
      '5 2 0',
    );
    expect(xpath('string(//testcase[failure][1]/@name)')).toBe('stays within the budget of 100');
    expect(xpath('string(//testcase[failure][2]/failure/@type)')).toBe('E_STALE');
    expect(xpath('string(//failure)')).toContain('28 over the budget of 100');
    expect(xpath('string(//system-out)')).toContain('lower bound');
  });

  test.skipIf(absent !== undefined)('a model that cannot be planned is an error', async () => {
    writeFileSync(join(cwd, 'a & b.onnx'), 'no model');
    const { code } = await run('--report', 'junit');
    expect(code).toBe(2);
    expect(xpath('concat(//testsuites/@tests, " ", //testsuites/@failures, " ", //testsuites/@errors)')).toBe(
      '1 0 1',
    );
    expect(xpath('string(//error/@type)')).toBe('E_NOT_ONNX');
    // The same suite as when it can be planned.
    expect(xpath('string(//testsuite/@name)')).toBe('a & b.onnx on stm32h743');
  });

  test('to a file of one’s own, also when all is well and nothing is said', async () => {
    expect(await run('--report', 'junit=out/r.xml', '-q')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(text('out/r.xml')).toContain('tests="2" failures="0" errors="0"');
  });
});

describe('--report gitlab', () => {
  const issues = (name = 'gl-code-quality-report.json') => JSON.parse(text(name));

  test('an issue for each message, with what the format asks for', async () => {
    const { code } = await run('--report', 'gitlab', '--budget', '100');
    expect(code).toBe(1);
    const found = issues();
    expect(found[0].check_name).toBe('memplan/E_OVER_BUDGET');
    for (const issue of found) {
      expect(issue).toEqual({
        description: expect.any(String),
        check_name: expect.any(String),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: expect.stringMatching(/^(info|minor|critical)$/),
        location: { path: 'a & b.onnx', lines: { begin: 1 } },
      });
    }
    expect(found[0]).toMatchObject({ severity: 'critical' });
    expect(found[0].description).toContain('28 over the budget of 100');
  });

  test('fingerprints tell issues apart, and are the same when only numbers change', async () => {
    await run('--report', 'gitlab=one.json', '--budget', '100');
    await run('--report', 'gitlab=two.json', '--budget', '90');
    const prints = (name: string) =>
      issues(name).map(({ fingerprint }: { fingerprint: string }) => fingerprint);
    expect(prints('two.json')).toEqual(prints('one.json'));
    expect(new Set(prints('one.json')).size).toBe(prints('one.json').length);
  });

  test('what cannot be planned is an issue too', async () => {
    const { code } = await run('--report', 'gitlab', '--input-shape', 'z:1');
    expect(code).toBe(2);
    expect(issues()).toMatchObject([{ check_name: 'memplan/E_BINDING', severity: 'critical' }]);
  });
});

test('--report github names the model that cannot be planned', async () => {
  writeFileSync(join(cwd, 'a & b.onnx'), 'no model');
  const { code, stdout, stderr } = await run('--report', 'github', '--json');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^::error file=a & b\.onnx,title=memplan E_NOT_ONNX::/);
  expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'E_NOT_ONNX' }]);
});

test('a first run without a baseline says how to make one', async () => {
  const { code, stderr } = await run('--baseline', 'nope/plan.json', '--no-config');
  expect(code).toBe(2);
  expect(stderr).toMatch(/E_FILE: .*plan\.json: there is no such file/);
  expect(stderr).toContain('memplan a & b.onnx --target stm32h743 --emit json --out nope');
  const diff = await cli(['diff', 'old.json', 'new.json'], { cwd });
  expect(diff.stderr).toContain('--emit json --out DIR writes DIR/plan.json');
});

describe('as a process', () => {
  let home = '';
  let bin = '';
  beforeAll(async () => {
    ({ home, bin } = await install());
  }, 60_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** A folder with programs of that name that run memplan; npx also writes down how it was called. */
  function programs(): string {
    const folder = join(cwd, 'programs');
    mkdirSync(folder);
    const memplan = `exec '${process.execPath}' '${bin}' "$@"\n`;
    const files = {
      memplan: `#!/bin/sh\n${memplan}`,
      npx: `#!/bin/sh\nprintf '%s\\n' "$@" > npx.log\nshift 2\n${memplan}`,
    };
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), content);
      chmodSync(join(folder, name), 0o755);
    }
    return folder;
  }

  describe('action.yml', () => {
    const action = readFileSync(join(root, 'action.yml'), 'utf8');
    const lines = action.split('\n');
    /** Defaults by input, and by variable the input that it takes: the file keeps to one form. */
    const defaults = Object.fromEntries(
      [...action.matchAll(/^ {2}([\w-]+):\n {4}description: .*\n {4}default: '?(.*?)'?$/gm)].map((m) => [
        m[1]!,
        m[2]!,
      ]),
    );
    const variables = [...action.matchAll(/^ +(MEMPLAN_\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)];
    const start = lines.findIndex((line) => line.trim() === 'run: |') + 1;
    const indent = lines[start]!.length - lines[start]!.trimStart().length;
    const shell = lines
      .slice(start)
      .map((line) => line.slice(indent))
      .join('\n');

    function runAction(inputs: Readonly<Record<string, string>>) {
      for (const name of Object.keys(inputs)) expect(Object.keys(defaults)).toContain(name);
      const env: Record<string, string> = {
        ...(process.env as Record<string, string>),
        PATH: `${programs()}:${process.env.PATH}`,
        GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      };
      for (const [, variable, input] of variables) env[variable!] = inputs[input!] ?? defaults[input!]!;
      writeFileSync(join(cwd, 'step.sh'), shell);
      // As the runner starts `shell: bash`.
      const options = ['--noprofile', '--norc', '-eo', 'pipefail', 'step.sh'];
      const { status, stderr } = spawnSync('bash', options, { cwd, env, encoding: 'utf8' });
      return { status, stderr, called: text('npx.log').trim().split('\n') };
    }

    test('every input reaches the step, and the script takes none but through variables', () => {
      const used = variables.map(([, , input]) => input);
      expect([...used, 'working-directory'].sort()).toEqual(Object.keys(defaults).sort());
      expect(shell).not.toContain('${{');
      expect(action).toContain('using: composite');
    });

    test('a plan that fits: the C, annotations and the summary with the map', () => {
      const inputs = { models: 'a & b.onnx', target: 'stm32h743', budget: '1K', args: '--out\ngen dir' };
      const { status, stderr, called } = runAction(inputs);
      expect({ status, called: called.slice(0, 2) }).toEqual({ status: 0, called: ['--yes', 'memplan'] });
      expect(existsSync(join(cwd, 'gen dir/tensor_memory_pool.h'))).toBe(true);
      expect(stderr).toMatch(/^::warning file=a & b\.onnx,title=memplan W_SCRATCH::/m);
      expect(text('summary.md')).toContain('map of AXISRAM: 128 bytes');
    });

    test('a budget it cannot meet fails the step', () => {
      const inputs = { models: 'a & b.onnx', target: 'stm32h743', budget: '100', version: '1.2.3' };
      const { status, stderr, called } = runAction(inputs);
      expect(status).toBe(1);
      expect(called[1]).toBe('memplan@1.2.3');
      expect(stderr).toMatch(/^::error file=a & b\.onnx,title=memplan E_OVER_BUDGET::/m);
      expect(text('summary.md')).toContain('**E_OVER_BUDGET**');
    });

    test('stale files fail the step, and a growth that is allowed does not', () => {
      const inputs = { models: 'a & b.onnx', target: 'stm32h743', check: 'true' };
      expect(runAction(inputs)).toMatchObject({ status: 1, stderr: expect.stringContaining('E_STALE') });
      expect(existsSync(join(cwd, 'tensor_memory_pool.h'))).toBe(false);
    });

    test('models and settings of a configuration', () => {
      const config = { target: 'stm32h743', models: ['a & b.onnx'] };
      writeFileSync(join(cwd, 'memplan.config.json'), JSON.stringify(config));
      expect(runAction({}).status).toBe(0);
      expect(existsSync(join(cwd, 'tensor_memory_pool.c'))).toBe(true);
    });
  });

  describe('.pre-commit-hooks.yaml', () => {
    const hooks = readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')
      .split(/^- /m)
      .slice(1)
      .map((entry) =>
        Object.fromEntries([...entry.matchAll(/^ *([a-z_]+): (.*)$/gm)].map((m) => [m[1]!, m[2]!])),
      );

    /** pre-commit splits the entry at spaces, puts its environment on the PATH, and runs it in the repository. */
    function runHook(id: string) {
      const hook = hooks.find((entry) => entry.id === id)!;
      const [program = '', ...args] = hook.entry!.split(' ');
      const env = { ...process.env, PATH: `${join(cwd, 'programs')}:${process.env.PATH}` };
      return spawnSync(program, args, { cwd, env, encoding: 'utf8' }).status;
    }

    test('each hook has what pre-commit asks for, and runs when a model or its files change', () => {
      expect(hooks.map(({ id }) => id)).toEqual(['memplan-check', 'memplan']);
      for (const { name, language, entry, pass_filenames: names, files } of hooks) {
        expect({ language, names }).toEqual({ language: 'node', names: 'false' });
        expect(name && entry).toBeTruthy();
        const pattern = new RegExp(files!.slice(1, -1));
        for (const path of ['m/a.onnx', 'gen/kws.h', 'memplan.config.json', 'a.onnx.data']) {
          expect(path).toMatch(pattern);
        }
        for (const path of ['a.onnx.txt', 'README.md', 'a.cpp']) expect(path).not.toMatch(pattern);
      }
    });

    test('check fails on stale files, and the other brings them up to date', () => {
      programs();
      const config = { target: 'stm32h743', models: ['a & b.onnx'] };
      writeFileSync(join(cwd, 'memplan.config.json'), JSON.stringify(config));
      expect(runHook('memplan-check')).toBe(1);
      expect(runHook('memplan')).toBe(0);
      expect(runHook('memplan-check')).toBe(0);
      writeFileSync(join(cwd, 'tensor_memory_pool.h'), 'edited by hand');
      expect(runHook('memplan-check')).toBe(1);
    });

    test('both fail when the model no longer fits', () => {
      programs();
      const config = { target: 'stm32h743', budget: 100, models: ['a & b.onnx'] };
      writeFileSync(join(cwd, 'memplan.config.json'), JSON.stringify(config));
      expect([runHook('memplan-check'), runHook('memplan')]).toEqual([1, 1]);
    });
  });
});
