/** Operators on quantised integers that are neither products nor functions of one element: pools, reductions, moves. */
import { QDQ_DOMAIN } from '../../kernels/integer-form.ts';
import { address, call, integer, numbers, real, realText, structure, suffix } from '../arguments.ts';
import { broadcast, gridText } from '../grid.ts';
import type { Call, Lowering, Lowerings, RunnerNode } from '../types.ts';
import { fillBytes, padded } from './move.ts';
import { BYTES, biasOf, parameters, productKernel, type Quantisation, requantTable } from './quantized.ts';
import { reductionTable, softmaxAxis } from './reduce.ts';
import { resized } from './resize.ts';
import { byteTable, storedByte } from './unary.ts';
import { kernelShape, poolText, transposedTable, windowOf } from './window.ts';

const { fround } = Math;

/** Tensor, scale, zero point of data; of weights; of the result; bias. */
function convTranspose(n: RunnerNode): readonly Call[] {
  const [x, w, y] = [n.input(0), n.input(3), n.output(0)];
  const kernel = productKernel(n, 'qconv_transpose', x, w);
  const requant = requantTable(n, parameters(n, 1, 2), parameters(n, 4, 5), parameters(n, 6, 7));
  const biases = biasOf(n, n.optional(8), w.shape[1]! * n.c.int('group', 1));
  const table = transposedTable(n, x, w, y);
  return [call('qconv_transpose', kernel, address(x), address(w), biases, address(y), table, requant)];
}

/**
 * A mean is divided by the number of elements before it is scaled, so that ties stay ties. com.microsoft adds the zero
 * point before it rounds, QuantizeLinear after that, which decides where ties to even go.
 */
function averagePool(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const name = `qaverage_pool_${suffix(n, x, BYTES)}`;
  if (n.c.int('channels_last', 0) !== 0) n.refuse('for channels in the last axis');
  const [qx, qy] = [parameters(n, 1, 2), parameters(n, 3, 4)];
  const counted = n.c.int('count_include_pad', 0) !== 0;
  const pool = `{${poolText(x, windowOf(n, kernelShape(n), x, y), counted).join(', ')}}`;
  const [fixed, zero] = n.c.int('rounds_first', 0) !== 0 ? [0, qy.zero] : [qy.zero, 0];
  const scale = realText(fround(qx.scale / qy.scale));
  const table = structure('qpooling', [pool, String(qx.zero), String(zero), scale, realText(fixed)]);
  return [call('pool', name, address(x), address(y), table)];
}

/** QLinearReduceMean has its axes as an attribute, an operator between QuantizeLinears behind the other inputs. */
function reduceMean(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const [qx, qy] = [parameters(n, 1, 2), parameters(n, 3, 4)];
  const scales = [integer(qx.zero), real(qx.scale / qy.scale), integer(qy.zero)];
  const name = `reduce_qmean_${suffix(n, x, BYTES)}`;
  return [call('qreduce', name, address(x), address(y), reductionTable(n, x, 5), ...scales)];
}

function logSoftmax(n: RunnerNode): readonly Call[] {
  const [x, y] = [n.input(0), n.output(0)];
  const [from, to] = [parameters(n, 1, 2), parameters(n, 3, 4)];
  const scales = [real(from.scale), real(to.scale), integer(to.zero)];
  const name = `qlog_softmax_${suffix(n, x, BYTES)}`;
  return [call('softmax', name, address(x), address(y), softmaxAxis(n, x, n.c.opset), ...scales)];
}

function preluFactors(x: Quantisation, slope: Quantisation, y: Quantisation): readonly string[] {
  const factors = [fround(x.scale / y.scale), slope.scale, y.zero];
  return [String(x.zero), String(slope.zero), ...factors.map(realText)];
}

const prelu: Lowering = {
  inPlace: [0],
  lower(n) {
    const [x, slope, y] = [n.input(0), n.input(3), n.output(0)];
    const factors = preluFactors(parameters(n, 1, 2), parameters(n, 4, 5), parameters(n, 6, 7));
    const table = structure('qpair', [gridText(n, broadcast(n, y, x, slope)), ...factors]);
    const name = `qprelu_${suffix(n, y, BYTES)}`;
    if (slope.type !== y.type) n.refuse(`for slopes of ${slope.type}`);
    return [call('qelementwise', name, address(x), address(slope), address(y), table)];
  },
};

/** Each operand is brought to the scale of the result by a table. */
const where: Lowering = {
  inPlace: [1, 4],
  lower(n) {
    const [condition, a, b, y] = [n.input(0), n.input(1), n.input(4), n.output(0)];
    const to = parameters(n, 7, 8);
    const table = (position: number) => {
      const from = parameters(n, position + 1, position + 2);
      return numbers(
        'uint8_t',
        byteTable(n, n.input(position), (x) => x, from, to),
      );
    };
    const grid = structure('grid', [gridText(n, broadcast(n, y, condition, a, b)).slice(1, -1)]);
    const operands = [condition, a, b, y].map((operand) => address(operand));
    return [call('qelementwise', 'lookup_where_8', ...operands, grid, table(1), table(4))];
  },
};

/** Fills with the element that stands for the real number: 0 where nothing is said. */
function pad(n: RunnerNode): readonly Call[] {
  const y = n.output(0);
  if (n.c.string('mode', 'constant') !== 'constant') return padded(n);
  const to = parameters(n, 4, 5);
  const given = n.c.opset < 11 ? n.c.float('value', 0) : (n.constant(2)?.[0] ?? 0);
  const own = n.optional(6) === undefined ? undefined : parameters(n, 6, 7);
  const value = own === undefined ? given : fround(own.scale * (given - own.zero));
  return padded(n, fillBytes(storedByte(n, y, value, to)));
}

/** Between elements that stand for real numbers: what lies halfway is rounded by its distance from the zero point. */
function resize(n: RunnerNode): readonly Call[] {
  return resized(n, parameters(n, 4, 5).zero);
}

export const lowerings: Lowerings = {
  'com.microsoft:QLinearAveragePool': { lower: averagePool },
  'com.microsoft:QLinearReduceMean': { lower: reduceMean },
  'com.microsoft:QLinearWhere': where,
  [`${QDQ_DOMAIN}:ConvTranspose`]: { lower: convTranspose },
  [`${QDQ_DOMAIN}:ReduceMean`]: { lower: reduceMean },
  [`${QDQ_DOMAIN}:LogSoftmax`]: { lower: logSoftmax },
  [`${QDQ_DOMAIN}:PRelu`]: prelu,
  [`${QDQ_DOMAIN}:Pad`]: { lower: pad },
  [`${QDQ_DOMAIN}:Resize`]: { lower: resize },
};
