/** memplan shapes <model>: the shape of every tensor, as far as it is known. */
import { readModel } from '../../model/read.ts';
import { jsonText } from '../../report/json.ts';
import { shapeDocument, shapeText } from '../../report/shapes.ts';
import { inferShapes } from '../../shape/infer.ts';
import { type BindingOptions, parseBindings } from '../bindings.ts';
import { checkOptions } from '../check-options.ts';
import { configureOne } from '../config/configure.ts';
import type { Context } from '../context.ts';
import { faults } from '../faults.ts';
import type { Invocation } from '../program.ts';

export async function command(given: Invocation, context: Context): Promise<number> {
  const invocation = await configureOne(given, context.at);
  const found = faults();
  checkOptions(invocation, found);
  const bindings = parseBindings(invocation.options as BindingOptions, found);
  found.finish();
  const model = readModel(context.at(invocation.operands[0]!));
  const { graph, diagnostics } = inferShapes(model.graph, bindings, { allowOpen: true });
  const all = [...model.diagnostics, ...diagnostics];
  context.diagnose(all);
  const document = shapeDocument(model, graph);
  context.out(
    context.json
      ? jsonText({ ...document, diagnostics: all })
      : shapeText(document, context.outPaint, context.columns),
  );
  return 0;
}
