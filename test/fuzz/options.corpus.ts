/**
 * Random command lines never end in a fault of memplan itself: a plan that its own checker accepts when it is read back,
 * a gate, or a named error that leaves no file behind.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, emptyFolder } from '../cli/run.ts';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { createRandom } from '../support/random.ts';
import { commandLine, drawnOptions, type Names } from './command-lines.ts';

const ROUNDS = 40;
const SEEDS = Array.from({ length: 15 }, (_, i) => Number(process.env.MEMPLAN_SEED ?? 1) * 1000 + i);

const shared = corpus();
if (shared === undefined) {
  if (process.env.CI === 'true') throw new Error(CORPUS_MISSING);
  console.log(`random command lines are left out: ${CORPUS_MISSING}`);
}

const files =
  shared === undefined
    ? []
    : ['cases', 'models'].flatMap((kind) => {
        const folder = join(shared, 'data', kind);
        const found = readdirSync(folder).filter(
          (file) => file.endsWith('.onnx') && !/invalid|broken/.test(file),
        );
        return found.map((file) => join(folder, file));
      });

const NOTHING: Names = { tensors: [], inputs: [], steps: [] };
const known = new Map<string, Names>();

/** What the plan of the model alone names; nothing where it cannot be planned so. */
async function namesOf(model: string, folder: string): Promise<Names> {
  const before = known.get(model);
  if (before !== undefined) return before;
  const out = join(folder, 'names');
  await cli([model, '--target', 'cortex-a53', '--dim', '*=2', '--emit', 'json', '--out', out]);
  const path = join(out, 'plan.json');
  if (existsSync(path)) {
    const { tensors, steps, models } = JSON.parse(readFileSync(path, 'utf8'));
    known.set(model, {
      tensors: tensors.map(({ name }: { name: string }) => name),
      steps: steps.map(({ node }: { node: string }) => node),
      inputs: models[0].inputs,
    });
  }
  rmSync(out, { recursive: true, force: true });
  return known.get(model) ?? NOTHING;
}

test.runIf(shared !== undefined).each(SEEDS)('seed %i', async (seed) => {
  const random = createRandom(seed);
  const options = drawnOptions();
  const folder = emptyFolder();
  const faults: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const models = Array.from({ length: random(6) === 0 ? 2 : 1 }, () => files[random(files.length)]!);
    const args = [...models, ...commandLine(random, options, await namesOf(models[0]!, folder))];
    const out = join(folder, 'out');
    mkdirSync(out);
    const { code, stdout, stderr } = await cli([...args, '--out', out]);
    const said = stdout + stderr;
    const complain = (what: string, text = said) =>
      faults.push(
        `${what}: memplan ${args.map((arg) => JSON.stringify(arg)).join(' ')}\n${text.slice(0, 1000)}`,
      );
    if (/E_INTERNAL|^ {4}at /m.test(said)) complain('a fault of memplan');
    if (code === 2 && !/\bE_[A-Z_]+/.test(said)) complain('an error without a code');
    if (code === 2 && readdirSync(out).length > 0) complain('files beside an error');
    if (![0, 1, 2].includes(code)) complain(`exit code ${code}`);
    const plan = join(out, 'plan.json');
    if (code === 0 && existsSync(plan)) {
      const verified = await cli(['verify', plan]);
      if (verified.code !== 0) complain('its plan is refused', verified.stdout + verified.stderr);
    }
    rmSync(out, { recursive: true });
  }
  expect(faults).toEqual([]);
});
