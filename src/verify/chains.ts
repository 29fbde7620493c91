/** Follows tensors along the bytes that they share. Chains may be as long as the model: each is followed once. */
import type { PlanTensor } from '../plan/types.ts';

/** Needs a plan in which no tensor shares bytes with itself (`inRing`). */
export interface Chains {
  /** An elided tensor that is there before the one it is a part of: a Concat will find it there. */
  readonly isPart: (tensor: PlanTensor) => boolean;
  /** A tensor that is no write of its own: it shows the bytes of another, which is there before it. */
  readonly isShown: (tensor: PlanTensor) => boolean;
  /** The tensor whose bytes it shows in the end; of one that shows nothing itself. */
  readonly owner: (tensor: PlanTensor) => PlanTensor;
  /** Some tensor is a part of it. */
  readonly hasParts: (tensor: PlanTensor) => boolean;
  /** Following what `tensor`, which is there before `whole`, shares bytes with leads to a part of `whole`. */
  readonly isWithin: (tensor: PlanTensor, whole: PlanTensor) => boolean;
}

/** What `Index` knows of tensors. */
interface Linked {
  readonly tensors: readonly PlanTensor[];
  readonly source: (tensor: PlanTensor) => PlanTensor | undefined;
  readonly writer: (tensor: PlanTensor) => number | undefined;
}

export function chainsOf({ tensors, source, writer }: Linked): Chains {
  /** What nothing writes is there before all steps. */
  const written = (tensor: PlanTensor): number => writer(tensor) ?? -1;
  const isPart = (tensor: PlanTensor): boolean =>
    tensor.how === 'elided' && written(source(tensor)!) > written(tensor);
  const isShown = (tensor: PlanTensor): boolean =>
    tensor.how === 'view' || (tensor.how === 'elided' && !isPart(tensor));
  const owner = follower(source, (tensor) => !isShown(tensor));
  const nextPart = follower(source, isPart);
  const around = (tensor: PlanTensor): PlanTensor | undefined => {
    const part = nextPart(tensor);
    return part && source(part);
  };
  let nest: Nest | undefined;
  const nested = (): Nest => (nest ??= tensors.some(isPart) ? nestOf(tensors, around) : new Map());
  return {
    isPart,
    isShown,
    owner: (tensor) => owner(tensor) ?? tensor,
    hasParts: (whole) => nested().has(whole),
    isWithin: (tensor, whole) => {
      const [inner, outer] = [nested().get(around(tensor)), nested().get(whole)];
      return (
        inner !== undefined && outer !== undefined && outer.first <= inner.first && inner.end <= outer.end
      );
    },
  };
}

/** By whole, numbers [first, end): those of wholes that lie within it are a part of its own. */
type Nest = ReadonlyMap<PlanTensor | undefined, { readonly first: number; readonly end: number }>;

function nestOf(
  tensors: readonly PlanTensor[],
  around: (tensor: PlanTensor) => PlanTensor | undefined,
): Nest {
  const wholes = new Set(tensors.map(around).filter((tensor) => tensor !== undefined));
  const inside = new Map<PlanTensor | undefined, PlanTensor[]>([[undefined, []]]);
  for (const whole of wholes) {
    const outer = around(whole);
    const known = inside.get(outer);
    if (known === undefined) inside.set(outer, [whole]);
    else known.push(whole);
  }
  const nest = new Map<PlanTensor, { first: number; end: number }>();
  // Without recursion: one may lie in another a hundred thousand times.
  const left = [...inside.get(undefined)!];
  for (let number = 0; left.length > 0; ) {
    const whole = left.at(-1)!;
    const numbers = nest.get(whole);
    if (numbers === undefined) {
      nest.set(whole, { first: number, end: ++number });
      left.push(...(inside.get(whole) ?? []));
    } else {
      numbers.end = number;
      left.pop();
    }
  }
  return nest;
}

/** The first tensor from here on that is an end, or undefined; remembered for all that were passed. */
function follower(
  next: (tensor: PlanTensor) => PlanTensor | undefined,
  isEnd: (tensor: PlanTensor) => boolean,
): (tensor: PlanTensor) => PlanTensor | undefined {
  const known = new Map<PlanTensor | undefined, PlanTensor | undefined>();
  return (tensor) => {
    const passed: PlanTensor[] = [];
    let at: PlanTensor | undefined = tensor;
    while (at !== undefined && !known.has(at) && !isEnd(at)) {
      passed.push(at);
      at = next(at);
    }
    const end = known.has(at) ? known.get(at) : at;
    for (const one of passed) known.set(one, end);
    return end;
  };
}
