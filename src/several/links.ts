/** Whether the bytes of one tensor mean the same as those of another. */
import { type Diagnostic, diagnostic, MemplanError } from '../errors.ts';
import { formatShape } from '../graph/dims.ts';
import type { Fact, TypedGraph } from '../graph/types.ts';
import { tensorSizes } from '../lifetime/sizes.ts';
import type { Link, TensorAt } from './types.ts';

interface Side {
  readonly graph: TypedGraph;
  readonly layout: 'nchw' | 'nhwc';
}

/**
 * Throws E_RULE for links between tensors whose element types, sizes, quantisation or layout in memory differ, all
 * together. Axes of one element may come and go where channels are not last in memory.
 */
export function checkLinks(
  links: readonly Link[],
  models: readonly Side[],
  nameOf: (at: TensorAt) => string,
): void {
  const [first, ...others] = links.flatMap((link) => faultOf(link, models, nameOf));
  if (first !== undefined) throw new MemplanError([first, ...others]);
}

function faultOf(
  { from, to }: Link,
  models: readonly Side[],
  nameOf: (at: TensorAt) => string,
): Diagnostic[] {
  const sideOf = ({ model, tensor }: Link['from']) => {
    const { graph, layout } = models[model]!;
    const { fact, shape } = tensorSizes(graph, [tensor])[tensor]!;
    return { fact, shape, layout };
  };
  const [a, b] = [sideOf(from), sideOf(to)];
  const text = (side: typeof a) => `${side.fact.type}${formatShape(side.shape)}`;
  const why =
    a.fact.type !== b.fact.type || plainShape(a) !== plainShape(b)
      ? `the one is ${text(a)}, the other ${text(b)}`
      : !sameQuant(a.fact, b.fact)
        ? 'they are quantised with different scales or zero points'
        : a.layout !== b.layout && a.shape.length > 2
          ? `the one is laid out ${a.layout}, the other ${b.layout}`
          : undefined;
  if (why === undefined) return [];
  return [
    diagnostic('E_RULE', `--link ${nameOf(from)}=${nameOf(to)}: their bytes differ, ${why}.`, {
      tensor: models[to.model]!.graph.tensors[to.tensor]!.name,
      hint: 'Convert it between the two runs, without --link.',
    }),
  ];
}

function plainShape({ shape, layout }: { shape: readonly number[]; layout: string }): string {
  return (layout === 'nhwc' ? shape : shape.filter((size) => size !== 1)).join();
}

/** Unknown on one side says nothing. */
function sameQuant({ quant: a }: Fact, { quant: b }: Fact): boolean {
  return a === undefined || b === undefined || JSON.stringify(a) === JSON.stringify(b);
}
