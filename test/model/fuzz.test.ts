/** Damaged files: whatever bytes change, a model is read or refused, never more. Seeded; a failure prints its seed. */
import { expect, test } from 'vitest';
import { CORPUS_MISSING, corpus } from '../support/corpus.ts';
import { fuzz, smallModels } from '../support/mutate.ts';
import { float, graph, model, node, tensor } from '../support/onnx.ts';

test('hand-made models', () => {
  const branch = (op: string) => graph({ outputs: ['o'], nodes: [node(op, ['m', 'w'], ['o'])] });
  const rich = model({
    inputs: { c: ['bool', []], x: ['float32', ['N', null, -1]], s: { sequenceType: { elemType: {} } } },
    outputs: { y: ['float32', undefined] },
    valueInfo: { m: ['float32', [1, 2]] },
    initializers: {
      w: tensor('int64', [3], [1, 2, 3]),
      e: { ...tensor('float32', [4]), dataLocation: 1, externalData: [{ key: 'location', value: 'e.bin' }] },
    },
    opset: { '': 17, local: 1 },
    functions: [
      {
        name: 'F',
        inputs: ['a'],
        outputs: ['b'],
        defaults: { k: float(3) },
        overload: 'o',
        nodes: [node('Relu', ['a'], ['b'])],
      },
    ],
    nodes: [
      node('Constant', [], ['k'], { value_ints: [1, 2, 3] }),
      node('F', ['x'], ['m'], {}, { domain: 'local', overload: 'o', name: 'call' }),
      node('If', ['c'], ['y'], { then_branch: branch('Add'), else_branch: branch('Mul') }),
    ],
  });
  fuzz([['rich', rich]], 1500, 1000);
});

const folder = corpus();
if (folder === undefined) console.log(`part of test/model/fuzz.test.ts is skipped: ${CORPUS_MISSING}`);

test.skipIf(folder === undefined)('real models', () => {
  const small = smallModels(folder!);
  expect(small.length).toBeGreaterThan(80);
  fuzz(small, 1000, 5_000_000);
});
