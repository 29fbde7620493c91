/** The example projects build right with make, ninja and CMake: when something changes, and not when nothing does. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dates, FILES, later, project, SYSTEMS, writeModel } from '../support/projects.ts';
import { missing } from '../support/tools.ts';

describe.skipIf(missing('make', 'ninja', 'cmake', 'gcc') !== undefined)('projects', () => {
  it.each(SYSTEMS)('$name', { timeout: 300_000 }, async (system) => {
    const { dir, build, generated } = await project(system);
    const header = generated('tensor_memory_pool.h');
    const size = () => /KWS_INPUT_0_SIZE KWS_T_input_SIZE/.test(readFileSync(header, 'utf8'));
    const bytes = () => Number(/KWS_T_input_SIZE (\d+)u/.exec(readFileSync(header, 'utf8'))![1]);

    await build();
    expect(size()).toBe(true);
    expect(bytes()).toBe(64);

    // Nothing changed: nothing is touched, and no loop.
    const first = dates(dir);
    expect(first.size).toBeGreaterThanOrEqual(5);
    const again = await build();
    expect(dates(dir)).toEqual(first);
    expect(again.output).not.toMatch(/Planning|plan my|memplan\.js/);

    // Something that a build looks at changed, and the C did not: no object is built anew.
    later(join(dir, FILES.chip));
    await build();
    expect(dates(dir)).toEqual(first);

    // The model.
    writeModel(dir, 32);
    later(join(dir, FILES.model));
    await build();
    expect(bytes()).toBe(128);

    // The file with its weights: the build comes by the plan again.
    later(join(dir, FILES.weights));
    const planned = await build();
    expect(planned.output).toMatch(/Planning|plan my|memplan\.js/);

    // The target file.
    const chip = join(dir, FILES.chip);
    writeFileSync(chip, readFileSync(chip, 'utf8').replace('512K', '256K'));
    later(chip);
    await build();
    expect(readFileSync(header, 'utf8')).toMatch(/_CAPACITY 262144u/);

    // A template.
    writeFileSync(join(dir, FILES.template), 'of {{P}}');
    later(join(dir, FILES.template));
    await build();
    expect(readFileSync(generated('tensors.txt'), 'utf8')).toBe('of KWS');

    // A header that was deleted comes back.
    rmSync(header);
    await build();
    expect(bytes()).toBe(128);

    // A dependency that was deleted is missed, not skipped over: memplan warns and plans on.
    rmSync(join(dir, FILES.weights));
    const warned = await build();
    expect(warned.output).toMatch(/Planning|plan my|memplan\.js/);
    expect(bytes()).toBe(128);
  });
});
