/** The graph as it would be once quantised: float tensors of one byte per element (`--assume int8`). */
import type { ElementType } from '../graph/element-type.ts';
import type { Fact, Node, Tensor, TypedGraph } from '../graph/types.ts';
import { withValue } from '../ops/values.ts';

const FLOATS: ReadonlySet<ElementType> = new Set(['float16', 'bfloat16', 'float32', 'float64']);

/** Where operators have a bias: a quantiser gives it the width of the accumulators. */
const BIAS: Readonly<Record<string, number>> = {
  Conv: 2,
  ConvTranspose: 2,
  DeformConv: 3,
  FusedConv: 2,
  FusedGemm: 2,
  GRU: 3,
  Gemm: 2,
  LSTM: 3,
  MatMul: 2,
  NhwcConv: 2,
  NhwcFusedConv: 2,
  RNN: 3,
};

/**
 * Every float tensor becomes int8, graph inputs and outputs too; a constant that is a bias becomes int32. Shapes,
 * nodes and everything that is no float stay. An estimate: which tensors a quantiser leaves in float is its own affair.
 */
export function assumeInt8(graph: TypedGraph): TypedGraph {
  const biases = biasesOf(graph);
  const typeOf = (tensor: number): ElementType => (biases.has(tensor) ? 'int32' : 'int8');
  const isFloat = (type: ElementType | undefined): boolean => type !== undefined && FLOATS.has(type);
  return {
    ...graph,
    facts: graph.facts.map((fact, tensor): Fact | undefined =>
      fact !== undefined && isFloat(fact.type)
        ? withValue({ ...fact, type: typeOf(tensor) }, () => fact.value)
        : fact,
    ),
    tensors: graph.tensors.map((tensor, index): Tensor => {
      const { constant } = tensor;
      if (constant === undefined || !isFloat(constant.type)) return tensor;
      return {
        ...tensor,
        constant: { ...constant, type: typeOf(index), place: undefined, value: () => undefined },
      };
    }),
  };
}

/** Tensors that some node adds as its bias, and that do not come out of another. */
function biasesOf(graph: TypedGraph): ReadonlySet<number> {
  const biases = new Set<number>();
  const written = new Set<number>();
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      const position = BIAS[node.op];
      const bias = position === undefined ? undefined : node.inputs[position];
      if (bias !== undefined) biases.add(bias);
      if (!graph.folded.has(node)) {
        for (const output of node.outputs) if (output !== undefined) written.add(output);
      }
      for (const body of node.bodies) {
        for (const input of body.inputs) written.add(input);
        visit(body.nodes);
      }
    }
  };
  visit(graph.nodes);
  for (const input of graph.inputs) if (graph.tensors[input]!.constant === undefined) written.add(input);
  return new Set([...biases].filter((tensor) => !written.has(tensor)));
}
