/** The dependency file, as make and ninja read it. */
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { depfileText } from '../../src/emit/depfile.ts';
import { emptyFolder } from '../support/generated.ts';
import { missing, run } from '../support/tools.ts';

it('is one rule, and an empty one for each prerequisite', () => {
  expect(depfileText(['a.h', 'a.c'], ['my model.onnx', 'a$#.json', 'my model.onnx'])).toBe(
    'a.h a.c: \\\n  my\\ model.onnx \\\n  a$$\\#.json\n\nmy\\ model.onnx:\n\na$$\\#.json:\n',
  );
});

const MODEL = 'my model $1.onnx';

/** A folder whose build copies the model; `counts` says how often it ran. */
function project(files: Readonly<Record<string, string>>) {
  const dir = emptyFolder();
  const age = (name: string) => utimesSync(join(dir, name), 1000, 1000);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  writeFileSync(join(dir, MODEL), '');
  writeFileSync(join(dir, 'log'), '');
  age(MODEL);
  return { dir, runs: () => readFileSync(join(dir, 'log'), 'utf8').length };
}

const later = (path: string) => utimesSync(path, new Date(2040, 1), new Date(2040, 1));

describe.skipIf(missing('make', 'ninja') !== undefined)('in a build', () => {
  it.each([
    {
      tool: 'make',
      files: {
        Makefile: 'out.h:\n\tprintf x >> log\n\ttouch out.h\n-include out.d\n',
        'out.d': depfileText(['out.h'], [MODEL]),
      },
    },
    {
      tool: 'ninja',
      files: {
        'build.ninja':
          'rule plan\n  command = printf x >> log && touch out.h && cp kept out.d\n  depfile = out.d\nbuild out.h: plan\n',
        kept: depfileText(['out.h'], [MODEL]),
      },
    },
  ])('$tool runs once, again for a newer model, and again for a deleted one', async ({ tool, files }) => {
    const { dir, runs } = project(files);
    const build = async () => expect((await run(tool, [], dir)).status).toBe(0);
    await build();
    await build();
    expect(runs()).toBe(1);
    later(join(dir, MODEL));
    await build();
    expect(runs()).toBe(2);
    rmSync(join(dir, MODEL));
    await build();
    expect(runs()).toBe(3);
  });
});
