/** Element types of less than a byte and of newer kinds: their true bytes, from the file to the C. */
import { describe, expect, it } from 'vitest';
import { renderFiles } from '../src/emit/render.ts';
import { numberOfType } from '../src/graph/data-types.ts';
import type { ElementType } from '../src/graph/element-type.ts';
import { planModel } from '../src/pipeline.ts';
import { parsePlan } from '../src/plan/read.ts';
import { jsonText } from '../src/report/json.ts';
import { model, node, tensor, writeTemp } from './support/onnx.ts';
import { requestOf } from './support/planned.ts';

/** Bytes of 15, 5 and 20 elements: from the bits of the type, rounded up to whole bytes per tensor (ONNX, onnx.proto). */
const TYPES: readonly (readonly [type: ElementType, of15: number, of5: number, of20: number])[] = [
  ['int2', 4, 2, 5],
  ['uint2', 4, 2, 5],
  ['int4', 8, 3, 10],
  ['uint4', 8, 3, 10],
  ['float4e2m1', 8, 3, 10],
  ['float8e4m3fn', 15, 5, 20],
  ['float8e4m3fnuz', 15, 5, 20],
  ['float8e5m2', 15, 5, 20],
  ['float8e5m2fnuz', 15, 5, 20],
  ['float8e8m0', 15, 5, 20],
  ['bfloat16', 30, 10, 40],
  ['float16', 30, 10, 40],
];

/** x [3,5] is joined with the constant w [1,5], turned, and shown as [20]. */
function planOf(type: ElementType, of5: number) {
  const w = { dataType: numberOfType(type), dims: [1, 5], rawData: new Uint8Array(of5) };
  const bytes = model({
    opset: 25,
    ir: 13,
    inputs: { x: [type, [3, 5]] },
    outputs: ['y'],
    initializers: { w, flat: tensor('int64', [1], [20]) },
    nodes: [
      node('Concat', ['x', 'w'], ['joined'], { axis: 0 }),
      node('Transpose', ['joined'], ['turned'], { perm: [1, 0] }),
      node('Reshape', ['turned', 'flat'], ['y']),
    ],
  });
  return planModel(requestOf({ models: [writeTemp(bytes)], align: 1 }));
}

describe.each(TYPES)('%s', (type, of15, of5, of20) => {
  const { plan, target } = planOf(type, of5);

  it('is counted by its bits, in tensors, constants and totals', () => {
    expect(plan.tensors.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['x', of15],
      ['joined', of20],
      ['turned', of20],
      ['y', of20],
    ]);
    expect(plan.constants.find(({ name }) => name === 'w')).toMatchObject({ type, bytes: of5 });
    expect(plan.totals).toMatchObject({ inputBytes: of15, outputBytes: of20, arenaBytes: 2 * of20 });
  });

  it('comes back from plan.json, and is named in the C with its size', () => {
    expect(parsePlan(jsonText(plan))).toEqual(plan);
    const files = renderFiles(plan, target);
    const header = files[0]!.text;
    expect(header).toContain(`x: ${type}[3,5], input`);
    expect(header).toMatch(new RegExp(`_T_x_SIZE ${of15}u?\\b`));
  });
});
