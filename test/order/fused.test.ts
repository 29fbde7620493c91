/** Fusion and the order of steps together: fused steps are ordered as wholes, as well as trying every order does. */
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/plan/types.ts';
import { planFused, planSpec, replayFaults } from '../support/fused.ts';
import { infer } from '../support/infer.ts';
import { type ModelSpec, node, tensor } from '../support/onnx.ts';
import { everyOrder } from '../support/order-problems.ts';
import { createRandom } from '../support/random.ts';

/** So many branches begin with a wide tensor. */
const WIDE = 3;

/** Nodes that become one step, and the blocks that it waits for. */
interface Block {
  readonly nodes: readonly ReturnType<typeof node>[];
  readonly after: readonly number[];
}

interface Net {
  readonly blocks: readonly Block[];
  readonly weights: Readonly<Record<string, ReturnType<typeof tensor>>>;
  readonly output: string;
}

/** Branches of Conv and Relu of unlike widths over what came before, and sums; all ends meet in one last Conv. */
function randomNet(seed: number): Net {
  const random = createRandom(seed);
  const weights: Record<string, ReturnType<typeof tensor>> = {};
  const channels = [2];
  const blocks: Block[] = [];
  const nameOf = (at: number): string => (at === 0 ? 'x' : `r${at}`);
  const afterOf = (...made: readonly number[]): number[] => made.filter((at) => at > 0).map((at) => at - 1);
  const conv = (from: number, width: number, name: string): ReturnType<typeof node> => {
    const shape = [width, channels[from]!, 1, 1];
    weights[`w_${name}`] = tensor('float32', shape, new Array(shape[0]! * shape[1]!).fill(1));
    return node('Conv', [nameOf(from), `w_${name}`], [`c_${name}`], {}, { name: `conv_${name}` });
  };
  const relu = (from: string, name: string): ReturnType<typeof node> =>
    node('Relu', [from], [name], {}, { name: `relu_${name}` });
  const unread = new Set([0]);
  for (let at = 1; at <= 6; at++) {
    // The file begins with all that is large, before it ends any of it.
    const from = at <= WIDE ? 0 : 1 + random(at - 1);
    const twin = channels.findIndex((width, other) => other !== from && width === channels[from]);
    unread.delete(from);
    if (at > WIDE && twin > 0 && random(3) === 0) {
      unread.delete(twin);
      const sum = node('Add', [nameOf(from), nameOf(twin)], [`c_${at}`], {}, { name: `add_${at}` });
      blocks.push({ nodes: [sum, relu(`c_${at}`, nameOf(at))], after: afterOf(from, twin) });
      channels.push(channels[from]!);
    } else {
      const width = at <= WIDE ? 8 + 4 * random(3) : 1 + random(2);
      blocks.push({ nodes: [conv(from, width, `${at}`), relu(`c_${at}`, nameOf(at))], after: afterOf(from) });
      channels.push(width);
    }
    unread.add(at);
  }
  const ends = [...unread];
  const joined = node('Concat', ends.map(nameOf), ['joined'], { axis: 1 }, { name: 'join' });
  blocks.push({ nodes: [joined], after: afterOf(...ends) });
  return { blocks, weights, output: 'joined' };
}

/** The model with its blocks in an order. */
function specOf({ blocks, weights, output }: Net, order: readonly number[]): ModelSpec {
  return {
    inputs: { x: ['float32', [1, 2, 8, 8]] },
    outputs: [output],
    initializers: weights,
    nodes: order.flatMap((block) => blocks[block]!.nodes),
  };
}

function topological({ steps }: Plan): boolean {
  const written = new Map(steps.flatMap(({ step, writes }) => writes.map((name) => [name, step] as const)));
  return steps.every(({ step, reads }) => reads.every((name) => (written.get(name) ?? -1) < step));
}

describe('--fuse default --schedule min-peak', () => {
  it('finds the smallest arena of all orders of the fused steps (10 random networks)', () => {
    let saved = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const net = randomNet(seed);
      const file = specOf(net, [...net.blocks.keys()]);
      const given = planFused(file, { elide: false });
      const plan = planFused(file, { schedule: 'min-peak', elide: false });
      let smallest = Number.POSITIVE_INFINITY;
      const steps = net.blocks.map(({ after }) => ({ after, extraBytes: 0, overwrites: [] }));
      everyOrder({ steps, values: [], baseBytes: 0, startBytes: 0 }, (order) => {
        smallest = Math.min(smallest, planFused(specOf(net, order), { elide: false }).totals.arenaBytes);
        return true;
      });
      expect(plan.totals.arenaBytes, `seed ${seed}`).toBe(smallest);
      expect(
        plan.steps.some(({ fused }) => fused.length === 2),
        `seed ${seed}`,
      ).toBe(true);
      expect(plan.steps.length, `seed ${seed}`).toBe(given.steps.length);
      expect(topological(plan), `seed ${seed}`).toBe(true);
      expect(replayFaults(infer(file, {}).graph, plan), `seed ${seed}`).toEqual([]);
      if (plan.totals.arenaBytes < given.totals.arenaBytes) saved++;
    }
    expect(saved).toBeGreaterThan(3);
  });

  it('compares with the best order without fusion', () => {
    const net = randomNet(3);
    const file = specOf(net, [...net.blocks.keys()]);
    const fused = planFused(file, { schedule: 'min-peak' });
    const unfused = planSpec(file, { fuse: 'none', schedule: 'min-peak' });
    expect(fused.fusion?.unfused).toEqual({
      steps: unfused.steps.length,
      arenaBytes: unfused.totals.arenaBytes,
    });
  });
});
