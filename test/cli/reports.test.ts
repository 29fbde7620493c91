/**
 * What every report prints, through the command line: in a pipe, and with colours, which change nothing else.
 * `npx vitest run test/cli/reports.test.ts -u` writes the goldens anew; look at what changed.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cli, emptyFolder } from './run.ts';

const root = join(import.meta.dirname, '../..');
const PROBLEM = 'id,lower,upper,size\na,0,2,80\nb,1,3,64\nc,2,4,96\nd,3,5,112\n';
const WRONG = 'id,lower,upper,size,offset\na,0,2,64,0\nb,1,3,64,32\n';
const JOB = ['kws.onnx', '--target', 'stm32h743'];
const INT8 = ['kws-int8.onnx', '--target', 'stm32f411re'];

/** By the name of the golden file: the command line, and how it ends. */
const REPORTS: Readonly<Record<string, readonly [argv: readonly string[], code: number]>> = {
  summary: [JOB, 0],
  map: [[...JOB, '--map'], 0],
  'map-several': [
    [
      'kws-int8.onnx',
      'kws.onnx',
      '--target',
      'stm32h743',
      '--map',
      '--run',
      'concurrent',
      '--weights',
      'hybrid',
    ],
    0,
  ],
  verbose: [[...INT8, '--verbose'], 0],
  'over-budget': [[...JOB, '--budget', '60K'], 1],
  growth: [[...JOB, '--preserve-inputs', '--baseline', 'old/plan.json', '--max-growth', '2%'], 1],
  diff: [['diff', 'old/plan.json', 'new/plan.json'], 0],
  verify: [['verify', 'old/plan.json'], 0],
  'verify-faults': [['verify', 'wrong.csv'], 1],
  solve: [['solve', 'problem.csv'], 0],
  'solve-too-small': [['solve', 'problem.csv', '--capacity', '100'], 1],
  'explain-tensor': [['explain', ...JOB, '--tensor', 'dw1'], 0],
  'explain-node': [['explain', ...JOB, '--node', 'dw1_conv'], 0],
  reuse: [['explain', ...INT8, '--reuse'], 0],
  shapes: [['shapes', 'kws-int8.onnx'], 0],
  target: [['targets', 'nrf52840'], 0],
  op: [['ops', 'Conv'], 0],
  sweep: [[...JOB, '--scale-input', '1,2'], 0],
  estimate: [[...JOB, '--assume', 'int8'], 0],
  github: [[...JOB, '--budget', '60K', '--report', 'github'], 1],
  usage: [[...JOB, '--aling', '4'], 2],
};

/** Files whose text is a report. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'plan.csv': [...JOB, '--emit', 'csv'],
  'plan.md': [...JOB, '--emit', 'md'],
  'diff.md': ['diff', 'old/plan.json', 'new/plan.json', '--emit', 'md'],
  'plan.trace.json': [...JOB, '--emit', 'trace'],
  'gl-code-quality-report.json': [...JOB, '--budget', '60K', '--report', 'gitlab'],
  'memplan-junit.xml': [...JOB, '--budget', '60K', '--report', 'junit'],
};

async function stage(): Promise<string> {
  const cwd = emptyFolder();
  cpSync(join(root, 'examples/kws/kws.onnx'), join(cwd, 'kws.onnx'));
  cpSync(join(root, 'examples/kws-int8/kws-int8.onnx'), join(cwd, 'kws-int8.onnx'));
  writeFileSync(join(cwd, 'problem.csv'), PROBLEM);
  writeFileSync(join(cwd, 'wrong.csv'), WRONG);
  await cli([...JOB, '--out', 'old', '--emit', 'json', '--quiet'], { cwd });
  await cli([...JOB, '--out', 'new', '--emit', 'json', '--preserve-inputs', '--quiet'], { cwd });
  return cwd;
}

const both = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
  `${stdout}${stderr === '' ? '' : `--- stderr ---\n${stderr}`}`;

describe.each(Object.entries(REPORTS))('%s', (name, [argv, code]) => {
  test('looks as it should, and colour changes nothing but colour', async () => {
    const cwd = await stage();
    const plain = await cli(argv, { cwd });
    expect(plain.code).toBe(code);
    const text = both(plain);
    expect(text).toBe(stripVTControlCharacters(text));
    for (const line of text.split('\n')) expect(line).toBe(line.trimEnd());
    await expect(text).toMatchFileSnapshot(`./golden/${name}.txt`);

    const coloured = both(await cli(argv, { cwd: await stage(), env: { FORCE_COLOR: '1' } }));
    expect(stripVTControlCharacters(coloured)).toBe(text);
    await expect(coloured).toMatchFileSnapshot(`./golden/${name}.colour.txt`);
  });
});

describe.each(Object.entries(FILES))('%s', (name, argv) => {
  test('looks as it should', async () => {
    const cwd = await stage();
    await cli(argv, { cwd });
    // The hash of a plan changes with each field that plans get.
    const text = readFileSync(join(cwd, name), 'utf8').replace(/\b[0-9a-f]{64}\b/g, '<hash>');
    await expect(text).toMatchFileSnapshot(`./golden/${name}`);
  });
});
