/** C expressions for the addresses of tensors and of working memory. */
import { unsigned } from '../emit/literals.ts';
import { arenaName, sharedPrefix } from '../emit/symbols.ts';
import { fail } from '../errors.ts';
import type { TypedGraph } from '../graph/types.ts';
import type { Plan } from '../plan/types.ts';
import type { Copy } from './copies.ts';
import type { Places, Port } from './places.ts';
import { ringsOf } from './rings.ts';
import type { WeightKey } from './weights.ts';

/** Working memory holds floats. */
const SCRATCH_ALIGNMENT = Float32Array.BYTES_PER_ELEMENT;

export interface Addresses {
  /** `offset` bytes into a tensor, and `along` more: a C expression. */
  readonly of: (tensor: number, offset: number, along?: string) => string;
  /** The same, but of a constant in flash: its copy may have come for other steps. */
  readonly lasting: (tensor: number, offset: number, along?: string) => string;
  /** A constant, or one that was worked out for a kernel: in its copy where it has one. */
  readonly weight: (key: WeightKey) => string;
  readonly inFlash: (key: WeightKey) => string;
  /** Working memory of `bytes` bytes: the planned one of the step's kernel, else one that all calls share. */
  readonly scratch: (planned: readonly number[], bytes: number) => string;
  /** Bytes of the shared working memory that have been asked for. */
  readonly sharedBytes: () => number;
  /** The macro of a region's arena and the array it points into, of all regions that have been asked for. */
  readonly regions: () => readonly { readonly macro: string; readonly array: string }[];
}

export interface Addressed {
  readonly graph: TypedGraph;
  readonly plan: Plan;
  readonly model: number;
  readonly places: Places;
  readonly names: Names;
  /** What the structure of weights is called. */
  readonly store: string;
  /** The name of each weight in it. */
  readonly weights: ReadonlyMap<WeightKey, string>;
  readonly copies: readonly Copy[];
}

export function addressesOf({
  graph,
  plan,
  model,
  places,
  names,
  store,
  weights,
  copies,
}: Addressed): Addresses {
  const rings = ringsOf(plan, model);
  const { P, shared: s } = names;
  const inRam = new Map(copies.map((copy) => [copy.key, copy]));
  const touched = new Set<string>();
  let shared = 0;

  function inArena(region: string, macro: string, ...more: readonly Bytes[]): string {
    touched.add(region);
    const { c } = plan.regions.find(({ name }) => name === region)!;
    return `${P}_AT_${c}(${[`${macro}_OFFSET`, ...more.flatMap(bytesText)].join(' + ')})`;
  }

  function weight(key: WeightKey, ...more: readonly Bytes[]): string {
    const copy = inRam.get(key);
    if (copy !== undefined) return inArena(copy.region, copy.macro, ...more);
    return into(inFlash(key), ...more);
  }

  function inFlash(key: WeightKey): string {
    return `${store}.${weights.get(key)}`;
  }

  function of(tensor: number, offset: number, along?: string): string {
    const place = places.of(tensor);
    if (place === undefined) return fail('E_INTERNAL', `${graph.tensors[tensor]!.name} has no place.`);
    if (place.kind === 'constant') return weight(tensor, offset, along);
    if (place.kind === 'port') return portAddress(place.port, place.offset + offset, along);
    const { region, c, buffer } = place.tensor;
    return inArena(region!, `${P}_T_${c}`, rings.get(buffer)?.shift, offset, along);
  }

  return {
    of,
    lasting: (tensor, ...more) =>
      places.of(tensor)?.kind === 'constant' ? into(inFlash(tensor), ...more) : of(tensor, ...more),
    weight: (key) => weight(key),
    inFlash,
    scratch(planned, bytes) {
      const found = planned.find((tensor) => {
        const place = places.of(tensor);
        const large = (places.planned(tensor)?.bytes ?? 0) >= bytes;
        return large && place?.kind === 'arena' && place.offset % SCRATCH_ALIGNMENT === 0;
      });
      if (found !== undefined) return of(found, 0);
      shared = Math.max(shared, bytes);
      return 'scratch';
    },
    sharedBytes: () => shared,
    regions: () =>
      plan.regions
        .filter(({ name }) => touched.has(name))
        .map(({ c }) => ({ macro: `${P}_AT_${c}`, array: arenaName(s, c) })),
  };
}

/** How the C calls what belongs to one model, and what all models of a plan share. */
export interface Names {
  /** `KWS` and `kws` */
  readonly P: string;
  readonly p: string;
  /** `APP` and `app`; those of the model where there is one alone. */
  readonly Shared: string;
  readonly shared: string;
}

export function namesOf(plan: Plan, model: number): Names {
  const P = plan.models[model]!.cPrefix;
  const { P: Shared, p: shared } = sharedNames(plan);
  return { P, p: P.toLowerCase(), Shared, shared };
}

/** Of what all models of a plan share. */
export function sharedNames(plan: Plan): Pick<Names, 'P' | 'p'> {
  const P = sharedPrefix(plan) ?? plan.models[0]!.cPrefix;
  return { P, p: P.toLowerCase() };
}

/** A number, or a C expression in parentheses; undefined: none. */
type Bytes = number | string | undefined;

function bytesText(bytes: Bytes): readonly string[] {
  if (bytes === undefined || bytes === 0) return [];
  return [typeof bytes === 'string' ? bytes : unsigned(bytes)];
}

/** Bytes past the start of something constant. */
function into(expression: string, ...more: readonly Bytes[]): string {
  return past(expression, 'const ', more);
}

/** Bytes past where a pointer points, through one to bytes that is as constant as it is. */
function past(pointer: string, constant: 'const ' | '', more: readonly Bytes[]): string {
  const bytes = more.flatMap(bytesText).join(' + ');
  const cast = `(${constant}void *)`;
  return bytes === '' ? pointer : `${cast}((${constant}uint8_t *)${cast}${pointer} + ${bytes})`;
}

function portAddress({ direction, position }: Port, ...more: readonly Bytes[]): string {
  return past(`${direction}_${position}`, direction === 'input' ? 'const ' : '', more);
}
