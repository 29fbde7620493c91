/** Random small problems of ordering steps, and the answer to them by trying every order. */
import type { OrderProblem, OrderStep, Overwrite, Value } from '../../src/order/types.ts';
import { createRandom } from './random.ts';

/** Steps as lists of the values they read and make: `[['x'], ['a']]`. Values that are never made are inputs. */
export function problemOf(
  sizes: Readonly<Record<string, number>>,
  steps: readonly (readonly [readonly string[], readonly string[]])[],
  outputs: readonly string[],
): OrderProblem {
  const names = Object.keys(sizes);
  const producers = names.map((name) => steps.findIndex(([, makes]) => makes.includes(name)));
  return {
    steps: steps.map(([reads]) => ({
      after: [...new Set(reads.map((name) => producers[names.indexOf(name)]!).filter((step) => step >= 0))],
      extraBytes: 0,
      overwrites: [],
    })),
    values: names.map(
      (name, index): Value => ({
        bytes: sizes[name]!,
        producer: producers[index]!,
        readers: [...steps.keys()].filter((step) => steps[step]![0].includes(name)),
        survives: outputs.includes(name),
      }),
    ),
    baseBytes: 0,
    startBytes: 0,
  };
}

/** Two to `most` steps: several outputs or none, unread ones, outputs that survive, in-place writes, extra bytes. */
export function randomProblem(seed: number, most: number): OrderProblem {
  const random = createRandom(seed);
  const count = 2 + random(most - 1);
  const values: (Value & { readers: number[] })[] = [];
  const sizes = [1 + random(40), 1 + random(40), 1 + random(40)];
  const add = (producer: number): number => {
    const bytes = sizes[random(3)]!;
    return values.push({ bytes, producer, readers: [], survives: random(8) === 0 }) - 1;
  };
  for (let i = random(3); i >= 0; i--) add(-1);
  const reach = 1 + random(5);
  const steps = Array.from({ length: count }, (_, step): OrderStep => {
    const after = new Set<number>();
    const reads: number[] = [];
    for (let i = random(4); i > 0; i--) {
      const value = Math.max(0, values.length - 1 - random(reach * 2));
      const { producer, readers } = values[value]!;
      if (readers.includes(step)) continue;
      readers.push(step);
      reads.push(value);
      if (producer >= 0) after.add(producer);
    }
    if (step > 0 && random(10) === 0) after.add(random(step));
    const outputs = random(6) === 0 ? [] : [add(step)];
    if (random(6) === 0) outputs.push(add(step));
    const overwrites: Overwrite[] = [];
    for (const over of reads) {
      const [output] = outputs;
      if (output === undefined || values[over]!.bytes !== values[output]!.bytes) continue;
      if (random(2) === 0) overwrites.push({ over: [over], bytes: values[output]!.bytes });
    }
    return { after: [...after], extraBytes: random(5) === 0 ? random(30) : 0, overwrites };
  });
  return { steps, values, baseBytes: random(3), startBytes: random(4) === 0 ? random(40) : 0 };
}

/** Bytes needed at the worst step of an order, counted afresh at each step from the meaning of the words. */
export function plainPeak(problem: OrderProblem, order: readonly number[]): number {
  const { steps, values, baseBytes, startBytes } = problem;
  let peak = 0;
  order.forEach((step, position) => {
    const hasRun = (other: number): boolean => order.indexOf(other) < position;
    const needed = ({ survives, readers }: Value, by: (reader: number) => boolean): boolean =>
      survives || readers.some(by);
    let live = baseBytes + (position === 0 ? startBytes : 0) + steps[step]!.extraBytes;
    for (const value of values) {
      const there = value.producer < 0 || hasRun(value.producer);
      if (there && needed(value, (reader) => !hasRun(reader))) live += value.bytes;
      if (value.producer === step) live += value.bytes;
    }
    const saved = steps[step]!.overwrites.filter(({ over }) =>
      over.every((v) => !needed(values[v]!, (r) => r !== step && !hasRun(r))),
    ).map(({ bytes }) => bytes);
    peak = Math.max(peak, live - Math.max(0, ...saved));
  });
  return peak;
}

/** Calls `visit` with each executable order until it returns false. */
export function everyOrder({ steps }: OrderProblem, visit: (order: readonly number[]) => boolean): void {
  const order: number[] = [];
  const walk = (): boolean => {
    if (order.length === steps.length) return visit(order);
    return steps.every(({ after }, step) => {
      if (order.includes(step) || !after.every((other) => order.includes(other))) return true;
      order.push(step);
      const goOn = walk();
      order.pop();
      return goOn;
    });
  };
  walk();
}

/** The smallest peak of all orders; undefined when there are more than `most`. */
export function smallestPeak(problem: OrderProblem, most: number): number | undefined {
  let [count, best] = [0, Number.POSITIVE_INFINITY];
  everyOrder(problem, (order) => {
    best = Math.min(best, plainPeak(problem, order));
    return ++count <= most;
  });
  return count > most ? undefined : best;
}

export function isExecutable({ steps }: OrderProblem, order: readonly number[]): boolean {
  const place = new Map(order.map((step, index) => [step, index]));
  if (order.length !== steps.length || place.size !== steps.length) return false;
  return steps.every(({ after }, step) => after.every((other) => place.get(other)! < place.get(step)!));
}
