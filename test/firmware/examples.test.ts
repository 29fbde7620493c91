/** The example networks, planned for the board and walked on it: with every kind of sharing, with none, and by reference to the caller's inputs. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../../src/emit/render.ts';
import { writeFiles } from '../../src/emit/write.ts';
import { planModel } from '../../src/pipeline.ts';
import { type PlanRequest, REQUEST_DEFAULTS } from '../../src/plan/request.ts';
import { walkOnBoard, walkOnHost } from '../support/firmware.ts';
import { emptyFolder } from '../support/generated.ts';
import { missing } from '../support/tools.ts';

const BOARD = fileURLToPath(new URL('./board/mps2-an500.json', import.meta.url));

const WAYS: readonly (readonly [string, Partial<PlanRequest>])[] = [
  ['all sharing', {}],
  ['no sharing', { inPlace: false, views: false }],
  ['inputs kept', { preserveInputs: true }],
  ['inputs and outputs of the caller', { io: 'external' }],
];

/** float32 MobileNetV1 needs more than the internal memory. */
const EXAMPLES = ['kws', 'kws-int8', 'autoencoder', 'resnet8', 'mobilenet-v1-int8', 'mobilenet-v1'].map(
  (name) => ({
    name,
    file: fileURLToPath(new URL(`../../examples/${name}/${name}.onnx`, import.meta.url)),
    regions: name === 'mobilenet-v1' ? ['EXT'] : [],
  }),
);

/** A folder with the C of an example, its prefix that of the walk, and the number of its steps. */
function emitted(example: (typeof EXAMPLES)[number], way: Partial<PlanRequest>) {
  const { plan, target } = planModel({
    ...REQUEST_DEFAULTS,
    models: [example.file],
    target: BOARD,
    prefix: 'NET',
    regions: example.regions,
    ...way,
  });
  expect(plan.fits).toBe(true);
  const dir = emptyFolder();
  writeFiles(dir, renderFiles(plan, target));
  return { dir, steps: plan.steps.length };
}

it('the models are there', () => {
  expect(EXAMPLES.filter(({ file }) => !existsSync(file))).toEqual([]);
});

describe.skipIf(missing('arm-none-eabi-gcc', 'qemu-system-arm') !== undefined)('on a Cortex-M7', () => {
  it.each(EXAMPLES)('$name', async (example) => {
    const { dir, steps } = emitted(example, {});
    const { status, output } = await walkOnBoard(dir);
    expect(output).toBe(`steps ${steps}\nclobbered 0\n`);
    expect(status).toBe(0);
  });
});

describe.skipIf(missing('gcc') !== undefined).each(WAYS)('on the host, %s', (_, way) => {
  it.each(EXAMPLES.slice(0, 4))('$name', async (example) => {
    const { dir, steps } = emitted(example, way);
    const { status, output } = await walkOnHost(dir);
    expect(output).toBe(`steps ${steps}\nclobbered 0\n`);
    expect(status).toBe(0);
  });
});
