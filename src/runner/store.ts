/** Where the weights of runners stand: a structure for each model, and one for all buckets, which are one model. */
import { modelFiles } from '../plan/qualified.ts';
import type { Plan } from '../plan/types.ts';
import { type Names, namesOf, sharedNames } from './addresses.ts';
import { layWeights, type Weight, type WeightKey, type Weights } from './weights.ts';
import { memberNames } from './weights-view.ts';

/** Weights of more bytes become a file: as C they would be four times as long, and take a compiler seconds. */
export const MOST_TEXT_BYTES = 1024 * 1024;

export interface Store {
  /** `KWS` and `kws`: what `kws_weights` begins with. */
  readonly names: Pick<Names, 'P' | 'p'>;
  readonly weights: Weights;
  /** For each model that reads them: the member of each weight. */
  readonly members: readonly ReadonlyMap<WeightKey, string>[];
  readonly header: string;
  readonly source: string;
  /** The file of their bytes, or '' where the C has them as numbers. */
  readonly file: string;
}

/** What a model reads, before it has a place. */
export type Wanted = readonly Omit<Weight, 'offset'>[];

/** By model. `name`: of the plan's files; `how`: in C, in a file of bytes, or what suits their size. */
export function storesOf(
  plan: Plan,
  wanted: readonly Wanted[],
  { name, weights: how }: { readonly name: string; readonly weights: 'auto' | 'c' | 'bin' },
): readonly Store[] {
  const store = (of: readonly Wanted[], names: Pick<Names, 'P' | 'p'>, stem: string): Store => {
    const { all, keys } = joined(of);
    const weights = layWeights(all);
    const asFile = how === 'bin' || (how === 'auto' && weights.bytes > MOST_TEXT_BYTES);
    const named = memberNames(weights);
    return {
      ...{ names, weights },
      members: keys.map((own) => new Map([...own].map(([key, joint]) => [key, named.get(joint)!]))),
      header: `${stem}_weights.h`,
      source: `${stem}_weights.c`,
      file: asFile && all.length > 0 ? `${stem}_weights.bin` : '',
    };
  };
  if (plan.buckets !== undefined) {
    const shared = store(wanted, sharedNames(plan), name);
    return shared.members.map((members) => ({ ...shared, members: [members] }));
  }
  return wanted.map((one, model) => {
    const names = namesOf(plan, model);
    return store([one], names, modelFiles(plan).length === 1 ? name : `${name}_${names.p}`);
  });
}

/** Each weight once, though several read it. What has the name of another and is not the same gets one of its own. */
function joined(lists: readonly Wanted[]): {
  readonly all: Wanted;
  /** By list: from its keys to those of `all`. */
  readonly keys: readonly ReadonlyMap<WeightKey, WeightKey>[];
} {
  const all: Omit<Weight, 'offset'>[] = [];
  const byName = new Map<string, number[]>();
  const keys = lists.map((list) => {
    const own = new Map<WeightKey, WeightKey>();
    for (const weight of list) {
      const known = byName.get(weight.name) ?? [];
      let at = known.find((index) => isSame(all[index]!, weight));
      if (at === undefined) {
        at = all.length;
        const name = known.length === 0 ? weight.name : `${weight.name} (${known.length + 1})`;
        all.push({ ...weight, key: at, name });
        byName.set(weight.name, [...known, at]);
      }
      own.set(weight.key, at);
    }
    return own;
  });
  return { all, keys };
}

function isSame(a: Omit<Weight, 'offset'>, b: Omit<Weight, 'offset'>): boolean {
  return (
    a.type === b.type &&
    a.shape.join() === b.shape.join() &&
    a.bytes.length === b.bytes.length &&
    a.bytes.every((byte, i) => byte === b.bytes[i])
  );
}
