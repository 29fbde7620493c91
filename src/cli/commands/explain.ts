/** memplan explain <model>: why a tensor lies where it lies, what a node has in memory, or what reuse is worth. */
import { diagnostic, fail } from '../../errors.ts';
import { readModel } from '../../model/read.ts';
import { planModel } from '../../pipeline.ts';
import { explainNode, explainTensor } from '../../report/explain.ts';
import { nodeText, tensorText, weightText } from '../../report/explain-text.ts';
import { explainWeight } from '../../report/explain-weight.ts';
import { jsonText } from '../../report/json.ts';
import { checkOptions } from '../check-options.ts';
import { configureOne } from '../config/configure.ts';
import type { Context } from '../context.ts';
import { faults } from '../faults.ts';
import type { Invocation } from '../program.ts';
import { readRequest } from '../request.ts';

interface ExplainOptions {
  readonly tensor?: string;
  readonly node?: string;
  readonly reuse?: boolean;
}

export async function command(given: Invocation, context: Context): Promise<number> {
  const invocation = await configureOne(given, context.at);
  const { tensor, node, reuse }: ExplainOptions = invocation.options;
  const found = faults();
  checkOptions(invocation, found);
  if ([tensor, node, reuse].filter((asked) => asked !== undefined).length !== 1) {
    const hint = '--tensor conv1/out, or --node conv1, or --node #3, or --reuse';
    found.add(
      diagnostic('E_USAGE', 'say which tensor or which node to explain, or ask for --reuse', { hint }),
    );
  }
  const request = readRequest(invocation.operands, invocation.options, context.at, found);
  found.finish();
  if (reuse === true) return (await import('../reuse.ts')).tellReuse(request, invocation.operands, context);
  const { plan, laid } = planModel(request);
  const { outPaint, columns, json } = context;
  if (tensor !== undefined) {
    const weight = explainWeight(plan, laid, tensor);
    if (weight !== undefined) {
      context.out(json ? jsonText(weight) : weightText(weight, outPaint, columns));
      return 0;
    }
    const explanation = explainTensor(plan, tensor);
    context.out(json ? jsonText(explanation) : tensorText(explanation, outPaint, columns));
  } else {
    const explanation = explainNode(plan, labelOf(node!, request.models));
    context.out(json ? jsonText(explanation) : nodeText(explanation, outPaint, columns));
  }
  return 0;
}

/** `#3` is the node at that place in the file of a single model; everything else is a name. */
function labelOf(node: string, [model = '', ...others]: readonly string[]): string {
  const index = /^#(\d+)$/.exec(node)?.[1];
  if (index === undefined || others.length > 0) return node;
  const found = readModel(model).graph.nodes.find((n) => n.index === Number(index));
  return (
    found?.label ?? fail('E_USAGE', `the model has no node ${node}`, { hint: 'nodes are counted from #0' })
  );
}
