/** Random networks of float and quantised layers: fused steps do exactly what their nodes did, and never take more bytes. */
import { expect, it } from 'vitest';
import { planFused, planSpec, replayFaults } from '../support/fused.ts';
import { infer } from '../support/infer.ts';
import { graph, type ModelSpec, node } from '../support/onnx.ts';
import { type QdqModel, qdqModel, type Scale } from '../support/qdq.ts';
import { createRandom } from '../support/random.ts';

const SHAPE = [1, 4, 6, 6];
const SCALES: readonly Scale[] = [{ scale: 0.5 }, { scale: 0.25, zeroPoint: 3 }];

/** Float tensors of one shape, made by layers that a quantiser may or may not have wrapped. */
function randomModel(seed: number): ModelSpec {
  const below = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const m = qdqModel();
  const floats = [m.input('x', 'float32', SHAPE)];
  const bodies: ReturnType<typeof node>[] = [];
  let count = 0;
  const next = (): string => `t${count++}`;
  const integers: { name: string; scale: Scale }[] = [];
  /** Between DequantizeLinear and QuantizeLinear, with a reader of its own or one that others share. */
  const integerLayer = (): string => {
    const operand = (): string => {
      const { name, scale } = pick(integers);
      return m.dequantise(name, scale, next());
    };
    if (integers.length === 0)
      integers.push({ name: m.quantise(pick(floats), SCALES[0]!, next()), scale: SCALES[0]! });
    const results: readonly (() => string)[] = [
      () => m.run('Conv', [operand(), weight(m, next(), pick([0, 1, 2]), below)], next()),
      () => m.run(pick(['Relu', 'Sigmoid', 'Softmax']), [operand()], next()),
      () => m.run('Add', [operand(), operand()], next()),
      () => m.run('MaxPool', [operand()], next(), { kernel_shape: [1, 1] }),
    ];
    const scale = pick(SCALES);
    integers.push({ name: m.quantise(pick(results)(), scale, next()), scale });
    return m.dequantise(integers.at(-1)!.name, scale, next());
  };
  const layers: readonly (() => string)[] = [
    () => m.run('Conv', [pick(floats), weight(m, next(), pick([0, 1, 2]), below)], next()),
    () =>
      m.run(
        'Conv',
        [pick(floats), m.constant(next(), 'float32', [4, 4, 1, 1]), m.constant(next(), 'float32', [4])],
        next(),
      ),
    () =>
      m.run(
        'BatchNormalization',
        [pick(floats), ...[0, 1, 2, 3].map(() => m.constant(next(), 'float32', [4]))],
        next(),
      ),
    () =>
      m.run(
        pick(['Relu', 'Sigmoid', 'LeakyRelu', 'Identity', 'Dropout', 'Softmax', 'Sin']),
        [pick(floats)],
        next(),
      ),
    () => m.run(pick(['Add', 'Mul']), [pick(floats), pick(floats)], next()),
    () => m.run('Add', [pick(floats), m.constant(next(), 'float32', pick([[4, 1, 1], [6], []]))], next()),
    () =>
      m.run('Transpose', [m.run('Transpose', [pick(floats)], next(), { perm: [0, 2, 3, 1] })], next(), {
        perm: [0, 3, 1, 2],
      }),
    () => m.run('MaxPool', [pick(floats)], next(), { kernel_shape: [1, 1] }),
    () => {
      const padded = m.run(
        'Pad',
        [pick(floats), m.constant(next(), 'int64', [8], [0, 0, 1, 1, 0, 0, 1, 1])],
        next(),
      );
      return m.run('Conv', [padded, m.constant(next(), 'float32', [4, 4, 3, 3])], next());
    },
    () => {
      const scale = pick(SCALES);
      integers.push({ name: m.quantise(pick(floats), scale, next()), scale });
      return m.dequantise(integers.at(-1)!.name, pick(SCALES), next());
    },
    ...[integerLayer, integerLayer, integerLayer],
  ];
  for (let i = 0; i < 14; i++) floats.push(pick(layers)());
  // Often the newest: chains are what is fused.
  const last = floats.at(-1)!;
  m.output(last);
  if (below(2) === 0) m.output(pick(floats.slice(1)));
  const spec = m.spec();
  if (below(3) > 0) return spec;
  const branch = (out: string) =>
    graph({
      nodes: [node('Relu', [pick(floats)], [`${out}r`]), node('Abs', [`${out}r`], [out])],
      outputs: [out],
    });
  bodies.push(
    node('If', ['cond'], ['if_out'], { then_branch: branch('p'), else_branch: branch('q') }, { name: 'if' }),
  );
  const inputs = [...(spec.inputs as [string, ['bool', number[]]][]), ['cond', ['bool', []]] as const];
  return {
    ...spec,
    inputs,
    outputs: [...(spec.outputs as string[]), 'if_out'],
    nodes: [...spec.nodes!, ...bodies],
  };
}

/** Quantised by tensor, by channel, or by the wrong axis. */
function weight(m: QdqModel, name: string, kind: number, below: (limit: number) => number): string {
  const scale = kind === 0 ? 0.1 : [0.1, 0.2, 0.3, 0.4];
  return m.weight(
    name,
    [4, 4, 1, 1],
    kind === 0 ? { scale: 0.1 } : { scale, axis: kind === 1 ? 0 : below(2) },
  );
}

const SEEDS = Array.from({ length: 150 }, (_, seed) => seed);

it.each(SEEDS)('seed %i', (seed) => {
  const spec = randomModel(seed);
  const plan = planFused(spec);
  expect(replayFaults(infer(spec, {}).graph, plan)).toEqual([]);
  expect(plan.steps.length).toBeLessThanOrEqual(plan.fusion!.unfused.steps);
  // Where a DequantizeLinear stays for some readers, integers and floats are alive together.
  const shared = plan.steps.some(
    ({ step, op, reads }) =>
      op === 'DequantizeLinear' &&
      plan.steps.some((other) => other.step !== step && other.reads.includes(reads[0] ?? '')),
  );
  if (shared) return;
  expect(plan.totals.lowerBoundBytes).toBeLessThanOrEqual(planSpec(spec).totals.lowerBoundBytes);
});

it('fuses in most of them, in every way', () => {
  const ops = new Set<string>();
  let fused = 0;
  for (const seed of SEEDS) {
    const plan = planFused(randomModel(seed));
    const several = plan.steps.filter((step) => step.fused.length > 1);
    if (several.length > 0) fused++;
    for (const { op } of several) ops.add(op);
  }
  expect(fused).toBeGreaterThan(SEEDS.length / 2);
  expect([...ops].sort()).toEqual(
    expect.arrayContaining(['Add', 'Conv', 'MaxPool', 'QuantizeLinear', 'Relu']),
  );
});
