/**
 * Carries a plan out over simulated memories with the true bytes of every tensor, and no code of the product: what a
 * step writes is put where the plan says, everything that nobody needs is noise, and what a step reads must be true.
 */
import type { Plan, PlanStep, PlanTensor } from '../../src/plan/types.ts';
import type { TrueTensor } from './true-bytes.ts';

export interface Replayed {
  /** The first differences, one sentence each. */
  readonly differences: readonly string[];
  /** Reads, views and elided parts that were compared, and tensors that were left out because nothing is known of them. */
  readonly compared: number;
  readonly unknown: ReadonlySet<string>;
}

const MOST = 5;

/** `truth`: by tensor name, rows first; with channels last the bytes are permuted here. One model. */
export function replay(plan: Plan, truth: ReadonlyMap<string, TrueTensor>): Replayed {
  const world = worldOf(plan, truth);
  for (const name of plan.models[0]!.inputs) world.define(world.tensor(name));
  for (const step of plan.steps) {
    world.forget(step.step);
    const reads = step.reads.map(world.tensor);
    for (const tensor of reads) world.check(tensor, `step ${step.step} reads ${tensor.name}`);
    for (const name of step.writes) {
      const tensor = world.tensor(name);
      // What shows something unknown, inside a function, brings its bytes along.
      if (isShown(step, tensor) && world.knows(world.tensor(tensor.aliasOf!)))
        world.check(tensor, `step ${step.step} shows ${name}`);
      else {
        const parts = partsOf(plan, tensor, reads).filter(world.knows);
        for (const part of parts) world.checkPart(step, part, tensor);
        world.define(tensor);
      }
    }
  }
  world.forget(plan.steps.length);
  const { keep, preserveInputs } = plan.assumptions;
  const kept = [...plan.models[0]!.outputs, ...keep, ...(preserveInputs ? plan.models[0]!.inputs : [])];
  for (const name of new Set(kept)) {
    const tensor = plan.tensors.find((t) => t.name === name);
    if (tensor !== undefined) world.check(tensor, `after the last step ${name}`);
  }
  return world.result();
}

/** Nothing is written: the tensor lies in bytes of what the step reads. */
function isShown({ reads }: PlanStep, { how, aliasOf }: PlanTensor): boolean {
  const isInSource = aliasOf !== null && reads.includes(aliasOf);
  return isInSource && (how === 'view' || how === 'elided' || how === 'external');
}

/** What a Concat reads and finds in its output; of several that lie in one place the first. */
function partsOf(plan: Plan, whole: PlanTensor, reads: readonly PlanTensor[]): readonly PlanTensor[] {
  const leadsTo = (tensor: PlanTensor): boolean => {
    if (tensor.how === 'elided' && tensor.aliasOf === whole.name) return true;
    const next = plan.tensors.find(({ name }) => name === tensor.aliasOf);
    return next !== undefined && leadsTo(next);
  };
  const found = reads.filter((tensor) => tensor.buffer !== null && leadsTo(tensor));
  return found.filter((part, at) => found.findIndex(({ offset }) => offset === part.offset) === at);
}

