/** LSTM and GRU, float32, with the standard activations. */
import { address, call, onlyFloat, structure } from '../arguments.ts';
import type { Argument, Call, Lowerings, Operand, RunnerNode, Table } from '../types.ts';

/** Refuses what the kernels do not do. */
function checkStandard(n: RunnerNode, x: Operand, activations: readonly string[]): void {
  const directions = n.c.string('direction', 'forward') === 'bidirectional' ? 2 : 1;
  const given = n.c.strings('activations') ?? [];
  const standard = Array.from({ length: directions }, () => activations).flat();
  if (given.length > 0 && given.some((name, i) => name.toLowerCase() !== standard[i]))
    n.refuse(`for the activations ${given.join(', ')}`);
  if (n.c.has('clip')) n.refuse('for clip');
  if (n.c.int('layout', 0) !== 0) n.refuse('for the batch in front (layout 1)');
  if (n.c.int('input_forget', 0) !== 0) n.refuse('for coupled gates (input_forget)');
  const lengths = n.constant(4);
  if (lengths?.some((length) => length !== x.shape[0])) n.refuse('for sequences of different lengths');
}

function recurrentTable(n: RunnerNode, x: Operand, hidden: number, linear: number): Table {
  const direction = n.c.string('direction', 'forward');
  const [steps, batch, input] = x.shape as [number, number, number];
  const directions = direction === 'bidirectional' ? 2 : 1;
  const fields = [steps, batch, input, hidden, directions, direction === 'reverse' ? 1 : 0, linear];
  return structure('recurrent', fields.map(String));
}

function lstm(n: RunnerNode): readonly Call[] {
  const [x, w, r] = [n.input(0), n.input(1), n.input(2)];
  const [bias, h, c, peephole] = [3, 5, 6, 7].map((position) => n.optional(position));
  const [y, hEnd, cEnd] = [0, 1, 2].map((position) => n.optionalOutput(position));
  onlyFloat(n, x, w, r, bias);
  checkStandard(n, x, ['sigmoid', 'tanh', 'tanh']);
  const hidden = r.shape[2]!;
  const operands = [x, w, r, bias, peephole, h, c, y, hEnd, cEnd].map((operand) => address(operand));
  return [call('lstm', 'lstm_f32', ...operands, scratch(hidden), recurrentTable(n, x, hidden, 0))];
}

function gru(n: RunnerNode): readonly Call[] {
  const [x, w, r] = [n.input(0), n.input(1), n.input(2)];
  const [bias, h] = [3, 5].map((position) => n.optional(position));
  const [y, hEnd] = [0, 1].map((position) => n.optionalOutput(position));
  onlyFloat(n, x, w, r, bias);
  checkStandard(n, x, ['sigmoid', 'tanh']);
  const hidden = r.shape[2]!;
  const linear = n.c.int('linear_before_reset', 0) !== 0 ? 1 : 0;
  const operands = [x, w, r, bias, h, y, hEnd].map((operand) => address(operand));
  return [call('gru', 'gru_f32', ...operands, scratch(hidden), recurrentTable(n, x, hidden, linear))];
}

/** Three vectors of a layer's units. */
function scratch(hidden: number): Argument {
  return { kind: 'scratch', bytes: 3 * hidden * Float32Array.BYTES_PER_ELEMENT };
}

export const lowerings: Lowerings = {
  LSTM: { lower: lstm },
  GRU: { lower: gru },
};
