/** An input with several places: the runner reads the current one, whatever lies in the others, as onnxruntime does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFiles } from '../../src/emit/write.ts';
import { emptyFolder } from '../support/generated.ts';
import {
  differences,
  emitRunner,
  PROGRAMS,
  runOracle,
  SOURCES,
  STRICT,
  wrong,
} from '../support/inference.ts';
import { model, node, tensor } from '../support/onnx.ts';
import { hasOracle, ORACLE_MISSING } from '../support/oracle.ts';
import { missing, run } from '../support/tools.ts';

const RUNS = 6;
const oracle = hasOracle();

/** A view of the input, which moves along with it, and two readers of the input itself. */
const NET = model({
  opset: 13,
  inputs: { x: ['float32', [1, 4, 4]] },
  outputs: { y: ['float32', [1, 8]], m: ['float32', [1, 4, 4]] },
  initializers: {
    shape: tensor('int64', [2], [1, 16]),
    w: tensor(
      'float32',
      [16, 8],
      Array.from({ length: 128 }, (_, i) => Math.sin(i)),
    ),
  },
  nodes: [
    node('Reshape', ['x', 'shape'], ['flat'], {}, { name: 'flat' }),
    node('MatMul', ['flat', 'w'], ['p'], {}, { name: 'p' }),
    node('Softmax', ['p'], ['y'], {}, { name: 'y' }),
    node('Mul', ['x', 'x'], ['m'], {}, { name: 'm' }),
  ],
});

/** A DMA fills the next place while a run reads the current one: what lay there is gone, and what comes is not read yet. */
const PROGRAM = `#include <string.h>
#include "files.h"
#include "tensor_memory_pool_runner.h"

int main(void)
{
    for (int i = 0; i < RUNS; i++) {
        int status;
        if (!read_bytes(net_input_0_next(), NET_INPUT_0_SIZE)) { return 9; }
        net_input_0_swap();
        (void)memset(net_input_0_next(), i, NET_INPUT_0_SIZE);
        status = net_run();
        if (status != 0) { return status; }
        if (!write_bytes(net_output_0(), NET_OUTPUT_0_SIZE)) { return 9; }
        if (!write_bytes(net_output_1(), NET_OUTPUT_1_SIZE)) { return 9; }
    }
    return 0;
}
`;

describe.skipIf(!oracle || missing('gcc') !== undefined)(
  `beside onnxruntime${oracle ? '' : ` (${ORACLE_MISSING})`}`,
  () => {
    const ran = async (
      places: number,
      flags: readonly string[],
      weights: 'flash' | 'stage' = 'flash',
      change = (c: string) => c,
    ) => {
      const dir = emptyFolder();
      const path = join(dir, 'net.onnx');
      writeFileSync(path, NET);
      const emitted = emitRunner(dir, { models: [path], weights, buffers: new Map([['x', places]]) });
      const expected = runOracle(emitted, path, RUNS);
      writeFiles(dir, [{ name: 'main.c', text: change(PROGRAM) }]);
      const sanitize = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
      const args = [...STRICT, '-O1', ...sanitize, ...flags, `-DRUNS=${RUNS}`, '-I.', '-I', PROGRAMS];
      const files = [...SOURCES, 'main.c', join(PROGRAMS, 'files-host.c')];
      const built = await run('gcc', [...args, ...files, '-o', 'infer', '-lm'], dir);
      expect(built).toEqual({ status: 0, output: '' });
      expect(await run(join(dir, 'infer'), [], dir)).toMatchObject({ status: 0 });
      return wrong(differences(emitted, expected));
    };

    it.each([
      [2, [], 'flash'],
      [3, [], 'flash'],
      [2, ['-DNET_CHECK'], 'flash'],
      [2, ['-DNET_CHECK'], 'stage'],
    ] as const)('%i places %j, weights: %s', async (places, flags, weights) =>
      expect(await ran(places, flags, weights)).toEqual([]),
    );

    it('what is not made the current place is not read', async () => {
      expect(await ran(2, [], 'flash', (c) => c.replace('net_input_0_swap();', ''))).not.toEqual([]);
    });
  },
);