function worldOf(plan: Plan, truth: ReadonlyMap<string, TrueTensor>) {
  const noise = noiseOf(1 << 16);
  const memories = new Map(plan.regions.map(({ name, used }) => [name, new Uint8Array(used)]));
  const tensors = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]));
  const permuted = new Map<string, Uint8Array | undefined>();
  const unknown = new Set<string>();
  const differences: string[] = [];
  let compared = 0;
  let defined: PlanTensor[] = [];

  const tensor = (name: string): PlanTensor => tensors.get(name)!;
  const bytesOf = ({ name, bytes }: PlanTensor): Uint8Array | undefined => {
    if (permuted.has(name)) return permuted.get(name);
    const known = truth.get(name);
    const found = known?.bytes.length === bytes ? inLayout(plan.assumptions.layout, known) : undefined;
    if (found === undefined) unknown.add(name);
    permuted.set(name, found);
    return found;
  };
  /** Memory of a tensor; of one that the caller owns its own true bytes. */
  const placeOf = (t: PlanTensor): Uint8Array | undefined =>
    t.region === null ? undefined : memories.get(t.region)!.subarray(t.offset!, t.offset! + t.bytes);
  const fill = (place: Uint8Array, seed: number): void => {
    for (let [at, start] = [0, seed % 4096]; at < place.length; start = 0) {
      const chunk = noise.subarray(start, Math.min(noise.length, start + place.length - at));
      place.set(chunk, at);
      at += chunk.length;
    }
  };
  const say = (text: string): void => void (differences.length < MOST && differences.push(text));

  return {
    tensor,
    knows: (t: PlanTensor): boolean => bytesOf(t) !== undefined,
    /** Puts the true bytes there, or noise where they are not known. */
    define: (t: PlanTensor): void => {
      defined.push(t);
      const place = placeOf(t);
      if (place === undefined) return;
      const bytes = bytesOf(t);
      if (bytes === undefined) fill(place, t.first);
      else place.set(bytes);
    },
    /** Noise in all bytes but those of tensors that are there and live on. */
    forget: (step: number): void => {
      defined = defined.filter(({ first, end }) => first <= step && (end > step || end >= plan.steps.length));
      for (const [name, memory] of memories) {
        const live = defined.filter(({ region }) => region === name).sort((a, b) => a.offset! - b.offset!);
        let reached = 0;
        for (const { offset, bytes } of [...live, { offset: memory.length, bytes: 0 }]) {
          if (offset! > reached) fill(memory.subarray(reached, offset!), step * 31);
          reached = Math.max(reached, offset! + bytes);
        }
      }
    },
    check: (t: PlanTensor, what: string): void => {
      const [place, bytes] = [placeOf(t), bytesOf(t)];
      if (!defined.includes(t)) defined.push(t);
      if (place === undefined || bytes === undefined) return;
      compared++;
      const at = differsAt(place, bytes);
      if (at >= 0) say(`${what}: byte ${at} of ${t.bytes} is ${place[at]}, not ${bytes[at]}`);
    },
    checkPart: ({ step }: PlanStep, part: PlanTensor, whole: PlanTensor): void => {
      const [place, bytes] = [placeOf(part), bytesOf(whole)];
      if (place === undefined || bytes === undefined) return;
      compared++;
      const shift = part.offset! - whole.offset!;
      const at = differsAt(place, bytes.subarray(shift, shift + part.bytes));
      if (at >= 0) say(`step ${step} does not find ${part.name} in ${whole.name}: byte ${at} differs`);
    },
    result: (): Replayed => ({ differences, compared, unknown }),
  };
}

function differsAt(a: Uint8Array, b: Uint8Array): number {
  if (a.length === b.length && Buffer.compare(a, b) === 0) return -1;
  return a.findIndex((byte, at) => byte !== b[at]);
}

function noiseOf(length: number): Uint8Array {
  let state = 0x9e3779b9;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}

/** With channels last, axis 1 of three and more is the innermost. */
function inLayout(layout: 'nchw' | 'nhwc', { shape, bytes }: TrueTensor): Uint8Array {
  const [images = 1, channels = 1, ...rest] = shape;
  const pixels = rest.reduce((product, size) => product * size, 1);
  const count = images * channels * pixels;
  if (layout === 'nchw' || shape.length < 3 || count === 0) return bytes;
  const width = bytes.length / count;
  const result = new Uint8Array(bytes.length);
  for (let image = 0, to = 0; image < images; image++) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      for (let channel = 0; channel < channels; channel++) {
        const from = ((image * channels + channel) * pixels + pixel) * width;
        for (let byte = 0; byte < width; byte++) result[to++] = bytes[from + byte]!;
      }
    }
  }
  return result;
}
