/** The makefiles that the first pages show, and the link step of docs/build.md: what a change builds anew, and what not. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../support/generated.ts';
import { dates, later } from '../support/projects.ts';
import { missing, run } from '../support/tools.ts';

const root = join(import.meta.dirname, '../..');

/** The block of a page that is a file. */
function shown(page: string, name: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  const after = text.split(`<!-- file: ${name} -->`)[1]!;
  return /```\w+\n(.*?)```/s.exec(after)![1]!;
}

describe.skipIf(missing('make', 'gcc') !== undefined)('makefiles of the pages', () => {
  it.each(['README.md', 'docs/start.md'])('%s', { timeout: 120_000 }, async (page) => {
    const dir = emptyFolder();
    const memplan = `'${process.execPath}' '${join(root, 'bin/memplan.js')}'`;
    // The command stands between apostrophes in the makefile, so it comes from a file.
    writeFileSync(join(dir, 'memplan.sh'), `exec ${memplan} "$@"\n`);
    writeFileSync(join(dir, 'Makefile'), shown(page, 'Makefile').replace('npx memplan', 'sh memplan.sh'));
    writeFileSync(join(dir, 'main.c'), shown(page, 'main.c'));
    copyFileSync(join(root, 'examples/kws/kws.onnx'), join(dir, 'model.onnx'));
    const make = (...more: string[]) => run('make', ['CC=gcc', ...more], dir);

    expect((await make()).output).toMatch(/-c main\.c/);
    const first = dates(dir);
    expect(first.size).toBe(5);
    expect((await make()).output).toMatch(/is up to date/);

    // A model that was touched is planned again; the C is the same, so nothing is compiled.
    later(join(dir, 'model.onnx'));
    const touched = await make();
    expect(touched.output).toMatch(/memplan\.sh/);
    expect(touched.output).not.toMatch(/ -c /);
    expect(dates(dir)).toEqual(first);
    expect((await make()).output).toMatch(/is up to date/);

    // Generated files that were deleted come back.
    for (const name of ['tensor_memory_pool.h', 'tensor_memory_pool.c']) {
      rmSync(join(dir, 'build', name));
      expect(await make()).toMatchObject({ status: 0 });
      expect(existsSync(join(dir, 'build', name))).toBe(true);
    }

    // Other options: the gate is asked at once, again until it holds, and not once the old options are back.
    if (!shown(page, 'Makefile').includes('BUDGET')) return;
    for (const _ of [1, 2]) {
      const { status, output } = await make('BUDGET=60K');
      expect(status).toBe(2);
      expect(output).toMatch(/E_OVER_BUDGET/);
    }
    expect((await make()).output).toMatch(/is up to date/);
    expect((await make('BUDGET=300K')).output).toMatch(/memplan\.sh/);
    expect((await make('BUDGET=300K')).output).toMatch(/is up to date/);
  });

  it('a firmware that fails its check is not up to date', async () => {
    const dir = emptyFolder();
    mkdirSync(join(dir, 'build'));
    const rule = shown('docs/build.md', 'link.mk').replace('npx memplan check-elf', 'false');
    writeFileSync(join(dir, 'Makefile'), `OBJECTS = main.o\n${rule}`);
    writeFileSync(join(dir, 'main.c'), 'int main(void)\n{\n    return 0;\n}\n');
    for (const _ of [1, 2]) expect(await run('make', ['CC=gcc'], dir)).toMatchObject({ status: 2 });
  });
});
