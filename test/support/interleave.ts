/** Runs the models of a plan in whatever order they may run, byte by byte: every read must find what was written. */
import type { Plan, PlanStep, PlanTensor } from '../../src/plan/types.ts';

/** How models take turns: picks a number below `count`. */
export type Chance = (count: number) => number;

/**
 * The first byte that a step did not find as it was left, in words; undefined when all is well. Each part starts
 * `runs` runs of its models (in a sequence: of all of them, in turn), and the parts are interleaved step by step.
 */
export function interleave(plan: Plan, chance: Chance, runs: number): string | undefined {
  const memories = new Map(plan.regions.map(({ name, used }) => [name, new Array<string>(used).fill('')]));
  const named = new Map(plan.tensors.map((tensor) => [`${tensor.model}:${tensor.name}`, tensor]));
  const find = (model: number, name: string): PlanTensor => named.get(`${model}:${name}`)!;
  /** What a tensor's bytes should be: set when it is written. */
  const stamps = new Map<PlanTensor, string>();
  let clock = 0;
  const bytesOf = ({ region, offset, bytes }: PlanTensor) =>
    region === null ? [] : memories.get(region)!.slice(offset!, offset! + bytes);
  const write = (tensor: PlanTensor): void => {
    const stamp = `${plan.models[tensor.model]!.name}:${tensor.name} #${clock++}`;
    stamps.set(tensor, stamp);
    if (tensor.region !== null)
      memories.get(tensor.region)!.fill(stamp, tensor.offset!, tensor.offset! + tensor.bytes);
  };
  const wrong = (tensor: PlanTensor, when: string): string | undefined => {
    const found = bytesOf(tensor).find((byte) => byte !== stamps.get(tensor));
    return found === undefined ? undefined : `${when}: ${stamps.get(tensor)} is ${found || 'nothing'}`;
  };
  const held = (plan.run?.holds ?? []).map(({ model, tensor }) => find(model, tensor));
  const from = new Map(
    (plan.run?.links ?? []).map((link) => [
      find(link.to.model, link.to.tensor),
      find(link.from.model, link.from.tensor),
    ]),
  );

  function begin(model: number): string | undefined {
    for (const name of plan.models[model]!.inputs) {
      const input = named.get(`${model}:${name}`);
      if (input === undefined) continue;
      const source = from.get(input);
      if (source === undefined) write(input);
      else {
        stamps.set(input, stamps.get(source)!);
        const fault = wrong(input, `handed to ${plan.models[model]!.name}`);
        if (fault !== undefined) return fault;
      }
    }
    return undefined;
  }

  function run({ model, step, reads, writes }: PlanStep): string | undefined {
    for (const name of reads) {
      const fault = wrong(find(model, name), `step ${step} reads`);
      if (fault !== undefined) return fault;
    }
    for (const name of writes) {
      const tensor = find(model, name);
      if (tensor.how === 'view') stamps.set(tensor, stamps.get(find(model, tensor.aliasOf!))!);
      else write(tensor);
    }
    return undefined;
  }

  function end(model: number): string | undefined {
    const outputs = plan.models[model]!.outputs.flatMap((name) => named.get(`${model}:${name}`) ?? []);
    for (const tensor of outputs) {
      const fault = wrong(tensor, `after ${plan.models[model]!.name}`);
      if (fault !== undefined) return fault;
    }
    for (const tensor of held.filter((one) => stamps.has(one))) {
      // Its own model makes it anew; in a fixed order it lasts to the end of the sequence.
      const part = parts.find(({ models }) => models.includes(tensor.model))!;
      if (!part.models.includes(model) || (part.order === 'sequence' && model < tensor.model)) continue;
      const fault = wrong(tensor, `held over ${plan.models[model]!.name}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  const parts = plan.run?.parts ?? [{ models: [0], order: 'any' as const }];
  const threads = parts.map(function* (part): Generator<string | undefined, void> {
    for (let turn = 0; turn < runs; turn++) {
      const models = part.order === 'sequence' ? part.models : [part.models[chance(part.models.length)]!];
      for (const model of models) {
        yield begin(model);
        for (const step of plan.steps.filter((one) => one.model === model)) yield run(step);
        yield end(model);
      }
    }
  });
  const going = [...threads];
  while (going.length > 0) {
    const at = chance(going.length);
    const { value, done } = going[at]!.next();
    if (done) going.splice(at, 1);
    else if (value !== undefined) return value;
  }
  return undefined;
}
